"""What happens when a cluster or a region is lost.

Owns the prediction of what Karmada then does: the same weights are divided anew over the clusters
that are left (Webster, no look at capacity or spread), and whether the nodes there hold it, in
order of priority. It does not decide anything: ``check.py`` holds it against what was promised.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from placement.division import tie_proof_weights, webster
from placement.faults import FederationError
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import left_over

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
    """Each single cluster, then each region of several clusters."""
    for cluster in federation.clusters:
        yield Loss("cluster", cluster.name, frozenset({cluster.name}))
    regions: dict[str, set[str]] = {}
    for cluster in federation.clusters:
        regions.setdefault(cluster.region, set()).add(cluster.name)
    for region, names in regions.items():
        yield Loss("region", region, frozenset(names))


def divided_after(
    workload: Workload, counts: Mapping[str, int], lost: frozenset[str]
) -> dict[str, int]:
    """Where the replicas are after Karmada has evicted them from *lost*.

    A stateful workload is not evicted without its owner's word: its lost replicas stay lost.

    Raises:
        FederationError: more replicas on more clusters than weights can divide without a tie.
    """
    left = {name: n for name, n in counts.items() if name not in lost}
    if workload.stateful or left == counts or not left:
        return left
    try:
        weights = tie_proof_weights(counts)
    except ValueError as error:
        raise FederationError(f"{workload.id}: {error}") from None
    return webster(sum(counts.values()), {name: weights[name] for name in left})


def after(federation: Federation, counts: Counts, loss: Loss) -> Aftermath:
    """The federation after *loss*."""
    workloads = {w.id: w for w in federation.workloads}
    now: dict[str, dict[str, int]] = {}
    touched: dict[str, dict[str, int]] = {}
    pending: dict[str, int] = {}
    for name, before in counts.items():
        now[name] = divided_after(workloads[name], before, loss.clusters)
        if not loss.clusters.isdisjoint(before):
            touched[name] = now[name]
            missing = sum(before.values()) - sum(now[name].values())
            if missing:
                pending[name] = missing
    crowded: dict[str, dict[str, int]] = {}
    for cluster in federation.clusters:
        there = [(workloads[n], c[cluster.name]) for n, c in now.items() if cluster.name in c]
        grew = any(cluster.name in c for c in touched.values())
        if not grew:
            continue
        left = left_over(cluster, there, by_priority=True)
        if left:
            crowded[cluster.name] = left
            for name, count in left.items():
                pending[name] = pending.get(name, 0) + count
    return Aftermath(loss, touched, dict(sorted(pending.items())), crowded)
