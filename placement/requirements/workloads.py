"""What the workloads of a federation file ask for, each by itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from placement.faults import Location
from placement.federation.federation import Federation
from placement.federation.intent import Groups, Neighbour
from placement.federation.workload import Workload
from placement.requirements.amounts import amounts, hard_ratio, most
from placement.requirements.change import GONE, Change
from placement.requirements.requirement import (
    Ladder,
    Requirement,
    Step,
    dropping,
    ending,
    steps,
    text,
)


def of_workloads(federation: Federation) -> Iterator[Requirement]:
    """The requirements of every workload, in the order of the file; the workload itself first."""
    naming = _naming(federation)
    for index, workload in enumerate(federation.workloads):
        here: Location = ("workloads", index)
        drop, ladder = dropping(here, workload.id)
        behind = (here, *naming.get(workload.id, ()))
        yield Requirement(here, workload.id, workload.id, drop, (ladder,), behind)
        yield from amounts(here, workload)
        for part in (_where, _spread, _bounds, _others, _users, _promises):
            yield from part(here, federation, workload)


def _naming(federation: Federation) -> dict[str, list[Location]]:
    """The keys by which others ask to be with a workload or apart from it, by its id."""
    found: dict[str, list[Location]] = {}
    for index, workload in enumerate(federation.workloads):
        for key, neighbours in _neighbours(workload):
            for k, neighbour in enumerate(neighbours):
                found.setdefault(neighbour.workload, []).append(("workloads", index, key, k))
    return found


def _neighbours(workload: Workload) -> Iterator[tuple[str, tuple[Neighbour, ...]]]:
    yield "workloadAffinity", workload.workload_affinity
    yield "workloadAntiAffinity", workload.workload_anti_affinity


def _where(here: Location, federation: Federation, workload: Workload) -> Iterator[Requirement]:
    """Which clusters and nodes will do."""
    models = workload.accelerator_models
    if models:
        yield _droppable((*here, "acceleratorModels"), " or ".join(models), workload)
    if hard_ratio(workload):
        ratio = ", ".join(f"{name} {n}" for name, n in workload.weights.items())
        yield _droppable((*here, "weights"), ratio, workload)
    for key, value in (
        ("labelSelector", workload.affinity.label_selector),
        ("fieldSelector", workload.affinity.field_selector),
        ("clusterNames", workload.affinity.cluster_names),
        ("exclude", workload.affinity.exclude),
    ):
        if value:
            read = ", ".join(value) if isinstance(value, tuple) else "a selector"
            yield _droppable((*here, "affinity", key), read, workload)
    if workload.residency:
        location = (*here, "residency")
        read = " or ".join(workload.residency)
        drop, dropped = dropping(location, read)
        others = sorted({c.jurisdiction for c in federation.clusters if c.jurisdiction})
        wider = tuple(
            Ladder((other,), _wider(location, workload.residency, other))
            for other in others
            if other not in workload.residency
        )
        yield Requirement(location, read, workload.id, drop, (*wider, dropped))


def _wider(location: Location, allowed: tuple[str, ...], other: str) -> Callable[[str], Step]:
    def step(_: str) -> Step:
        changes = (Change(location, (*allowed, other)),)
        return Step(changes, location, " or ".join(allowed), " or ".join((*allowed, other)), 0.9)

    return step


def _droppable(location: Location, read: str, workload: Workload) -> Requirement:
    drop, ladder = dropping(location, read)
    return Requirement(location, read, workload.id, drop, (ladder,))


def _spread(here: Location, federation: Federation, workload: Workload) -> Iterator[Requirement]:
    """Groups of each level, at least and at most."""
    if workload.spread_defaulted:
        location = (*here, "class")
        changes = (Change((*here, "acceptSingleContinent"), value=True),)
        read = "critical, so two continents by default"
        after = "critical with acceptSingleContinent"
        ladder = Ladder((None,), lambda _: Step(changes, location, read, after, 0.5))
        yield Requirement(location, read, workload.id, changes, (ladder,))
    for level, wanted in workload.spread.items():
        at = (*here, "spread", level)
        # A replica is in one group of each level, but for zones: a cluster may state none.
        if wanted.least > 1 or (wanted.least and level == "zone"):
            yield _least_groups(at, wanted, workload)
        if wanted.max_groups is not None:
            there = len({g for c in federation.clusters for g in c.groups(level)})
            values = range(wanted.max_groups + 1, there + 1)
            yield _number((*at, "maxGroups"), wanted.max_groups, values, workload)


def _least_groups(at: Location, wanted: Groups, workload: Workload) -> Requirement:
    location = (*at, "minGroups")
    now = wanted.min_groups
    fewer = steps(location, str(now), range(now - 1, 0, -1), float(now))
    ladders = [fewer] if len(fewer) else []
    if wanted.max_groups is None:
        none = (Change(at, GONE),)
        ladders.append(Ladder((None,), lambda _: Step(none, at, f"{now} or more", None, 1.0)))
    return Requirement(location, str(now), workload.id, (Change(location, 0),), tuple(ladders))


def _number(location: Location, now: int, values: Sequence[int], workload: Workload) -> Requirement:
    drop, _ = dropping(location, str(now))
    ladder = steps(location, str(now), values, float(now))
    return Requirement(location, str(now), workload.id, drop, (ladder,))


def _bounds(here: Location, _: Federation, workload: Workload) -> Iterator[Requirement]:
    """Replicas of any one cluster, and of clusters by name."""
    per, size = workload.per_cluster, most(workload)
    if per.min > 1:
        location = (*here, "perCluster", "min")
        yield _number(location, per.min, range(per.min - 1, 0, -1), workload)
    if per.max is not None:
        location = (*here, "perCluster", "max")
        yield _number(location, per.max, range(per.max + 1, size + 1), workload)
    for name, least in workload.at_least.items():
        location = (*here, "atLeast", name)
        yield _with_drop(location, least, range(least - 1, 0, -1), workload)
    for name, upper in workload.at_most.items():
        location = (*here, "atMost", name)
        yield _with_drop(location, upper, range(upper + 1, size + 1), workload)


def _with_drop(
    location: Location, now: int, values: Sequence[int], workload: Workload
) -> Requirement:
    """A bound that may be moved or, as a last step, dropped."""
    drop, _ = dropping(location, str(now))
    ladder = ending(steps(location, str(now), values, float(now)), location, str(now))
    return Requirement(location, str(now), workload.id, drop, (ladder,))


def _others(here: Location, _: Federation, workload: Workload) -> Iterator[Requirement]:
    """Workloads to be with and apart from."""
    for key, neighbours in _neighbours(workload):
        for k, neighbour in enumerate(neighbours):
            read = f"{neighbour.workload} by {neighbour.level}"
            yield _droppable((*here, key, k), read, workload)


def _users(here: Location, federation: Federation, workload: Workload) -> Iterator[Requirement]:
    """How near to users and to data."""
    limit = workload.latency_limit
    users = [d.region for d in workload.demand]
    regions = {c.region for c in federation.clusters}
    location = (*here, "latencyLimit")
    if limit is not None:
        pairs = [(user, region) for user in users for region in regions]
        yield _milliseconds(location, limit, _beyond(federation, pairs, limit), workload)
    if users:
        at = (*here, "demand")
        changes = (Change(at, GONE), Change(location, GONE))
        yield Requirement(at, ", ".join(users), workload.id, changes, (), (location,))
    for k, data in enumerate(workload.data):
        if data.rtt_limit is not None:
            pairs = [(region, data.region) for region in regions]
            times = _beyond(federation, pairs, data.rtt_limit)
            yield _milliseconds((*here, "data", k, "rttLimit"), data.rtt_limit, times, workload)


def _beyond(
    federation: Federation, pairs: Iterable[tuple[str, str]], limit: Decimal
) -> list[Decimal]:
    """The known round trips between *pairs* that are beyond *limit*, shortest first."""
    if federation.latency is None:
        return []
    known = {federation.latency.between(source, target) for source, target in pairs}
    return sorted(ms for each in known if each is not None and (ms := Decimal(str(each))) > limit)


def _milliseconds(
    location: Location, now: Decimal, times: Sequence[Decimal], workload: Workload
) -> Requirement:
    """A limit that may be moved to a round trip that is known or, as a last step, dropped."""
    read = f"{now} ms"
    drop, _ = dropping(location, read)

    def step(ms: Decimal) -> Step:
        changes = (Change(location, ms),)
        return Step(changes, location, read, f"{text(ms)} ms", float(ms / now) - 1)

    ladder = ending(Ladder(times, step), location, read)
    return Requirement(location, read, workload.id, drop, (ladder,))


def _promises(here: Location, _: Federation, workload: Workload) -> Iterator[Requirement]:
    """What is to survive which loss."""
    promise = workload.survive
    if promise is None:
        return
    location = (*here, "survive")
    read = f"{promise.keep} after the loss of any {promise.loss}"
    drop, dropped = dropping(location, read)
    weaker: list[Ladder] = []
    if promise.keep == "spread":
        at = (*location, "keep")
        weaker.append(steps(at, "spread", ("capacity",)))
    if promise.loss == "region":
        at = (*location, "loss")
        weaker.append(steps(at, "region", ("cluster",)))
    yield Requirement(location, read, workload.id, drop, (*weaker, dropped))
