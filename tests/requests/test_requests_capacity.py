"""What users ask for and do not get: capacity, accelerators. Numbers as in docs/requests.md."""

import pytest

from placement.division import webster
from tests.unit.deciding import BIG, counts_of, decide
from tests.unit.federations import cluster, node_class, workload


def test_request_34_a_full_cluster_takes_nothing() -> None:
    """No room is excluded with its reason, not taken for a legal zero."""
    full = node_class(inUse={"cpu": "4"})
    decision = decide([cluster("full", full, price=1), cluster("free")], [workload("w", 2)])
    assert counts_of(decision) == {"free": 2}
    (refused,) = decision.workload("default/w").refused
    assert refused.cluster == "full"
    assert "none of the 1 nodes has room" in refused.detail


def test_request_35_room_that_appears_is_used_again() -> None:
    """What found no place is placed when a node comes, and the difference is listed."""
    small = [cluster("a")]
    assert decide(small, [workload("w", 6)]).status == "infeasible"
    decision = decide([cluster("a", node_class(count=2))], [workload("w", 6)], present={})
    assert [(m.cluster, m.before, m.after) for m in decision.moves] == [("a", 0, 6)]


def test_request_37_placement_follows_capacity() -> None:
    """Equal prices: each cluster takes what it has room for, to the last CPU."""
    clusters = [cluster("a", node_class(cpu=3)), cluster("b", node_class(cpu=5))]
    assert counts_of(decide(clusters, [workload("w", 8)])) == {"a": 3, "b": 5}


def test_request_43_placement_holds_over_a_forecast_interval() -> None:
    """A forecast of three to nine replicas: room for nine, the spread kept from three on."""
    clusters = [cluster("a", node_class(cpu=9), price=1), cluster("b", node_class(cpu=9))]
    given = workload("w", {"min": 3, "max": 9}, spread={"region": {"minGroups": 2}})
    counts = counts_of(decide(clusters, [given]))
    assert sum(counts.values()) == 9
    for total in range(3, 10):
        assert all(webster(total, counts).values()), total


def test_request_59_a_claim_that_no_node_offers_is_refused() -> None:
    """A resource by a name that no node has is no zero: the workload is refused by name."""
    claim = {"resource.example.com/claim": "1"}
    decision = decide([cluster("a", node_class(**BIG))], [workload("w", 1, request=claim)])
    assert decision.status == "infeasible"
    assert "1 resource.example.com/claim, a node has 0" in decision.workloads[0].refused[0].detail


@pytest.mark.parametrize(("used", "where"), [("0", "a"), ("8", "b")])
def test_request_60_accelerators_in_use_are_a_fact_of_the_cluster(used: str, where: str) -> None:
    """Measured use of GPUs is an input: with all eight in use the next cluster is taken."""
    nodes = [
        node_class(gpu=8, model="H100", inUse={"nvidia.com/gpu": in_use}, **BIG)
        for in_use in (used, "0")
    ]
    clusters = [cluster("a", nodes[0], price=10), cluster("b", nodes[1], price=20)]
    decision = decide(clusters, [workload("w", 2, request={"nvidia.com/gpu": "1"})])
    assert counts_of(decision) == {where: 2}


def test_request_63_what_is_not_there_is_a_constraint_with_the_next_best() -> None:
    """A sold-out type has no nodes: the next best is taken, and the ranking shows its price."""
    clusters = [cluster("sold-out", node_class(count=0), price=1), cluster("next", price=2)]
    decision = decide(clusters, [workload("w", 2)])
    assert counts_of(decision) == {"next": 2}
    placed = decision.workload("default/w")
    assert placed.refused[0].detail == "n: none of the 0 nodes has room for a replica"
    assert placed.candidates[0].terms["cost"] == pytest.approx(0.5)
