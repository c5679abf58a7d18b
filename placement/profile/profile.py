"""The global resource profile: capacity, use, headroom, price, carbon and age, group by group.

Owns the sums. It decides nothing, and reads no clock: the day against which ages are counted is
given. What is unknown of a part is unknown of the whole, never left out of a sum.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from placement.decision import Decision
from placement.federation import Cluster, Federation
from placement.federation.cluster import NodeClass
from placement.quantity import parse_quantity

Level = Literal["continent", "region", "cluster", "accelerator"]
LEVELS: tuple[Level, ...] = ("continent", "region", "cluster", "accelerator")

_PLAIN = ("cpu", "memory", "pods")


@dataclass(frozen=True)
class Stock:
    """How much there is of one resource.

    Attributes:
        capacity: what pods may use, in the resource's own unit: cores, bytes, pieces.
        used: by what is not this project's, and by the decision where one is given; None where
            the nodes that it is on cannot be told.
    """

    capacity: Decimal
    used: Decimal | None

    @property
    def headroom(self) -> Decimal | None:
        """What is left; below 0 where more is used than there is."""
        return None if self.used is None else self.capacity - self.used


@dataclass(frozen=True)
class Group:
    """Clusters, or nodes with one kind of accelerator, as one.

    Attributes:
        level: what they have in common.
        name: the continent, the region, the cluster, or the accelerator's model.
        clusters: by name, in the order of the file.
        nodes: how many.
        stocks: by resource.
        price: of all nodes, in the objective's currency a month; None where one is unknown.
        intensity: gCO2e/kWh of the cleanest and of the dirtiest grid; None where one is unknown.
        oldest: the day of the oldest price or intensity among them; None where there is none.
    """

    level: Level
    name: str
    clusters: tuple[str, ...]
    nodes: int
    stocks: Mapping[str, Stock]
    price: Decimal | None
    intensity: tuple[Decimal, Decimal] | None
    oldest: date | None

    def age(self, now: date) -> int | None:
        """Days from the oldest fact to *now*."""
        return None if self.oldest is None else (now - self.oldest).days


def profile(federation: Federation, decision: Decision | None = None) -> tuple[Group, ...]:
    """The groups of every level, in the order of the file.

    Args:
        federation: the facts.
        decision: whose replicas count as use beside what the file says is in use.
    """
    return tuple(
        _group(level, name, parts, federation, decision)
        for level in LEVELS
        for name, parts in _parts(level, federation).items()
    )


_Part = tuple[Cluster, tuple[NodeClass, ...]]
"""A cluster, and those of its nodes that count."""


def _parts(level: Level, federation: Federation) -> dict[str, list[_Part]]:
    found: dict[str, list[_Part]] = {}
    for cluster in federation.clusters:
        if level == "accelerator":
            for model, classes in _by_model(cluster).items():
                found.setdefault(model, []).append((cluster, classes))
        else:
            name = cluster.name if level == "cluster" else str(getattr(cluster, level))
            found.setdefault(name, []).append((cluster, cluster.node_classes))
    return found


def _by_model(cluster: Cluster) -> dict[str, tuple[NodeClass, ...]]:
    """The node classes with accelerators, by model; without one, by resource name."""
    found: dict[str, tuple[NodeClass, ...]] = {}
    for node_class in cluster.node_classes:
        names = sorted(_accelerators([node_class]))
        if names:
            model = node_class.model or " ".join(names)
            found[model] = (*found.get(model, ()), node_class)
    return found


def _accelerators(classes: Sequence[NodeClass]) -> set[str]:
    """Their extended resources, which alone have a domain in their name."""
    return {name for each in classes for name in each.allocatable if "/" in name}


def _group(
    level: Level,
    name: str,
    parts: Sequence[_Part],
    federation: Federation,
    decision: Decision | None,
) -> Group:
    classes = [each for _, chosen in parts for each in chosen]
    resources = (*_PLAIN, *sorted(_accelerators(classes)))
    return Group(
        level=level,
        name=name,
        clusters=tuple(cluster.name for cluster, _ in parts),
        nodes=sum(each.count for each in classes),
        stocks={r: _stock(r, parts, federation, decision) for r in resources},
        price=_sum(_price(federation, c.name, each) for c, chosen in parts for each in chosen),
        intensity=_intensity(federation, [cluster.region for cluster, _ in parts]),
        oldest=min(_days(federation, parts), default=None),
    )


def _stock(
    resource: str, parts: Sequence[_Part], federation: Federation, decision: Decision | None
) -> Stock:
    capacity = sum((each.total(resource) for _, chosen in parts for each in chosen), Decimal(0))
    others = [
        parse_quantity(each.in_use.get(resource, "0")) for _, chosen in parts for each in chosen
    ]
    ours = (
        _decided(resource, cluster, chosen, federation, decision.counts)
        for cluster, chosen in parts
        if decision is not None
    )
    used = _sum(ours)
    return Stock(capacity, None if used is None else used + sum(others, Decimal(0)))


def _decided(
    resource: str,
    cluster: Cluster,
    chosen: Sequence[NodeClass],
    federation: Federation,
    counts: Mapping[str, Mapping[str, int]],
) -> Decimal | None:
    """What replicas ask for on some nodes of a cluster; which nodes, a decision does not say."""
    total = Decimal(0)
    for workload in federation.workloads:
        replicas = counts.get(workload.id, {}).get(cluster.name, 0)
        request = {**workload.request, "pods": "1"}.get(resource)
        if replicas and request is not None:
            total += parse_quantity(request) * replicas
    elsewhere = len(chosen) < len(cluster.node_classes)
    return None if total and elsewhere and _others_have(resource, cluster, chosen) else total


def _others_have(resource: str, cluster: Cluster, chosen: Sequence[NodeClass]) -> bool:
    return any(each.total(resource) for each in cluster.node_classes if each not in chosen)


def _price(federation: Federation, cluster: str, node_class: NodeClass) -> Decimal | None:
    for fact in federation.prices:
        if (fact.cluster, fact.node_class) == (cluster, node_class.name):
            rate = federation.rate(fact.currency)
            return None if rate is None else fact.per_month * rate * node_class.count
    return None


def _intensity(federation: Federation, regions: Sequence[str]) -> tuple[Decimal, Decimal] | None:
    known = {i.region: i.grams_per_kilowatt_hour for i in federation.carbon.intensity}
    found = [known.get(region) for region in regions]
    grams = [each for each in found if each is not None]
    return None if len(grams) < len(found) else (min(grams), max(grams))


def _days(federation: Federation, parts: Sequence[_Part]) -> Iterator[date]:
    nodes = {(cluster.name, each.name) for cluster, chosen in parts for each in chosen}
    regions = {cluster.region for cluster, _ in parts}
    yield from (p.date for p in federation.prices if (p.cluster, p.node_class) in nodes)
    yield from (i.date for i in federation.carbon.intensity if i.region in regions)


def _sum(parts: Iterator[Decimal | None]) -> Decimal | None:
    total = Decimal(0)
    for part in parts:
        if part is None:
            return None
        total += part
    return total
