"""Whether replicas fit the nodes of a cluster, whole replicas on whole nodes.

Owns a constructive proof by first-fit decreasing (Johnson, Near-optimal bin packing algorithms,
1973): what it places, fits. What it leaves may still fit in some cleverer way; the engine takes
it as not fitting, since the scheduler of the cluster is no cleverer.

The largest replicas go first; where somebody must give way, in order of priority, so that what is
left out is what would be preempted. What others use of a node class is taken to be spread evenly
over its nodes.

Arithmetic is exact, in whole numbers: Kubernetes keeps no quantity finer than 1e-9.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from decimal import Decimal

from placement.division import filters as karmada
from placement.federation.cluster import Cluster, NodeClass
from placement.federation.workload import Workload
from placement.quantity import parse_quantity
from placement.state import taints, tolerations

PRIORITY = {"critical": 0, "standard": 1, "batch": 2}
"""Rank of the classes: the PriorityClass order in every member."""


_NANO = 10**9
"""The finest part of a quantity."""


class Nodes:
    """The nodes of a cluster, filled one workload after the other, each by first fit.

    Nodes of a class that are equally full stand together as a run, so that the work does not grow
    with the nodes.
    """

    def __init__(self, cluster: Cluster) -> None:
        """Nothing of ours is on them."""
        self._classes = [c for c in cluster.node_classes if c.count]
        # By class, runs of (nodes, what is free of each times the nodes of the class).
        self._runs: list[list[tuple[int, dict[str, int]]]] = [
            [(c.count, _free(c))] for c in self._classes
        ]
        self._largest: dict[str, Decimal] = {}
        for node_class in self._classes:
            for resource in node_class.allocatable:
                amount = _per_node(node_class, resource)
                self._largest[resource] = max(amount, self._largest.get(resource, amount))

    def copy(self) -> "Nodes":
        """Nodes as full as these, to be filled further."""
        other = copy(self)
        other._runs = [list(runs) for runs in self._runs]
        return other

    def put(
        self, replicas: Sequence[tuple[Workload, int]], *, by_priority: bool = False
    ) -> dict[str, int]:
        """Place replicas, the largest first; those that find no node, by workload id.

        Args:
            replicas: how many of each workload.
            by_priority: whether critical workloads are placed before others, as preemption does.
        """
        left: dict[str, int] = {}
        for workload, count in sorted(replicas, key=lambda item: self._order(item[0], by_priority)):
            request = {r: int(a * _NANO) for r, a in request_of(workload).items()}
            remaining = count
            for index in _suitable(self._classes, workload):
                if remaining:
                    remaining = self._fill(index, request, remaining)
            if remaining:
                left[workload.id] = remaining
        return left

    def _fill(self, index: int, request: Mapping[str, int], replicas: int) -> int:
        """Place replicas on the nodes of a class, first fit; how many are left."""
        times = self._classes[index].count
        each = {resource: amount * times for resource, amount in request.items()}
        runs: list[tuple[int, dict[str, int]]] = []
        for nodes, free in self._runs[index]:
            room = min(free.get(resource, 0) // amount for resource, amount in each.items())
            if replicas == 0 or room <= 0:
                runs.append((nodes, free))
                continue
            full = min(nodes, replicas // room)
            if full:
                runs.append((full, _less(free, each, room)))
            rest = min(room, replicas - full * room) if full < nodes else 0
            if rest:
                runs.append((1, _less(free, each, rest)))
            untouched = nodes - full - (1 if rest else 0)
            if untouched:
                runs.append((untouched, free))
            replicas -= full * room + rest
        self._runs[index] = runs
        return replicas

    def _order(self, workload: Workload, by_priority: bool) -> tuple[int, Decimal, str]:
        """Most important first, then the one that takes most of a node."""
        largest = self._largest
        shares = [a / largest[r] for r, a in request_of(workload).items() if largest.get(r)]
        rank = PRIORITY[workload.class_] if by_priority else 0
        return rank, -max(shares, default=Decimal(0)), workload.id


def left_over(
    cluster: Cluster, replicas: Sequence[tuple[Workload, int]], *, by_priority: bool = False
) -> dict[str, int]:
    """Replicas that find no node of an empty *cluster*, by workload id; see ``Nodes.put``."""
    return Nodes(cluster).put(replicas, by_priority=by_priority)


def request_of(workload: Workload) -> dict[str, Decimal]:
    """What one replica takes of a node, by resource, itself as a pod included; no zeros."""
    amounts = {r: parse_quantity(a) for r, a in {"pods": "1", **workload.request}.items()}
    return {resource: amount for resource, amount in amounts.items() if amount}


def admits(node_class: NodeClass, workload: Workload) -> bool:
    """Whether a class takes the workload's pods, room aside: its taints, spot, the model."""
    models = workload.accelerator_models
    tolerated = karmada.untolerated(taints(node_class.taints), tolerations(workload)) is None
    lasting = workload.interruptible or not node_class.spot
    return tolerated and lasting and (not models or node_class.model in models)


def _free(node_class: NodeClass) -> dict[str, int]:
    """What is free of all nodes of the class, in billionths."""
    return {
        resource: int(
            (
                parse_quantity(total) * node_class.count
                - parse_quantity(node_class.in_use.get(resource, "0"))
            )
            * _NANO
        )
        for resource, total in node_class.allocatable.items()
    }


def _per_node(node_class: NodeClass, resource: str) -> Decimal:
    used = parse_quantity(node_class.in_use.get(resource, "0"))
    return parse_quantity(node_class.allocatable[resource]) - used / node_class.count


def _less(free: Mapping[str, int], each: Mapping[str, int], replicas: int) -> dict[str, int]:
    return {
        resource: amount - replicas * each.get(resource, 0) for resource, amount in free.items()
    }


def _suitable(classes: Sequence[NodeClass], workload: Workload) -> list[int]:
    """The classes that admit the workload, those with least that it does not ask for first."""
    asked = set(request_of(workload))
    unasked = {
        index: len(set(node_class.allocatable) - asked)
        for index, node_class in enumerate(classes)
        if admits(node_class, workload)
    }
    return sorted(unasked, key=lambda index: unasked[index])
