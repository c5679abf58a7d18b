"""Cordoned and drained clusters, as the decision treats them."""

from tests.unit.deciding import BIG, decide
from tests.unit.federations import Plain, cluster, node_class, workload


def two(**changes: bool) -> list[Plain]:
    """A cheap and a dear cluster with room for all; *changes* are of the cheap one."""
    return [
        cluster("cheap", node_class(**BIG), price=1, **changes),
        cluster("dear", node_class(**BIG), price=2),
    ]


PRESENT = {"default/w": {"cheap": 3}}


def test_a_cordoned_cluster_takes_nothing_more() -> None:
    """What is there may stay, what is more goes elsewhere, and a newcomer reads why."""
    decision = decide(two(cordoned=True), [workload("w", 5), workload("new", 1)], present=PRESENT)
    assert decision.counts == {"default/w": {"cheap": 3, "dear": 2}, "default/new": {"dear": 1}}
    (refused,) = decision.workload("default/new").refused
    assert (refused.cluster, refused.filter) == ("cheap", "Cordoned")
    assert refused.detail == "the cluster is cordoned, and nothing of the workload runs there"


def test_a_cordon_is_no_eviction() -> None:
    """Fewer replicas than there are stay where it is cheap."""
    decision = decide(two(cordoned=True), [workload("w", 2)], present=PRESENT)
    assert decision.counts == {"default/w": {"cheap": 2}}


def test_without_a_present_placement_a_cordoned_cluster_is_empty() -> None:
    """On the first run nothing is there, so nothing may come."""
    decision = decide(two(cordoned=True), [workload("w", 2)])
    assert decision.counts == {"default/w": {"dear": 2}}


def test_a_drained_cluster_gives_up_what_it_has() -> None:
    """Everything moves away, and each workload reads why."""
    decision = decide(two(drained=True), [workload("w", 3)], present=PRESENT)
    assert decision.counts == {"default/w": {"dear": 3}}
    (refused,) = decision.workload("default/w").refused
    assert (refused.filter, refused.detail) == ("Drained", "the cluster is drained")
    assert [(m.cluster, m.before, m.after) for m in decision.moves] == [
        ("cheap", 3, 0),
        ("dear", 0, 3),
    ]
