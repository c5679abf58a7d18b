"""What the clusters of a federation file limit: capacity, what stays free, taints, readiness."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil

from placement.faults import Location
from placement.federation.cluster import Cluster, NodeClass
from placement.federation.federation import Federation
from placement.quantity import parse_quantity
from placement.requirements.amounts import most
from placement.requirements.change import Change
from placement.requirements.requirement import (
    Ladder,
    Requirement,
    Step,
    dropping,
    steps,
)


def of_clusters(federation: Federation) -> Iterator[Requirement]:
    """The limits of every cluster, in the order of the file."""
    asked = _asked(federation)
    for index, cluster in enumerate(federation.clusters):
        here: Location = ("clusters", index)
        if cluster.taints:
            yield _simple((*here, "taints"), _taints(cluster), cluster)
        for k, node_class in enumerate(cluster.node_classes):
            yield from _node_class((*here, "nodeClasses", k), asked, cluster, node_class)
        if cluster.headroom:
            percent = range(int(cluster.headroom * 100) - 1, -1, -1)
            location = (*here, "headroom")
            now = float(cluster.headroom)
            drop, _ = dropping(location, str(cluster.headroom))
            values = [Decimal(p) / 100 for p in percent] or [Decimal(0)]
            ladder = steps(location, str(cluster.headroom), values, now)
            yield Requirement(location, str(cluster.headroom), cluster.name, drop, (ladder,))
        for resource, amount in cluster.reserve.items():
            yield _simple((*here, "reserve", resource), amount, cluster)
        for key, flag, free in (
            ("ready", cluster.ready, True),
            ("cordoned", cluster.cordoned, False),
            ("drained", cluster.drained, False),
        ):
            if flag is not free:
                yield _flag((*here, key), cluster, free=free)


def _flag(location: Location, cluster: Cluster, *, free: bool) -> Requirement:
    """A switch that keeps replicas off the cluster, and its other position *free*."""
    changes = (Change(location, free),)
    read, after = str(not free).lower(), str(free).lower()
    ladder = Ladder((None,), lambda _: Step(changes, location, read, after, 1.0))
    return Requirement(location, read, cluster.name, changes, (ladder,))


def _simple(location: Location, read: str, cluster: Cluster) -> Requirement:
    """A key that is kept or dropped."""
    drop, ladder = dropping(location, read)
    return Requirement(location, read, cluster.name, drop, (ladder,))


def _taints(owner: Cluster | NodeClass) -> str:
    return ", ".join(f"{t.key}={t.value or ''}:{t.effect}" for t in owner.taints)


@dataclass
class _Asked:
    """What all workloads together ask of a resource.

    Attributes:
        total: the sum.
        replicas: how many replicas ask for it, by how much, as the file writes it.
    """

    total: Decimal = Decimal(0)
    replicas: Counter[str] = field(default_factory=Counter)


def _asked(federation: Federation) -> dict[str, _Asked]:
    """What is asked of each resource, by its name; a replica is also one pod."""
    found: dict[str, _Asked] = defaultdict(_Asked)
    for workload in federation.workloads:
        count = most(workload)
        for resource, amount in {"pods": "1", **workload.request}.items():
            each = parse_quantity(amount)
            if each:
                found[resource].total += each * count
                found[resource].replicas[amount] += count
    return found


def _node_class(
    here: Location, asked: dict[str, _Asked], cluster: Cluster, node_class: NodeClass
) -> Iterator[Requirement]:
    """The capacity of each resource; a class without nodes has none to speak of."""
    if node_class.taints:
        yield _simple((*here, "taints"), _taints(node_class), cluster)
    if node_class.spot:
        location = (*here, "spot")
        drop, _ = dropping(location, "true")
        yield Requirement(location, "true", cluster.name, drop)
    if not node_class.count:
        return
    for resource, amount in node_class.allocatable.items():
        if resource not in asked:
            continue
        location = (*here, "allocatable", resource)
        read = f"{node_class.count} nodes of {amount}" if node_class.count > 1 else amount
        of_all = asked[resource]
        enough = Change(location, _enough(of_all.total, cluster, node_class, resource))
        ladders = (
            _more_nodes(here, of_all, cluster, node_class, resource),
            _larger_nodes(here, of_all, cluster, node_class, resource),
        )
        yield Requirement(location, read, cluster.name, (enough,), ladders)


def _enough(total: Decimal, cluster: Cluster, node_class: NodeClass, resource: str) -> str:
    """As much on each node as all workloads ask for together, whatever else is to stay free."""
    used = parse_quantity(node_class.in_use.get(resource, "0"))
    kept = parse_quantity(cluster.reserve.get(resource, "0"))
    now = parse_quantity(node_class.allocatable[resource])
    return str(max(ceil((total + used + kept) / (1 - cluster.headroom)), ceil(now)))


def _more_nodes(
    here: Location, asked: _Asked, cluster: Cluster, node_class: NodeClass, resource: str
) -> Ladder:
    """One node more, two, as many as there are replicas that ask for the resource."""
    location = (*here, "count")
    count = node_class.count
    amount = node_class.allocatable[resource]

    def step(more: int) -> Step:
        nodes = f"{more} node{'s' * (more > 1)}"
        note = f"{nodes} of {amount} {resource} more in {cluster.name}"
        changes = (Change(location, count + more),)
        return Step(changes, location, str(count), str(count + more), more / count, note)

    return Ladder(range(1, asked.replicas.total() + 1), step)


def _larger_nodes(
    here: Location, asked: _Asked, cluster: Cluster, node_class: NodeClass, resource: str
) -> Ladder:
    """Nodes on which a replica fits that fits none now: these, one more, two more."""
    location = (*here, "allocatable", resource)
    now = parse_quantity(node_class.allocatable[resource])
    larger = {text: n for text, n in asked.replicas.items() if parse_quantity(text) > now}
    size = max(larger, key=parse_quantity, default="0")

    def step(more: int) -> Step:
        count = node_class.count + more
        changes = (Change(location, size), Change((*here, "count"), count))
        note = f"{count} node{'s' * (count > 1)} of {size} {resource} in {cluster.name}"
        relative = float(parse_quantity(size) * count / (now * node_class.count)) - 1 if now else 1
        return Step(changes, location, node_class.allocatable[resource], size, relative, note)

    return Ladder(range(sum(larger.values())), step)
