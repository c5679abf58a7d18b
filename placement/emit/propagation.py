"""The PropagationPolicy that makes Karmada do what was decided of a workload.

Owns the form of the policy. It names exactly the chosen clusters and gives each its tie-proof
weight, since with static weights Karmada looks at neither capacity nor ``spreadConstraints``; these
go out besides, with an explicit ``maxGroups`` and a ``cluster`` constraint, and the weights satisfy
them. Where there are backups, the chosen clusters are the first of several affinity terms.
"""

import json
from typing import Literal

from placement.decision import PlacedWorkload
from placement.emit.accepted import accepted
from placement.emit.affinity import cluster_affinities
from placement.emit.tolerations import lost_for
from placement.emit.vocabulary import (
    REPLICAS_ANNOTATION,
    Manifest,
    metadata,
    object_name,
    selector,
)
from placement.federation import Federation, Workload
from placement.federation.workload import Template
from placement.karmada.affinity import ClusterAffinity
from placement.karmada.findings import Facts
from placement.karmada.placement_spec import (
    ClusterPreferences,
    Placement,
    ReplicaSchedulingStrategy,
    SpreadConstraint,
    StaticClusterWeight,
)
from placement.karmada.propagation import PropagationPolicy, PropagationSpec

_SELECTABLE: tuple[Literal["region", "cluster"], ...] = ("region", "cluster")
"""The levels of spread that Karmada's scheduler selects by."""

_BACKUP_WEIGHT = 1
"""A backup is alone in its term: any weight gives it all."""


def policy(
    federation: Federation,
    workload: Workload,
    template: Template,
    placed: PlacedWorkload,
    rebalance: str,
) -> Manifest:
    """The policy of *workload*, whose object is *template*.

    Args:
        federation: what was decided on.
        workload: one of its workloads.
        template: its object on the Karmada API.
        placed: what was decided of it.
        rebalance: see ``placement.emit.objects``.

    Raises:
        FederationError: Karmada would refuse it, or not carry it out.
    """
    single, ordered = cluster_affinities(placed, rebalance)
    body = PropagationPolicy(
        metadata=metadata(
            workload,
            template,
            {REPLICAS_ANNOTATION: json.dumps(placed.replicas, sort_keys=True)},
        ),
        spec=PropagationSpec(
            resource_selectors=(selector(workload, template),),
            propagate_deps=True,
            placement=Placement(
                cluster_affinity=single,
                cluster_affinities=ordered,
                cluster_tolerations=(
                    *workload.tolerations,
                    *lost_for(None if workload.stateful else _patience(federation, workload)),
                ),
                spread_constraints=_spread(federation, workload, placed),
                replica_scheduling=_division(workload, placed),
            ),
            # Nothing goes out without its overrides.
            dependent_overrides=(object_name(workload, template),) if workload.overrides else (),
        ),
    )
    regions = {c.name: c.region for c in federation.clusters}
    counts = None if placed.estimate else placed.replicas
    return accepted(body, workload.id, Facts(regions=regions, counts=counts))


def _patience(federation: Federation, workload: Workload) -> int:
    return federation.settings(workload).failover_threshold


def _division(workload: Workload, placed: PlacedWorkload) -> ReplicaSchedulingStrategy:
    match workload.division:
        case "aggregated":
            return ReplicaSchedulingStrategy(
                replica_scheduling_type="Divided", replica_division_preference="Aggregated"
            )
        case "dynamic":
            preference = ClusterPreferences(dynamic_weight="AvailableReplicas")
        case "fixed":
            weights = {**dict.fromkeys(placed.backups, _BACKUP_WEIGHT), **placed.weights}
            preference = ClusterPreferences(
                static_weight_list=tuple(
                    StaticClusterWeight(
                        target_cluster=ClusterAffinity(cluster_names=(name,)), weight=weight
                    )
                    for name, weight in sorted(weights.items())
                )
            )
    return ReplicaSchedulingStrategy(
        replica_scheduling_type="Divided",
        replica_division_preference="Weighted",
        weight_preference=preference,
    )


def _spread(
    federation: Federation, workload: Workload, placed: PlacedWorkload
) -> tuple[SpreadConstraint, ...]:
    """What Karmada can say of the spread: regions, and always clusters.

    The bounds are those of the federation file, and ``maxGroups``, which has no default, is at
    least what is used. They are left out where some backup, which is a single cluster, stands in
    for several.
    """
    if placed.backups and len(placed.replicas) > 1:
        return ()
    constraints: list[SpreadConstraint] = []
    for field in _SELECTABLE:
        groups = {g for name in placed.replicas for g in federation.cluster(name).groups(field)}
        wanted = workload.all_groups.get(field)
        if wanted is None and field == "region":
            continue
        constraints.append(
            SpreadConstraint(
                spread_by_field=field,
                min_groups=min(wanted.min_groups, len(groups)) if wanted else 1,
                max_groups=(wanted.max_groups if wanted else None) or len(groups),
            )
        )
    return tuple(constraints)
