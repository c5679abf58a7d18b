"""Exact cuts: counts that the check has shown not to fit, shut out and nothing else.

Owns the boxes. A box gives each of some sums of replicas (a workload on a cluster) a range; a
placement must leave at least one of the ranges. Where a cluster is crowded, the box is grown as
long as the packing itself shows that none of its points fits, so that few cuts go a long way;
where a workload falls short below its maximum, as long as the division shows it; where a promise
is broken after a loss, it is the one placement. Unlike the cuts of ``tighten.py`` these exclude no
right answer, so bounds with them hold; but they are many.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from placement.check import RULE, Violation, every_total
from placement.failure import Counts
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.filter import Candidate
from placement.packing import left_over

_POINTS = 300
"""The most packings that are tried to grow a box in one direction."""


@dataclass(frozen=True)
class Box:
    """Ranges of replicas by (workload id, cluster), of which a placement must leave one."""

    ranges: Mapping[tuple[str, str], tuple[int, int]]


def forbidden(
    federation: Federation,
    taken: Sequence[Sequence[Candidate]],
    counts: Counts,
    found: Sequence[Violation],
) -> tuple[Box, ...]:
    """A box for each workload that falls short below its maximum or for each crowded cluster.

    For a broken promise, one of the placement itself.
    """
    short = [v for v in found if v.rule.startswith(RULE)]
    if short:
        return tuple(_short(federation, taken, counts, violation) for violation in short)
    crowded = [v.cluster for v in found if v.rule == "capacity" and v.cluster is not None]
    if crowded:
        return tuple(_crowded(federation, taken, counts, name) for name in crowded)
    return (_point(federation, taken, counts, [w.id for w in federation.workloads]),)


def _point(
    federation: Federation,
    taken: Sequence[Sequence[Candidate]],
    counts: Counts,
    names: Sequence[str],
) -> Box:
    """The counts of the named workloads, and nothing else."""
    return Box(
        {
            (workload.id, candidate.cluster.name): 2
            * (counts[workload.id].get(candidate.cluster.name, 0),)
            for workload, candidates in zip(federation.workloads, taken, strict=True)
            if workload.id in names
            for candidate in candidates
        }
    )


def _short(
    federation: Federation,
    taken: Sequence[Sequence[Candidate]],
    counts: Counts,
    violation: Violation,
) -> Box:
    """The counts of the workloads that fall short below their maximum; of one alone, grown."""
    point = _point(federation, taken, counts, violation.workloads)
    if len(violation.workloads) > 1:
        return point
    (name,) = violation.workloads
    workload = next(w for w in federation.workloads if w.id == name)
    clusters = [cluster for _, cluster in point.ranges]

    def fits(replicas: Sequence[int]) -> bool:
        there = {c: n for c, n in zip(clusters, replicas, strict=True) if n}
        placed = sum(there.values()) == workload.size
        return placed and not any(every_total(federation, workload, there))

    return _grown(point, [workload.size] * len(clusters), fits)


def _crowded(
    federation: Federation, taken: Sequence[Sequence[Candidate]], counts: Counts, name: str
) -> Box:
    """The counts on a cluster that do not fit it together, grown."""
    cluster = federation.cluster(name)
    workloads = [
        workload
        for workload, candidates in zip(federation.workloads, taken, strict=True)
        if any(candidate.cluster.name == name for candidate in candidates)
    ]

    def fits(point: Sequence[int]) -> bool:
        there: list[tuple[Workload, int]] = [
            (w, n) for w, n in zip(workloads, point, strict=True) if n
        ]
        return not left_over(cluster, there)

    point = Box({(w.id, name): 2 * (counts[w.id].get(name, 0),) for w in workloads})
    return _grown(point, [w.size for w in workloads], fits)


def _grown(point: Box, most: Sequence[int], fits: Callable[[Sequence[int]], bool]) -> Box:
    """The box around *point*, range by range as far as none of its points fits.

    Args:
        point: where to begin.
        most: the largest sum of each range.
        fits: whether the counts, in the order of the ranges, may be a placement's.
    """
    ranges = list(point.ranges.values())
    for index, top in enumerate(most):
        low, high = ranges[index]
        while low > 0 and _none_fit(fits, ranges, index, (low - 1, low - 1)):
            low -= 1
            ranges[index] = (low, high)
        if high < top and _none_fit(fits, ranges, index, (high + 1, top)):
            ranges[index] = (low, top)
    return Box(dict(zip(point.ranges, ranges, strict=True)))


def _none_fit(
    fits: Callable[[Sequence[int]], bool],
    ranges: Sequence[tuple[int, int]],
    index: int,
    added: tuple[int, int],
) -> bool:
    """Whether no point fits that the box gains when the range at *index* gains *added*."""
    slab = [*ranges[:index], added, *ranges[index + 1 :]]
    if math.prod(high - low + 1 for low, high in slab) > _POINTS:
        return False
    return not any(fits(point) for point in product(*(range(a, b + 1) for a, b in slab)))
