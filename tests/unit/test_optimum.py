"""The engine's optimum, against every placement that there is."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random

import pytest

from placement.check import violations
from placement.federation import Federation
from placement.packing import left_over
from placement.plan import decide
from placement.score import Facts, shares
from tests.unit.federations import Plain, cluster, federation, node_class, workload

# ruff: noqa: S311 - the numbers make instances, no secrets

_BATCHES = 12
_EACH = 25


@pytest.mark.parametrize("batch", range(_BATCHES))
def test_optimum_is_that_of_enumeration(batch: int) -> None:
    """Cost and feasibility agree with exhaustive enumeration, on every one of 300 instances."""
    random = Random(batch)
    for number in range(_EACH):
        given = _instance(random)
        _compare(given, f"instance {batch}/{number}")


@pytest.mark.parametrize("batch", range(4))
def test_optimum_with_promises_is_that_of_enumeration(batch: int) -> None:
    """The same where workloads must survive the loss of any cluster."""
    random = Random(1001 + batch)
    for number in range(_EACH // 2):
        _compare(_instance(random, promises=True), f"instance {batch}/{number}")


@pytest.mark.parametrize("batch", range(4))
def test_optimum_between_workloads_is_that_of_enumeration(batch: int) -> None:
    """The same with ranges of replicas, neighbours, budgets and what clusters keep in reserve."""
    random = Random(2001 + batch)
    for number in range(_EACH):
        clusters, workloads = _parts(random)
        _compare(_between(random, clusters, workloads), f"instance {batch}/{number}")


def _between(random: Random, clusters: list[Plain], workloads: list[Plain]) -> Federation:
    """The parts as a federation, with rules that concern several workloads or totals."""
    for w in workloads:
        if random.random() < 0.5 and w["replicas"] > 1:
            least = random.randint(1, w["replicas"])
            w["replicas"] = {"min": least, "max": w["replicas"]}
            w.pop("atLeast", None)
            w.pop("perCluster", None)
            for groups in w.get("spread", {}).values():
                groups["minGroups"] = min(groups["minGroups"], least)
    if len(workloads) > 1 and random.random() < 0.7:
        key = random.choice(["workloadAffinity", "workloadAntiAffinity"])
        level = random.choice(["cluster", "region", "continent"])
        workloads[0][key] = [{"workload": "default/w1", "level": level}]
    if random.random() < 0.3:
        clusters[0]["cluster"]["reserve"] = {"cpu": "1"}
    changes: Plain = {}
    if random.random() < 0.5:
        money = {"amount": random.randint(10, 150), "currency": "EUR"}
        changes["budgets"] = [{"name": "b", "workloads": ["default/w0"], "money": money}]
    return federation(clusters, workloads, **changes)


def _compare(given: Federation, label: str) -> None:
    best = _enumerated(given)
    decision = decide(given, effort=5, present=None)
    if best is None:
        assert decision.status == "infeasible", f"{label}: placed {decision.counts}"
        return
    assert decision.status == "optimal", f"{label}: {decision.status}, possible is {best}"
    assert not violations(given, decision.counts), label
    cost = _cost_of(given, decision.counts)
    assert cost == pytest.approx(_cost_of(given, best), abs=1e-6), f"{label}: possible is {best}"
    shown = decision.objective[0]
    assert shown.value == pytest.approx(cost, abs=1e-3), label
    assert shown.bound is not None, label
    assert shown.bound <= cost + 1e-3, label


def _cost_of(given: Federation, counts: Mapping[str, Mapping[str, int]]) -> float:
    facts = Facts.of(given)
    return sum(
        n * facts.price[name, "n"] * max(shares(w, given.cluster(name).node_classes[0]).values())
        for w in given.workloads
        for name, n in counts[w.id].items()
    )


def _enumerated(given: Federation) -> dict[str, dict[str, int]] | None:
    """The cheapest placement without a violation; None where there is none."""
    workloads = {w.id: w for w in given.workloads}

    @cache
    def fits(name: str, counts: tuple[int, ...]) -> bool:
        there = [(w, n) for w, n in zip(workloads.values(), counts, strict=True) if n]
        return not left_over(given.cluster(name), there)

    names = [c.name for c in given.clusters]
    choices: list[list[dict[str, int]]] = []
    for w in given.workloads:
        itself = w.model_copy(update={"workload_affinity": (), "workload_anti_affinity": ()})
        alone = given.model_copy(update={"workloads": (itself,), "budgets": ()})
        choices.append([c for c in _divisions(w.size, names) if not violations(alone, {w.id: c})])
    joint = sorted(
        (dict(zip(workloads, choice, strict=True)) for choice in product(*choices)),
        key=lambda counts: _cost_of(given, counts),
    )
    for counts in joint:
        room = (fits(name, tuple(counts[w].get(name, 0) for w in workloads)) for name in names)
        if all(room) and not violations(given, counts):
            return counts
    return None


def _divisions(total: int, names: list[str]) -> Iterator[dict[str, int]]:
    for counts in product(range(total + 1), repeat=len(names)):
        if sum(counts) == total:
            yield {name: n for name, n in zip(names, counts, strict=True) if n}


def _instance(random: Random, *, promises: bool = False) -> Federation:
    return federation(*_parts(random, promises=promises))


def _parts(random: Random, *, promises: bool = False) -> tuple[list[Plain], list[Plain]]:
    """Two to four clusters and one to three workloads, about as much as the nodes hold."""
    names = ["a", "b", "c", "d"][: random.randint(2, 4)]
    clusters = [
        cluster(
            name,
            node_class(
                count=random.randint(1, 3),
                cpu=random.choice([2, 3, 4, 6]),
                memory=random.choice(["4Gi", "8Gi", "12Gi"]),
            ),
            price=random.randint(20, 99),
            region=random.choice(["north", "south", name]),
            continent=random.choice(["europe", "asia"]),
        )
        for name in names
    ]
    workloads = []
    for number in range(random.randint(1, 3 if len(names) < 4 else 2)):
        replicas = random.randint(1, 5)
        given = workload(
            f"w{number}",
            replicas,
            cpu=random.choice(["500m", "1", "1500m", "2", "3"]),
            memory=random.choice(["1Gi", "2Gi", "3Gi"]),
            **_rules(random, names, replicas),
        )
        if promises and replicas > 1 and random.random() < 0.7:
            given["survive"] = {"loss": random.choice(["cluster", "region"])}
        workloads.append(given)
    return clusters, workloads


def _rules(random: Random, names: list[str], replicas: int) -> Plain:
    rules: Plain = {}
    if random.random() < 0.4:
        level = random.choice(["cluster", "region", "continent", "provider"])
        least = random.randint(1, min(3, replicas))
        rules["spread"] = {level: {"minGroups": least, "maxGroups": least + random.randint(0, 1)}}
    if random.random() < 0.3:
        least = random.randint(1, min(2, replicas))
        rules["perCluster"] = {"min": least, "max": random.randint(least, replicas)}
    if random.random() < 0.3:
        rules["atMost"] = {random.choice(names): random.randint(0, 2)}
    if random.random() < 0.2:
        rules["atLeast"] = {random.choice(names): 1}
    return rules
