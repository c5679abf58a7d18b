"""Whether replicas fit the nodes of a cluster, whole replicas on whole nodes.

Owns a constructive proof by first-fit decreasing (Johnson, Near-optimal bin packing algorithms,
1973): what it places, fits. What it leaves may still fit in some cleverer way; the engine takes
it as not fitting, since the scheduler of the cluster is no cleverer.

Replicas go in order of priority, so that what is left out is what would be preempted. What others
use of a node class is taken to be spread evenly over its nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from placement.division import filters as karmada
from placement.federation.cluster import Cluster, NodeClass
from placement.federation.workload import Workload
from placement.quantity import parse_quantity
from placement.state import taints, tolerations

PRIORITY = {"critical": 0, "standard": 1, "batch": 2}
"""Rank of the classes: the PriorityClass order in every member."""


@dataclass
class _Node:
    node_class: NodeClass
    free: dict[str, Decimal]


def left_over(
    cluster: Cluster, replicas: Sequence[tuple[Workload, int]], *, by_priority: bool = False
) -> dict[str, int]:
    """Replicas that find no node, by workload id; empty if all fit.

    Args:
        cluster: the cluster with its node classes.
        replicas: how many of each workload.
        by_priority: whether critical workloads are placed before others, as preemption does.
    """
    classes = [(c, _free(c)) for c in cluster.node_classes if c.count]
    nodes = [_Node(c, dict(free)) for c, free in classes for _ in range(c.count)]
    largest: dict[str, Decimal] = {}
    for _, free in classes:
        for resource, amount in free.items():
            largest[resource] = max(amount, largest.get(resource, amount))
    left: dict[str, int] = {}
    for workload, count in sorted(replicas, key=lambda item: _order(item[0], largest, by_priority)):
        request = request_of(workload)
        remaining = count
        for node in _suitable(nodes, workload):
            if not remaining:
                break
            room = min(int(node.free.get(r, Decimal(0)) / a) for r, a in request.items())
            placed = min(remaining, max(0, room))
            if placed:
                remaining -= placed
                for resource, amount in request.items():
                    node.free[resource] -= placed * amount
        if remaining:
            left[workload.id] = remaining
    return left


def request_of(workload: Workload) -> dict[str, Decimal]:
    """What one replica takes of a node, by resource, itself as a pod included; no zeros."""
    amounts = {r: parse_quantity(a) for r, a in {"pods": "1", **workload.request}.items()}
    return {resource: amount for resource, amount in amounts.items() if amount}


def _free(node_class: NodeClass) -> dict[str, Decimal]:
    return {
        resource: parse_quantity(total)
        - parse_quantity(node_class.in_use.get(resource, "0")) / max(1, node_class.count)
        for resource, total in node_class.allocatable.items()
    }


def _order(
    workload: Workload, largest: dict[str, Decimal], by_priority: bool
) -> tuple[int, Decimal, str]:
    """Most important first, then the one that takes most of a node."""
    shares = [amount / largest[r] for r, amount in request_of(workload).items() if largest.get(r)]
    rank = PRIORITY[workload.class_] if by_priority else 0
    return rank, -max(shares, default=Decimal(0)), workload.id


def _suitable(nodes: Sequence[_Node], workload: Workload) -> list[_Node]:
    """The nodes that the workload tolerates, those with least that it does not ask for first."""
    given = tolerations(workload)
    asked = set(request_of(workload))
    models = workload.accelerator_models
    unasked: dict[str, int] = {}
    for node_class in {node.node_class.name: node.node_class for node in nodes}.values():
        tolerated = karmada.untolerated(taints(node_class.taints), given) is None
        if tolerated and (not models or node_class.model in models):
            unasked[node_class.name] = len(set(node_class.allocatable) - asked)
    right = [node for node in nodes if node.node_class.name in unasked]
    return sorted(right, key=lambda node: unasked[node.node_class.name])
