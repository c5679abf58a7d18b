"""The whole federation file, and what must hold between its parts.

Owns the rules that no single part can check: names that must exist, currencies that must convert,
bases that must not be mixed. Each is a fault at the place where the user can mend it.
"""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from placement.federation.base import Model
from placement.federation.cluster import Cluster
from placement.federation.facts import Carbon, Exchange, Latency, Price
from placement.federation.objective import Classes, Objective, ServiceClassSettings
from placement.federation.workload import Workload

Location = tuple[str | int, ...]


class Federation(Model):
    """Clusters, facts about the world, workloads, and what is wanted of their placement."""

    api_version: Literal["federation/v1alpha1"]
    clusters: Annotated[tuple[Cluster, ...], Field(min_length=1)]
    latency: Latency | None = None
    prices: tuple[Price, ...] = ()
    carbon: Carbon = Carbon()
    exchange: tuple[Exchange, ...] = ()
    workloads: tuple[Workload, ...] = ()
    classes: Classes = {}
    objective: Objective = Objective()

    def cluster(self, name: str) -> Cluster:
        """The cluster of that name; KeyError where there is none."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        raise KeyError(name)

    def settings(self, workload: Workload) -> ServiceClassSettings:
        """What the workload's class says."""
        return self.classes.get(workload.class_, ServiceClassSettings())

    def rate(self, currency: str) -> Decimal | None:
        """What one unit of *currency* is in the objective's currency; None where unknown."""
        target = self.objective.currency
        if currency == target:
            return Decimal(1)
        for fact in self.exchange:
            if (fact.from_, fact.to) == (currency, target):
                return fact.rate
            if (fact.from_, fact.to) == (target, currency):
                return 1 / fact.rate
        return None


def faults(federation: Federation) -> Iterator[tuple[Location, str]]:
    """What is wrong between the parts: the location in the file, and the message."""
    yield from _clusters(federation)
    yield from _prices(federation)
    yield from _latency(federation)
    yield from _carbon(federation)
    yield from _workloads(federation)


def _twice(names: list[str]) -> Iterator[tuple[int, str]]:
    counts = Counter(names)
    seen: set[str] = set()
    for index, name in enumerate(names):
        if counts[name] > 1 and name in seen:
            yield index, name
        seen.add(name)


def _clusters(federation: Federation) -> Iterator[tuple[Location, str]]:
    for index, name in _twice([c.name for c in federation.clusters]):
        yield ("clusters", index, "name"), f"read {name!r} a second time; allowed each name once"
    for i, cluster in enumerate(federation.clusters):
        for k, name in _twice([n.name for n in cluster.node_classes]):
            yield (
                ("clusters", i, "nodeClasses", k, "name"),
                f"read {name!r} a second time in {cluster.name}; allowed each name once",
            )


def _prices(federation: Federation) -> Iterator[tuple[Location, str]]:
    classes = {(c.name, n.name) for c in federation.clusters for n in c.node_classes}
    seen: set[tuple[str, str]] = set()
    for index, price in enumerate(federation.prices):
        here: Location = ("prices", index)
        key = (price.cluster, price.node_class)
        if key not in classes:
            known = sorted(n for c, n in classes if c == price.cluster)
            allowed = f"a node class of it: {', '.join(known)}" if known else "a cluster of this file"
            yield (*here, "cluster"), f"read {price.cluster}/{price.node_class}; allowed {allowed}"
        if key in seen:
            yield (*here, "nodeClass"), f"read a second price of {'/'.join(key)}; allowed one"
        seen.add(key)
        if federation.rate(price.currency) is None:
            yield (
                (*here, "currency"),
                f"read {price.currency}, which nothing under exchange turns into "
                f"{federation.objective.currency}; allowed {federation.objective.currency}, "
                "or any currency with a dated rate under exchange",
            )
        if price.vat != federation.objective.vat:
            yield (
                (*here, "vat"),
                f"read {price.vat} where objective.vat is {federation.objective.vat}; "
                "allowed one basis throughout: convert the amount",
            )
    for index, fact in enumerate(federation.exchange):
        if fact.from_ == fact.to:
            yield ("exchange", index, "to"), f"read {fact.to} twice; allowed two currencies"


def _latency(federation: Federation) -> Iterator[tuple[Location, str]]:
    latency = federation.latency
    regions = {c.region for c in federation.clusters}
    outside = {d.region for w in federation.workloads for d in w.demand}
    outside |= {d.region for w in federation.workloads for d in w.data}
    if latency is not None:
        sites = {s.site for s in latency.sites.values()}
        for region in latency.sites:
            if region not in regions | outside:
                yield (
                    ("latency", "sites", region),
                    f"unknown region {region!r}; allowed a region of a cluster, demand or data: "
                    f"{', '.join(sorted(regions | outside))}",
                )
        for source, row in latency.round_trip.items():
            for target in row:
                for site in {source, target} - sites:
                    where: Location = ("latency", "roundTrip", source)
                    yield (
                        where if site == source else (*where, target),
                        f"unknown site {site!r}; allowed a site under latency.sites",
                    )
    for i, workload in enumerate(federation.workloads):
        for k, demand in enumerate(workload.demand):
            if latency is None or demand.region not in latency.sites:
                yield (
                    ("workloads", i, "demand", k, "region"),
                    f"read {demand.region!r}, of which no latency is known; "
                    "allowed a region under latency.sites",
                )


def _carbon(federation: Federation) -> Iterator[tuple[Location, str]]:
    facts = federation.carbon.intensity
    for index, name in _twice([f.region for f in facts]):
        yield ("carbon", "intensity", index), f"read {name!r} a second time; allowed each region once"
    for index, fact in enumerate(facts):
        if fact.basis != facts[0].basis:
            yield (
                ("carbon", "intensity", index, "basis"),
                f"read {fact.basis} beside {facts[0].basis}; allowed one basis throughout",
            )
    for index, name in _twice([p.resource for p in federation.carbon.power]):
        yield ("carbon", "power", index), f"read {name!r} a second time; allowed each resource once"


def _workloads(federation: Federation) -> Iterator[tuple[Location, str]]:
    names = {c.name for c in federation.clusters}
    known = f"a cluster of this file: {', '.join(sorted(names))}"
    for index, name in _twice([w.id for w in federation.workloads]):
        yield ("workloads", index, "name"), f"read {name!r} a second time; allowed each once"
    for i, workload in enumerate(federation.workloads):
        here: Location = ("workloads", i)
        named: list[tuple[Location, str]] = [
            *(((*here, "weights", n), n) for n in workload.weights),
            *(((*here, "atLeast", n), n) for n in workload.at_least),
            *(((*here, "atMost", n), n) for n in workload.at_most),
            *(
                ((*here, "affinity", key, k), n)
                for key, values in (
                    ("clusterNames", workload.affinity.cluster_names),
                    ("exclude", workload.affinity.exclude),
                )
                for k, n in enumerate(values)
            ),
        ]
        for location, name in named:
            if name not in names:
                yield location, f"unknown cluster {name!r}; allowed {known}"
        least = sum(workload.at_least.values())
        if least > workload.size:
            yield (
                (*here, "atLeast"),
                f"adds up to {least} of {workload.size} replicas; allowed no more than there are",
            )
        price = workload.deviation_price
        if price is not None and federation.rate(price.currency) is None:
            yield (
                (*here, "deviationPrice", "currency"),
                f"read {price.currency}, which nothing under exchange turns into "
                f"{federation.objective.currency}",
            )
