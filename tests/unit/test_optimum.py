"""The engine's optimum, against every placement that there is."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random

import pytest

from placement.check import violations
from placement.federation import Federation
from placement.packing import left_over
from placement.plan import plan
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


def test_more_capacity_never_costs_more() -> None:
    """One node more in a cluster leaves the optimum where it was, or lowers it."""
    random = Random(7)
    for _ in range(20):
        clusters, workloads = _parts(random)
        before = _cost(federation(clusters, workloads))
        random.choice(clusters)["cluster"]["nodeClasses"][0]["count"] += 1
        after = _cost(federation(clusters, workloads))
        assert after <= before + 1e-6


def test_a_workload_less_never_costs_more() -> None:
    """What is left of a federation without one of its workloads costs no more than the whole."""
    random = Random(8)
    for _ in range(20):
        clusters, workloads = _parts(random)
        before = _cost(federation(clusters, workloads))
        after = _cost(federation(clusters, workloads[1:]))
        assert after <= before + 1e-6


def test_names_change_nothing_but_names() -> None:
    """Under other names of the clusters the optimum is the same amount."""
    random = Random(9)
    for _ in range(20):
        clusters, workloads = _parts(random)
        before = _cost(federation(clusters, workloads))
        new = {c["cluster"]["name"]: f"x{9 - i}" for i, c in enumerate(clusters)}
        for c in clusters:
            c["cluster"]["name"] = new[c["cluster"]["name"]]
        for w in workloads:
            for key in ("atMost", "atLeast"):
                if key in w:
                    w[key] = {new[name]: n for name, n in w[key].items()}
        assert _cost(federation(clusters, workloads)) == pytest.approx(before, abs=1e-6)


def test_prices_scale_the_cost() -> None:
    """Thrice every price is thrice the cost, and the same status."""
    random = Random(10)
    for _ in range(20):
        clusters, workloads = _parts(random)
        before = _cost(federation(clusters, workloads))
        for c in clusters:
            c["price"] = 3 * c["price"]
        assert _cost(federation(clusters, workloads)) == pytest.approx(3 * before, abs=1e-3)


def _compare(given: Federation, label: str) -> None:
    best = _enumerated(given)
    decision = plan(given, effort=5)
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


def _cost(given: Federation) -> float:
    decision = plan(given, effort=5)
    return _cost_of(given, decision.counts) if decision.status != "infeasible" else float("inf")


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
        alone = given.model_copy(update={"workloads": (w,)})
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
