"""Exact cuts: counts that the check has shown not to fit, shut out and nothing else.

Owns the boxes. A box gives each of some sums of replicas (a workload on a cluster) a range; a
placement must leave at least one of the ranges. Where a cluster is crowded, the box is grown as
long as the packing itself shows that none of its points fits, so that few cuts go a long way;
where a promise is broken after a loss, it is the one placement. Unlike the cuts of
``tighten.py`` these exclude no right answer, so bounds with them hold; but they are many.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from placement.check import Violation
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
    """A box for each crowded cluster; for a broken promise, one of the placement itself."""
    crowded = [v.cluster for v in found if v.rule == "capacity" and v.cluster is not None]
    if crowded:
        return tuple(_crowded(federation, taken, counts, name) for name in crowded)
    point = {
        (workload.id, candidate.cluster.name): 2
        * (counts[workload.id].get(candidate.cluster.name, 0),)
        for workload, candidates in zip(federation.workloads, taken, strict=True)
        for candidate in candidates
    }
    return (Box(point),)


def _crowded(
    federation: Federation, taken: Sequence[Sequence[Candidate]], counts: Counts, name: str
) -> Box:
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

    ranges = [(n, n) for n in (counts[w.id].get(name, 0) for w in workloads)]
    for index, workload in enumerate(workloads):
        low, high = ranges[index]
        while low > 0 and _none_fit(fits, ranges, index, (low - 1, low - 1)):
            low -= 1
            ranges[index] = (low, high)
        if high < workload.size and _none_fit(fits, ranges, index, (high + 1, workload.size)):
            ranges[index] = (low, workload.size)
    return Box({(w.id, name): r for w, r in zip(workloads, ranges, strict=True)})


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
