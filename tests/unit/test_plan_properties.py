"""What must hold of every decision, on generated federations."""

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placement.check import violations
from placement.decision import Decision
from placement.plan import decide
from tests.unit.federations import Plain, cluster, federation, node_class, workload

# The same cases every time; a plan may take a second on a busy machine.
CASES = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
NAMES = ("a", "b", "c")


@st.composite
def parts(draw: st.DrawFn) -> tuple[list[Plain], list[Plain]]:
    """Two or three clusters with prices, and one to four workloads with rules."""
    names = NAMES[: draw(st.integers(2, 3))]
    clusters = [
        cluster(
            name,
            node_class(count=draw(st.integers(1, 3)), cpu=draw(st.sampled_from([2, 4, 6]))),
            price=draw(st.integers(10, 99)),
            region=draw(st.sampled_from(["north", "south", name])),
        )
        for name in names
    ]
    return clusters, [
        workload(
            f"w{number}",
            draw(st.integers(1, 5)),
            cpu=draw(st.sampled_from(["500m", "1", "1500m", "2"])),
            **draw(rules(names)),
        )
        for number in range(draw(st.integers(1, 4)))
    ]


@st.composite
def rules(draw: st.DrawFn, names: tuple[str, ...]) -> Plain:
    """At most two of the rules that a workload of one replica may have too."""
    possible: dict[str, st.SearchStrategy[Any]] = {
        "spread": st.fixed_dictionaries(
            {"region": st.fixed_dictionaries({"maxGroups": st.integers(1, 2)})}
        ),
        "perCluster": st.fixed_dictionaries({"max": st.integers(1, 5)}),
        "atMost": st.dictionaries(st.sampled_from(names), st.integers(0, 2), max_size=1),
        "affinity": st.fixed_dictionaries(
            {"exclude": st.lists(st.sampled_from(names), max_size=1)}
        ),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(possible)), unique=True, max_size=2))
    return {key: draw(possible[key]) for key in chosen}


def _decide(clusters: list[Plain], workloads: list[Plain], **changes: Any) -> Decision:
    """The decision, proven and checked where there is one."""
    made = federation(clusters, workloads, **changes)
    decision = decide(made, effort=5, present=None)
    if decision.status != "infeasible":
        assert decision.status == "optimal"
        assert violations(made, decision.counts) == []
    return decision


def _cost(decision: Decision) -> float:
    """The cost; infinite where there is no placement."""
    if decision.status == "infeasible":
        return float("inf")
    value = decision.objective[0].value
    assert value is not None
    return value


@CASES
@given(parts(), st.data())
def test_more_capacity_never_costs_more(
    made: tuple[list[Plain], list[Plain]], data: st.DataObject
) -> None:
    """One node more in a cluster leaves the optimum where it was, or lowers it."""
    clusters, workloads = made
    before = _cost(_decide(clusters, workloads))
    more = copy.deepcopy(clusters)
    data.draw(st.sampled_from(more))["cluster"]["nodeClasses"][0]["count"] += 1
    assert _cost(_decide(more, workloads)) <= before + 1e-3


@CASES
@given(parts(), st.data())
def test_a_workload_less_never_costs_more(
    made: tuple[list[Plain], list[Plain]], data: st.DataObject
) -> None:
    """What is left of a federation without one of its workloads costs no more than the whole."""
    clusters, workloads = made
    before = _cost(_decide(clusters, workloads))
    gone = data.draw(st.integers(0, len(workloads) - 1))
    rest = [w for number, w in enumerate(workloads) if number != gone]
    after = _decide(clusters, rest)
    assert _cost(after) <= before + 1e-3


@CASES
@given(parts(), st.permutations(["x", "y", "z"]))
def test_renaming_clusters_changes_nothing_but_names(
    made: tuple[list[Plain], list[Plain]], names: list[str]
) -> None:
    """Under other names, in another alphabetical order, the optimum costs the same."""
    clusters, workloads = made
    before = _decide(clusters, workloads)
    new = dict(zip(NAMES, names, strict=True))
    clusters, workloads = copy.deepcopy((clusters, workloads))
    for each in clusters:
        each["cluster"]["name"] = new[each["cluster"]["name"]]
    for each in workloads:
        if "atMost" in each:
            each["atMost"] = {new[name]: n for name, n in each["atMost"].items()}
        if "affinity" in each:
            each["affinity"] = {"exclude": [new[name] for name in each["affinity"]["exclude"]]}
    after = _decide(clusters, workloads)
    assert after.status == before.status
    assert _cost(after) == pytest.approx(_cost(before), abs=1e-3)


@CASES
@given(parts(), st.integers(2, 50))
def test_scaling_all_prices_scales_the_objective(
    made: tuple[list[Plain], list[Plain]], factor: int
) -> None:
    """So many times every price is so many times the cost, and its bound."""
    clusters, workloads = made
    before = _decide(clusters, workloads)
    dearer = [{**each, "price": each["price"] * factor} for each in clusters]
    after = _decide(dearer, workloads)
    assert after.status == before.status
    if before.status == "optimal":
        assert _cost(after) == pytest.approx(factor * _cost(before), abs=1e-3 * factor)


@CASES
@given(parts(), st.integers(1, 500))
def test_the_explanation_adds_up(made: tuple[list[Plain], list[Plain]], traffic: int) -> None:
    """The workloads' costs are the whole's, and each is its replicas times their candidate's.

    What each loss leaves is no more than there was.
    """
    clusters, workloads = made
    workloads = [{**w, "trafficGigabytesPerMonth": traffic} for w in workloads]
    source = {"currency": "EUR", "vat": "net", "source": "by hand", "date": "2026-08-14"}
    regions = {c["cluster"]["region"] for c in clusters}
    egress = [{"region": r, "amount": "0.01", **source} for r in sorted(regions)]
    decision = _decide(clusters, workloads, egress=egress)
    if decision.status == "infeasible":
        return
    total = 0.0
    for placed in decision.workloads:
        each = {c.cluster: c.terms["cost"] or 0.0 for c in placed.candidates}
        parts_sum = sum(n * each[name] for name, n in placed.replicas.items())
        assert placed.terms is not None
        assert placed.terms["cost"] == pytest.approx(parts_sum, abs=1e-3 * 5)
        total += placed.terms["cost"] or 0.0
        size = sum(placed.replicas.values())
        for loss in placed.after_loss:
            assert sum(loss.replicas.values()) <= size
            assert loss.pending <= size
    assert _cost(decision) == pytest.approx(total, abs=1e-3)
