"""How much a workload asks for: its replicas, and the request of each."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import Decimal

from placement.division import webster
from placement.faults import Location
from placement.federation.federation import Federation
from placement.federation.workload import Range, Workload
from placement.quantity import parse_quantity
from placement.requirements.change import Change
from placement.requirements.requirement import Ladder, Requirement, Step, steps, text


def amounts(here: Location, workload: Workload) -> Iterator[Requirement]:
    """The number of replicas, then what each asks of each resource."""
    yield _replicas((*here, "replicas"), workload)
    for resource, amount in workload.request.items():
        if parse_quantity(amount):
            yield _request((*here, "request", resource), workload, resource, amount)


def most(workload: Workload) -> int:
    """Replicas that there may be, also if their number is left to the other requirements."""
    return max(workload.size, fewest(workload))


def fewest(workload: Workload) -> int:
    """The fewest replicas that the workload's own bounds allow, were their number free."""
    groups = max((wanted.least for wanted in workload.all_groups.values()), default=1)
    per = workload.per_cluster.min
    named = sum(max(least, per) for least in workload.at_least.values())
    bound = max(1, named, groups * per)
    if not hard_ratio(workload):
        return bound

    def clusters(total: int) -> int:
        return sum(count > 0 for count in webster(total, workload.weights).values())

    totals = range(bound, max(bound, workload.size) + 1)
    place = bisect_left(totals, min(groups, len(workload.weights)), key=clusters)
    return totals[min(place, len(totals) - 1)]


def hard_ratio(workload: Workload) -> bool:
    """Whether a wanted ratio is to be met exactly."""
    return bool(workload.weights) and workload.deviation_price is None


def _replicas(location: Location, workload: Workload) -> Requirement:
    """Their number: fewer, or as many as the bounds of the workload itself need."""
    given = workload.replicas
    size, least = workload.size, fewest(workload)
    free = (Change(location, _fewest_at(location)),)
    if isinstance(given, Range):
        read = f"{given.min} to {given.max}"
        lower = range(given.max - 1, max(given.min, least) - 1, -1)
        ladders = (
            Ladder([Range(min=given.min, max=most) for most in lower], _range(location, given)),
            Ladder(
                [Range(min=fewer, max=given.max) for fewer in range(given.min + 1, given.max + 1)],
                _range(location, given),
            ),
        )
        return Requirement(location, read, workload.id, free, ladders)
    totals = range(size - 1, least - 1, -1) if least <= size else (least,)
    ladder = steps(location, str(size), totals, float(size))
    return Requirement(location, str(size), workload.id, free, (ladder,))


def _range(location: Location, given: Range) -> Callable[[Range], Step]:
    def step(value: Range) -> Step:
        moved = abs(value.min - given.min) + abs(value.max - given.max)
        before, after = (f"{r.min} to {r.max}" for r in (given, value))
        return Step((Change(location, value),), location, before, after, moved / given.max)

    return step


def _fewest_at(location: Location) -> Callable[[Federation], int]:
    """For the workload whose replicas stand at *location*."""
    return lambda federation: fewest(federation.workloads[int(location[1])])


_GRAIN = {"cpu": (Decimal("0.1"), "m"), "memory": (Decimal(2**28), "Mi")}
"""By how much a request is lowered in a step, and the unit of what is not a whole core or GiB."""


def _request(location: Location, workload: Workload, resource: str, amount: str) -> Requirement:
    """What a replica asks for: less."""
    now = parse_quantity(amount)
    grain, unit = _GRAIN.get(resource, (Decimal(1), ""))
    while now <= grain and unit:
        grain /= 10

    def step(count: int) -> Step:
        value = count * grain
        less = _written(value, resource, unit)
        return Step((Change(location, less),), location, amount, less, float(1 - value / now))

    counts = range(-int(-now // grain) - 1, 0, -1)
    drop = (Change(location, "0"),)
    return Requirement(location, amount, workload.id, drop, (Ladder(counts, step),))


def _written(value: Decimal, resource: str, unit: str) -> str:
    """A quantity in cores or GiB if these are whole, else in *unit*."""
    large, suffix = (Decimal(2**30), "Gi") if resource == "memory" else (Decimal(1), "")
    if value % large == 0:
        return f"{text(value / large)}{suffix}"
    return f"{int(value / parse_quantity(f'1{unit}'))}{unit}"
