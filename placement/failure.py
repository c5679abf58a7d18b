"""What happens when a cluster or a region is lost.

Owns the prediction of what Karmada then does: the same weights are divided anew over the clusters
that are left (Webster, no look at capacity or spread), and whether the nodes there hold it, in
order of priority. It does not decide anything: ``check`` holds it against what was promised.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from placement.division import tie_proof_weights, webster
from placement.faults import FederationError
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import Nodes, left_over

Counts = Mapping[str, Mapping[str, int]]
"""Replicas by workload id and cluster."""


@dataclass(frozen=True)
class Loss:
    """A scope that may be lost.

    Attributes:
        kind: ``cluster`` or ``region``.
        name: of the cluster or region.
        clusters: what is lost with it.
    """

    kind: str
    name: str
    clusters: frozenset[str]


@dataclass(frozen=True)
class Aftermath:
    """The federation after a loss, once Karmada has divided anew.

    Attributes:
        loss: what was lost.
        counts: replicas by workload and cluster, for the workloads that the loss touches.
        pending: replicas without a node or without a cluster, by workload id, over all workloads.
        crowded: clusters whose nodes do not hold what Karmada puts there, with what is left over.
    """

    loss: Loss
    counts: dict[str, dict[str, int]]
    pending: dict[str, int]
    crowded: dict[str, dict[str, int]]


def losses(federation: Federation) -> Iterator[Loss]:
    """Each single cluster, then each region, also one of a single cluster."""
    for cluster in federation.clusters:
        yield Loss("cluster", cluster.name, frozenset({cluster.name}))
    regions: dict[str, set[str]] = {}
    for cluster in federation.clusters:
        regions.setdefault(cluster.region, set()).add(cluster.name)
    for region, names in regions.items():
        yield Loss("region", region, frozenset(names))


def divided_after(
    workload: Workload,
    counts: Mapping[str, int],
    lost: frozenset[str],
    backups: Sequence[str] = (),
) -> dict[str, int]:
    """Where the replicas are after Karmada has evicted them from *lost*.

    A stateful workload is not evicted without its owner's word: its lost replicas stay lost. Where
    nothing of *counts* is left, the first of the *backups* that is left takes all.

    Raises:
        FederationError: more replicas on more clusters than weights can divide without a tie.
    """
    left = {name: n for name, n in counts.items() if name not in lost}
    if workload.stateful or left == counts:
        return left
    if not left:
        total = sum(counts.values())
        return next(({name: total} for name in backups if name not in lost), {})
    try:
        weights = tie_proof_weights(counts)
    except ValueError as error:
        raise FederationError(f"{workload.id}: {error}") from None
    return webster(sum(counts.values()), {name: weights[name] for name in left})


@dataclass(frozen=True)
class Standing:
    """A placement as it stands, to be asked what each loss makes of it.

    Attributes:
        backups: by workload id, the clusters that take all of it where nothing else is left.
    """

    federation: Federation
    counts: Counts
    backups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def after(self, loss: Loss) -> Aftermath:
        """The federation after *loss*.

        What runs on a cluster that is left stays where it is, and what comes is put into the room
        beside it; where that is too little, replicas find their nodes anew in order of priority.
        """
        touched = {
            name: divided_after(
                self._workloads[name], self.counts[name], loss.clusters, self.backups.get(name, ())
            )
            for name in self._touched(loss)
        }
        pending: dict[str, int] = {}
        coming: dict[str, list[tuple[Workload, int]]] = {}
        for name, now in touched.items():
            before = self.counts[name]
            missing = sum(before.values()) - sum(now.values())
            if missing:
                pending[name] = missing
            for there, n in now.items():
                entry = (self._workloads[name], n - before.get(there, 0))
                coming.setdefault(there, []).append(entry)
        crowded: dict[str, dict[str, int]] = {}
        for cluster in self.federation.clusters:
            left = self._left(cluster, coming.get(cluster.name, ()), touched)
            if left:
                crowded[cluster.name] = left
                for name, count in left.items():
                    pending[name] = pending.get(name, 0) + count
        return Aftermath(loss, touched, dict(sorted(pending.items())), crowded)

    def _touched(self, loss: Loss) -> list[str]:
        """The workloads that the loss touches, in the order of the placement."""
        there = {name for cluster in loss.clusters for name in self._there.get(cluster, ())}
        return [name for name in self.counts if name in there]

    def _left(
        self,
        cluster: Cluster,
        coming: Sequence[tuple[Workload, int]],
        touched: Counts,
    ) -> dict[str, int]:
        """Replicas without a node once *coming* has come to a cluster, by workload id."""
        if not coming:
            return {}
        standing = self._nodes[cluster.name]
        if standing is not None and not standing.copy().put(
            [(workload, n) for workload, n in coming if n], by_priority=True
        ):
            return {}
        before = self._there.get(cluster.name, {})
        now = {name: touched[name].get(cluster.name, 0) for name in touched}
        names = [n for n in self.counts if now.get(n, before.get(n, 0))]
        return left_over(
            cluster,
            [(self._workloads[n], now.get(n, before.get(n, 0))) for n in names],
            by_priority=True,
        )

    @cached_property
    def _workloads(self) -> dict[str, Workload]:
        return {w.id: w for w in self.federation.workloads}

    @cached_property
    def _there(self) -> dict[str, dict[str, int]]:
        """By cluster, the replicas of each workload on it."""
        found: dict[str, dict[str, int]] = {}
        for name, counts in self.counts.items():
            for cluster, n in counts.items():
                found.setdefault(cluster, {})[name] = n
        return found

    @cached_property
    def _nodes(self) -> dict[str, Nodes | None]:
        """By cluster, its nodes as they are filled now; None where something finds no place."""
        found: dict[str, Nodes | None] = {}
        for cluster in self.federation.clusters:
            nodes = Nodes(cluster)
            there = self._there.get(cluster.name, {})
            left = nodes.put([(self._workloads[name], n) for name, n in there.items()])
            found[cluster.name] = None if left else nodes
        return found
