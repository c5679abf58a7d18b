"""Karmada's own ways to divide, by the exact predictor: even static, dynamic weight, aggregated.

Policies are scheduled in file order, and each sees in the clusters' resource summaries what those
before it were given, as Karmada's general estimator would. Spread by region and cluster goes into
the policy with explicit ``maxGroups``; Karmada reads it for dynamic and aggregated division and
ignores it for static weights. Where Karmada finds no division, nothing of the workload runs.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from bench.baselines.eligible import Eligible
from placement import state
from placement.division import (
    ClusterAffinity,
    ClusterPreferences,
    ClusterState,
    Division,
    Placement,
    ReplicaSchedulingStrategy,
    SpreadConstraint,
    StaticClusterWeight,
    TargetCluster,
    predict,
)
from placement.failure import Counts, Loss
from placement.federation.base import Level
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import request_of
from placement.quantity import parse_quantity

Strategy = ReplicaSchedulingStrategy

DYNAMIC = Strategy(weight_preference=ClusterPreferences(dynamic_weight="AvailableReplicas"))
AGGREGATED = Strategy(replica_division_preference="Aggregated")
_SELECTABLE: tuple[Level, ...] = ("region", "cluster")
"""The levels of spread that Karmada's scheduler selects by."""


def even(names: tuple[str, ...]) -> Strategy:
    """The same static weight for each cluster."""
    rules = tuple(StaticClusterWeight(ClusterAffinity(cluster_names=(n,)), 1) for n in names)
    return Strategy(weight_preference=ClusterPreferences(static_weight_list=rules))


def divided(
    federation: Federation,
    eligible: Eligible,
    strategy: Strategy | None,
    before: Counts | None = None,
    loss: Loss | None = None,
) -> dict[str, dict[str, int]]:
    """Where Karmada puts every workload.

    Args:
        federation: facts and workloads.
        eligible: the clusters that each policy names.
        strategy: of every policy; None: even static weights over its clusters.
        before: the present division, which stays as far as it can.
        loss: what is lost since.
    """
    lost = loss.clusters if loss else frozenset()
    clusters = [c for c in federation.clusters if c.name not in lost]
    used: dict[str, dict[str, Decimal]] = {c.name: _in_use(c) for c in clusters}
    result: dict[str, dict[str, int]] = {}
    kept: dict[str, dict[str, int]] = {}
    for workload in federation.workloads:
        present = (before or {}).get(workload.id, {})
        kept[workload.id] = {n: count for n, count in present.items() if n not in lost}
        _take(used, workload, kept[workload.id], 1)
    for workload in federation.workloads:
        left = kept[workload.id]
        settled = before is not None and left == before.get(workload.id, {})
        if settled or (workload.stateful and before is not None):
            result[workload.id] = left  # a division that stands is left alone
            continue
        names = tuple(c.cluster.name for c in eligible[workload.id] if c.cluster.name not in lost)
        placement = Placement(
            cluster_affinity=ClusterAffinity(cluster_names=names or ("none",)),
            cluster_tolerations=state.tolerations(workload),
            spread_constraints=_spread(federation, workload),
            replica_scheduling=strategy or even(names),
        )
        answer = predict(
            [_state(c, used[c.name]) for c in clusters],
            placement,
            workload.size,
            request=request_of(workload),
            previous=tuple(TargetCluster(n, count) for n, count in left.items()),
        )
        counts = dict(answer.replicas) if isinstance(answer, Division) else left
        result[workload.id] = counts
        _take(used, workload, left, -1)
        _take(used, workload, counts, 1)
    return result


def _take(
    used: dict[str, dict[str, Decimal]], workload: Workload, counts: Mapping[str, int], sign: int
) -> None:
    for name, count in counts.items():
        for resource, amount in request_of(workload).items():
            used[name][resource] = used[name].get(resource, Decimal(0)) + sign * count * amount


def _in_use(cluster: Cluster) -> dict[str, Decimal]:
    used: dict[str, Decimal] = {}
    for node_class in cluster.node_classes:
        for resource, amount in node_class.in_use.items():
            used[resource] = used.get(resource, Decimal(0)) + parse_quantity(amount)
    return used


def _state(cluster: Cluster, used: Mapping[str, Decimal]) -> ClusterState:
    """What the scheduler sees of a cluster: sums over all nodes."""
    allocatable: dict[str, Decimal] = {}
    for node_class in cluster.node_classes:
        for resource, amount in node_class.allocatable.items():
            total = parse_quantity(amount) * node_class.count
            allocatable[resource] = allocatable.get(resource, Decimal(0)) + total
    return replace(state.cluster_state(cluster), allocatable=allocatable, allocated=used)


def _spread(federation: Federation, workload: Workload) -> tuple[SpreadConstraint, ...]:
    """The workload's spread as far as a policy can say it; a region needs the cluster beside it."""
    asked = {level: g for level, g in workload.all_groups.items() if level in _SELECTABLE}
    if not asked:
        return ()
    constraints = []
    for level in _SELECTABLE:
        groups = asked.get(level)
        if groups is None and level == "region":
            continue
        least = groups.min_groups if groups else max(g.min_groups for g in asked.values())
        most = (groups.max_groups if groups else None) or len(federation.clusters)
        constraints.append(
            SpreadConstraint(spread_by_field=level, min_groups=least, max_groups=most)
        )
    return tuple(constraints)
