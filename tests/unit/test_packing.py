"""Whole replicas on whole nodes, by hand."""

import pytest

from placement.packing import left_over
from tests.unit.federations import Plain, cluster, federation, node_class, workload

_TAINT = {"key": "k", "value": "v", "effect": "NoSchedule"}


def _left(one: Plain, *given: Plain, by_priority: bool = False) -> dict[str, int]:
    whole = federation([one], list(given))
    there = [(w, w.size) for w in whole.workloads]
    return left_over(whole.clusters[0], there, by_priority=by_priority)


def test_a_sum_is_not_a_node() -> None:
    """Replicas of 3 and 3 and 2 CPU: the last finds no node among two of 4."""
    two = cluster("c", node_class(count=2))
    assert _left(two, workload("v", 1, cpu=2), workload("w", 2, cpu=3)) == {"default/v": 1}


def test_the_largest_go_first() -> None:
    """Replicas of 1 CPU first would leave no room for 4: so they do not."""
    two = cluster("c", node_class(count=2))
    assert _left(two, workload("a", 4, cpu=1), workload("b", 1, cpu=4)) == {}


def test_pods_are_counted() -> None:
    """A node for two pods takes two."""
    assert _left(cluster("c", node_class(pods=2)), workload("w", 3, cpu="1m")) == {"default/w": 1}


def test_what_others_use_is_spread_evenly() -> None:
    """Six CPU in use over two nodes leave one on each: two CPU fit nowhere."""
    used = cluster("c", node_class(count=2, inUse={"cpu": "6"}))
    assert _left(used, workload("w", 1, cpu=2)) == {"default/w": 1}
    assert _left(used, workload("w", 2, cpu=1)) == {}


def test_node_taints_and_models() -> None:
    """Only who tolerates the nodes' taint goes there, and only on the model asked for."""
    nodes = cluster("c", node_class(gpu=4, model="L40S", taints=[_TAINT]))
    gpu = {"request": {"nvidia.com/gpu": "1"}}
    tolerant = {**gpu, "tolerations": [{**_TAINT, "operator": "Equal"}]}
    assert _left(nodes, workload("w", 1, **gpu)) == {"default/w": 1}
    assert _left(nodes, workload("w", 1, **tolerant)) == {}
    other = workload("w", 1, **tolerant, acceleratorModels=["H100"])
    assert _left(nodes, other) == {"default/w": 1}


def test_plain_pods_leave_the_gpu_nodes_alone() -> None:
    """A pod without a GPU takes the plain node, so that the one with a GPU stays free."""
    nodes = cluster("c", node_class("gpu", gpu=1), node_class("plain"))
    job = workload("v", 1, cpu=3, request={"nvidia.com/gpu": "1"})
    assert _left(nodes, workload("w", 1, cpu=4), job) == {}


@pytest.mark.parametrize(("by_priority", "left"), [(False, "critical"), (True, "batch")])
def test_priority(by_priority: bool, left: str) -> None:
    """By priority the large batch job gives way to the small critical one; else it goes first."""
    critical = workload("critical", 1, cpu=2, **{"class": "critical"})
    batch = workload("batch", 1, cpu=3, **{"class": "batch"})
    assert _left(cluster("c"), critical, batch, by_priority=by_priority) == {f"default/{left}": 1}
