"""Whether a cluster may hold a workload at all."""

from decimal import Decimal

from placement.division import filters as karmada
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.state import affinity, cluster_state, taints, tolerations


def unsuitable(federation: Federation, workload: Workload, cluster: Cluster) -> str | None:
    """Why *cluster* may not hold *workload*; None if it may."""
    if not cluster.ready:
        return "not ready"
    if cluster.drained:
        return "drained"
    template = workload.template
    if template is not None and not cluster.serves(template.api_version, template.kind):
        return f"does not serve {template.kind}"
    if karmada.untolerated(taints(cluster.taints), tolerations(workload)) is not None:
        return "taint not tolerated"
    if not karmada.matches(cluster_state(cluster), affinity(workload)):
        return "outside the affinity"
    if workload.residency and cluster.jurisdiction not in workload.residency:
        return "outside the residency"
    for data in workload.data:
        if data.rtt_limit is not None and data.region != cluster.region:
            latency = federation.latency
            ms = latency.between(cluster.region, data.region) if latency else None
            if ms is None or ms > data.rtt_limit:
                return f"too far from {data.name}"
    limit = workload.latency_limit
    if limit is not None and not any(
        near(federation, workload, d.region, cluster) for d in workload.demand
    ):
        return f"further than {limit} ms from all users"
    return None


def near(federation: Federation, workload: Workload, region: str, cluster: Cluster) -> bool:
    """Whether users in *region* are known to be within the workload's limit of *cluster*."""
    latency = federation.latency
    ms = latency.between(region, cluster.region) if latency else None
    limit = workload.latency_limit
    return ms is not None and (limit is None or Decimal(str(ms)) <= limit)
