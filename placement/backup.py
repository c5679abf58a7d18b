"""Backups: where a workload goes when every cluster that it uses is lost.

Owns the choice. Karmada divides what is left of a workload over the clusters that its weights are
for; where none is left it goes to the next affinity term, without a look at capacity. So the term
names a cluster that is known to have room: the best by rank, in another region first, since a
region may be lost as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence

from placement.decision import PlacedWorkload
from placement.failure import divided_after
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import PRIORITY, Nodes


def backups(federation: Federation, placed: Sequence[PlacedWorkload]) -> dict[str, tuple[str, ...]]:
    """The backups of each workload that needs one and for which there is room.

    Room is what the loss of all the workload's clusters leaves, beside what runs there, what
    Karmada then moves, and the backups of more important workloads.

    Args:
        federation: what was decided on.
        placed: the decision's workloads.
    """
    workloads = {w.id: w for w in federation.workloads}
    regions = {cluster.name: cluster.region for cluster in federation.clusters}
    rooms = _Rooms(federation, {p.id: p.replicas for p in placed})
    chosen: dict[str, tuple[str, ...]] = {}
    for one in sorted(placed, key=lambda p: PRIORITY[workloads[p.id].class_]):
        workload = workloads[one.id]
        found: list[str] = []
        for name in _eligible(workload, one, regions):
            if rooms.take(workload, frozenset(one.replicas), name, chosen):
                found.append(name)
                if workload.backups is None:
                    break
        if found:
            chosen[one.id] = tuple(found)
    return chosen


def _eligible(
    workload: Workload, placed: PlacedWorkload, regions: Mapping[str, str]
) -> Iterator[str]:
    """The clusters that may be backups, the best first."""
    if workload.stateful or workload.division != "fixed" or not placed.replicas:
        return
    if workload.backups is None and len(placed.replicas) > 1:
        return
    ranked = [c.cluster for c in placed.candidates if c.cluster not in placed.replicas]
    if workload.backups is None:
        lost = {regions[name] for name in placed.replicas}
        names = sorted(ranked, key=lambda name: regions[name] in lost)
    else:
        names = [name for name in workload.backups if name in ranked]
    most = workload.per_cluster.max or workload.size
    for name in names:
        if min(most, workload.at_most.get(name, workload.size)) >= workload.size:
            yield name


class _Rooms:
    """What is free on a cluster when others are lost.

    Args:
        federation: what was decided on.
        counts: replicas by workload id and cluster.
    """

    def __init__(self, federation: Federation, counts: Mapping[str, Mapping[str, int]]) -> None:
        self._clusters = {cluster.name: cluster for cluster in federation.clusters}
        self._workloads = {w.id: w for w in federation.workloads}
        self._counts = counts
        self._there: dict[str, list[str]] = {}
        for name, there in counts.items():
            for cluster in there:
                self._there.setdefault(cluster, []).append(name)
        self._now: dict[str, Nodes | None] = {}
        self._after: dict[tuple[frozenset[str], str], Nodes | None] = {}

    def take(
        self,
        workload: Workload,
        lost: frozenset[str],
        name: str,
        chosen: Mapping[str, Sequence[str]],
    ) -> bool:
        """Put all of *workload* on the cluster *name* with *lost* gone, if there is room.

        Args:
            workload: which has lost all its clusters.
            lost: those clusters.
            name: the cluster that may take it.
            chosen: the backups so far.
        """
        key = lost, name
        if key not in self._after:
            self._after[key] = self._left(lost, name, chosen)
        nodes = self._after[key]
        if nodes is None:
            return False
        tried = nodes.copy()
        if tried.put([(workload, workload.size)]):
            return False
        self._after[key] = tried
        return True

    def _left(
        self, lost: frozenset[str], name: str, chosen: Mapping[str, Sequence[str]]
    ) -> Nodes | None:
        """The nodes of a cluster once Karmada has moved what is not wholly lost."""
        if name not in self._now:
            self._now[name] = self._filled(name)
        nodes = self._now[name]
        if nodes is None:
            return None
        coming: list[tuple[Workload, int]] = []
        for id_ in sorted({id_ for cluster in lost for id_ in self._there.get(cluster, ())}):
            before = self._counts[id_]
            # Who loses the same clusters comes by ``take``, in order of importance.
            backups = chosen.get(id_, ()) if frozenset(before) != lost else ()
            after = divided_after(self._workloads[id_], before, lost, backups)
            more = after.get(name, 0) - before.get(name, 0)
            if more > 0:
                coming.append((self._workloads[id_], more))
        nodes = nodes.copy()
        return None if nodes.put(coming) else nodes

    def _filled(self, name: str) -> Nodes | None:
        """The nodes of a cluster as they are filled now; None where something finds no place."""
        nodes = Nodes(self._clusters[name])
        there = [(self._workloads[i], self._counts[i][name]) for i in self._there.get(name, ())]
        return None if nodes.put(there) else nodes
