"""What happens when a cluster or a region is lost, and when, in seconds from its last heartbeat.

Owns the timeline. What Karmada then makes of each workload stands in the decision.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from placement.decision import Decision
from placement.emit import DETECTION
from review.changes import Division

_WORKERS: Final = 3
"""Karmada's eviction workers: each evicts one workload at once, then rests."""

_PAUSE: Final = 2.0
"""Seconds between two evictions of one worker: ``--resource-eviction-rate`` 0.5 a second."""


@dataclass(frozen=True)
class Loss:
    """A cluster or a region that is lost.

    Attributes:
        lost: ``cluster/NAME`` or ``region/NAME``.
        workloads: that use it.
        moved: replicas that Karmada brings elsewhere.
        pending: replicas that then find no place, by workload id.
        pending_before: how many found no place under the last decision; None without one.
        stays: stateful workloads, whose lost replicas wait for it.
        detected: seconds until Karmada knows.
        first: seconds until the first workload is evicted; None where none is.
        last: seconds until the last one is.
    """

    lost: str
    workloads: int
    moved: int
    pending: Mapping[str, int]
    pending_before: int | None
    stays: tuple[str, ...]
    detected: int
    first: float | None
    last: float | None


def losses(
    before: Decision | None,
    after: Decision,
    divisions: Mapping[str, Division],
    regions: Mapping[str, str],
) -> tuple[Loss, ...]:
    """What each loss brings that touches a workload, clusters first.

    A region of one cluster is left out: it is lost with that cluster.

    Args:
        before: the last decision, if there was one.
        after: the new one.
        divisions: how long each workload's policy tolerates a lost cluster.
        regions: of each cluster.
    """
    sizes = Counter(regions.values())
    alone = {f"region/{region}" for region, size in sizes.items() if size == 1}
    names = {entry.lost for workload in after.workloads for entry in workload.after_loss}
    return tuple(_loss(name, before, after, divisions, regions) for name in sorted(names - alone))


def _loss(
    name: str,
    before: Decision | None,
    after: Decision,
    divisions: Mapping[str, Division],
    regions: Mapping[str, str],
) -> Loss:
    kind, _, place = name.partition("/")
    gone = {place} if kind == "cluster" else {c for c, region in regions.items() if region == place}
    touched = [w for w in after.workloads if any(entry.lost == name for entry in w.after_loss)]
    tolerated: list[int] = []
    stays: list[str] = []
    moved = 0
    for workload in touched:
        seconds = divisions[workload.id].tolerated if workload.id in divisions else 0
        if seconds is None:
            stays.append(workload.id)
            continue
        tolerated.append(seconds)
        entry = next(e for e in workload.after_loss if e.lost == name)
        moved += sum(
            max(0, count - workload.replicas.get(cluster, 0))
            for cluster, count in entry.replicas.items()
            if cluster not in gone
        )
    times = evictions(tolerated)
    return Loss(
        lost=name,
        workloads=len(touched),
        moved=moved,
        pending=_pending(after, name),
        pending_before=None if before is None else sum(_pending(before, name).values()),
        stays=tuple(stays),
        detected=DETECTION,
        first=min(times, default=None),
        last=max(times, default=None),
    )


def evictions(tolerated: Iterable[int]) -> list[float]:
    """When each workload is evicted, in seconds from the last heartbeat, in order.

    The workers take what is due in the order of its time, and each rests between two evictions.

    Args:
        tolerated: seconds that each workload bears the taint of a lost cluster.
    """
    free = [0.0] * _WORKERS
    times: list[float] = []
    for due in sorted(DETECTION + seconds for seconds in tolerated):
        start = max(float(due), heapq.heappop(free))
        heapq.heappush(free, start + _PAUSE)
        times.append(start)
    return times


def _pending(decision: Decision, lost: str) -> dict[str, int]:
    return {
        workload.id: entry.pending
        for workload in decision.workloads
        for entry in workload.after_loss
        if entry.lost == lost and entry.pending
    }
