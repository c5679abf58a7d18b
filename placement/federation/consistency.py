"""What must hold between the parts of a federation file.

Owns the rules that no single part can check: names that must exist, currencies that must convert,
bases that must not be mixed. Each is a fault at the place where the user can mend it.
"""

from collections import Counter
from collections.abc import Iterator

from placement.faults import Location
from placement.federation.base import Money
from placement.federation.between import budgets, neighbours
from placement.federation.facts import Egress, Price
from placement.federation.federation import Federation


def faults(federation: Federation) -> Iterator[tuple[Location, str]]:
    """What is wrong between the parts: the location in the file, and the message."""
    yield from _clusters(federation)
    yield from _prices(federation)
    yield from _bases(federation)
    yield from _latency(federation)
    yield from _carbon(federation)
    yield from _workloads(federation)
    yield from _money(federation)
    yield from neighbours(federation)
    yield from budgets(federation)


def _twice(names: list[str]) -> Iterator[tuple[int, str]]:
    counts = Counter(names)
    seen: set[str] = set()
    for index, name in enumerate(names):
        if counts[name] > 1 and name in seen:
            yield index, name
        seen.add(name)


def _clusters(federation: Federation) -> Iterator[tuple[Location, str]]:
    if not federation.clusters:
        yield ("clusters",), "read none; allowed at least one, here or published by a compute stack"
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
            allowed = (
                f"a node class of it: {', '.join(known)}" if known else "a cluster of this file"
            )
            yield (*here, "cluster"), f"read {price.cluster}/{price.node_class}; allowed {allowed}"
        if key in seen:
            yield (*here, "nodeClass"), f"read a second price of {'/'.join(key)}; allowed one"
        seen.add(key)
    for index, fact in enumerate(federation.exchange):
        if fact.from_ == fact.to:
            yield ("exchange", index, "to"), f"read {fact.to} twice; allowed two currencies"


def _bases(federation: Federation) -> Iterator[tuple[Location, str]]:
    """Every price of the world is in a currency that converts, on the objective's VAT basis."""
    prices: list[tuple[Location, Price | Egress]] = [
        *((("prices", i), price) for i, price in enumerate(federation.prices)),
        *((("egress", i), price) for i, price in enumerate(federation.egress)),
    ]
    for here, price in prices:
        if federation.rate(price.currency) is None:
            yield (
                (*here, "currency"),
                (
                    f"read {price.currency}, which nothing under exchange turns into "
                    f"{federation.objective.currency}; allowed {federation.objective.currency}, "
                    "or any currency with a dated rate under exchange"
                ),
            )
        if price.vat != federation.objective.vat:
            yield (
                (*here, "vat"),
                (
                    f"read {price.vat} where objective.vat is {federation.objective.vat}; "
                    "allowed one basis throughout: convert the amount"
                ),
            )


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
                    (
                        f"unknown region {region!r}; "
                        "allowed a region of a cluster, of demand or of data: "
                        f"{', '.join(sorted(regions | outside))}"
                    ),
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
                    (
                        f"read {demand.region!r}, of which no latency is known; "
                        "allowed a region under latency.sites"
                    ),
                )


def _carbon(federation: Federation) -> Iterator[tuple[Location, str]]:
    facts = federation.carbon.intensity
    for index, name in _twice([f.region for f in facts]):
        yield (
            ("carbon", "intensity", index),
            f"read {name!r} a second time; allowed each region once",
        )
    for index, fact in enumerate(facts):
        if fact.basis != facts[0].basis:
            yield (
                ("carbon", "intensity", index, "basis"),
                f"read {fact.basis} beside {facts[0].basis}; allowed one basis throughout",
            )
    power = [f"{p.resource} {p.model or ''}".strip() for p in federation.carbon.power]
    for index, name in _twice(power):
        yield ("carbon", "power", index), f"read {name!r} a second time; allowed each once"


def _workloads(federation: Federation) -> Iterator[tuple[Location, str]]:
    names = {c.name for c in federation.clusters}
    known = f"a cluster of this file: {', '.join(sorted(names))}"
    for index, name in _twice([w.id for w in federation.workloads]):
        yield ("workloads", index, "name"), f"read {name!r} a second time; allowed each once"
    objects: set[tuple[str, str, str, str]] = set()
    for i, workload in enumerate(federation.workloads):
        here: Location = ("workloads", i)
        if workload.template is not None:
            template = workload.template
            key = (template.api_version, template.kind, workload.namespace, template.name)
            if key in objects:
                message = f"read {' '.join(key)} a second time; allowed one workload an object"
                yield (*here, "template"), message
            objects.add(key)
        named: list[tuple[Location, str]] = [
            *(((*here, "weights", n), n) for n in workload.weights),
            *(((*here, "atLeast", n), n) for n in workload.at_least),
            *(((*here, "atMost", n), n) for n in workload.at_most),
            *(((*here, "backups", k), n) for k, n in enumerate(workload.backups or ())),
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
        if least > workload.smallest:
            yield (
                (*here, "atLeast"),
                (
                    f"adds up to {least} with {workload.smallest} replicas; "
                    "allowed no more than there are at any time"
                ),
            )


def _money(federation: Federation) -> Iterator[tuple[Location, str]]:
    """Every amount is in a currency that something turns into the objective's."""
    amounts: list[tuple[Location, Money | None]] = [
        *(
            (("workloads", i, "deviationPrice"), w.deviation_price)
            for i, w in enumerate(federation.workloads)
        ),
        *(
            (("workloads", i, "spread", level, "missingPrice"), groups.missing_price)
            for i, w in enumerate(federation.workloads)
            for level, groups in w.spread.items()
        ),
        *((("budgets", i, "money"), b.money) for i, b in enumerate(federation.budgets)),
        (("objective", "moves", "threshold"), federation.objective.moves.threshold),
    ]
    for here, money in amounts:
        if money is not None and federation.rate(money.currency) is None:
            yield (
                (*here, "currency"),
                (
                    f"read {money.currency}, which nothing under exchange turns into "
                    f"{federation.objective.currency}"
                ),
            )
