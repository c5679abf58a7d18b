"""Which clusters a policy names: one set of them, or several in order.

Owns the names of the affinity terms. Karmada remembers the term that a workload is in by its name
and never goes back to an earlier one (on 1.18 not even for a ``WorkloadRebalancer``): it starts
again from the first where the remembered name is gone. So the names follow from what the terms say,
and other terms have other names.

Source: ``getAffinityIndex`` and ``clusterAffinitiesChanged`` in ``pkg/scheduler`` (Karmada 1.18).
"""

import hashlib
import json

from placement.decision import PlacedWorkload
from placement.karmada.affinity import ClusterAffinity, ClusterAffinityTerm


def cluster_affinities(
    placed: PlacedWorkload, rebalance: str
) -> tuple[ClusterAffinity | None, tuple[ClusterAffinityTerm, ...]]:
    """The clusters of a policy: either one affinity, or terms in order where there are backups."""
    chosen = tuple(sorted(placed.replicas))
    if not placed.backups:
        return ClusterAffinity(cluster_names=chosen), ()
    said = json.dumps([chosen, placed.backups, rebalance])
    mark = hashlib.sha256(said.encode()).hexdigest()[:8]
    terms = [("primary", chosen), *(("backup", (name,)) for name in placed.backups)]
    return None, tuple(
        ClusterAffinityTerm(affinity_name=f"{role}-{mark}-{index}", cluster_names=names)
        for index, (role, names) in enumerate(terms)
    )
