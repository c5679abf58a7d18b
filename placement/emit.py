"""From a decision to the objects on the Karmada API that reproduce it to the replica.

Owns the form of the policies. `components/federation` makes resources of them and ``render``
writes them as files: both take the same objects from here.

Each policy names exactly the chosen clusters and gives each its tie-proof weight, since with
static weights Karmada looks at neither capacity nor ``spreadConstraints``; these go out besides,
with an explicit ``maxGroups`` and a ``cluster`` constraint, and the weights satisfy them.
Tolerations are explicit, since Karmada has had no default ones since 1.15, and name the effect
``NoExecute``: an empty effect would also place on a cluster that is dead already.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from placement.decision import Decision, PlacedWorkload
from placement.faults import FederationError
from placement.federation import Federation, Workload, manifest
from placement.federation.workload import Template
from placement.karmada.advice import refusals
from placement.karmada.affinity import ClusterAffinity
from placement.karmada.defaults import with_defaults
from placement.karmada.encoding import manifest as wire
from placement.karmada.findings import Facts
from placement.karmada.meta import ObjectMeta, Toleration
from placement.karmada.placement_spec import (
    ClusterPreferences,
    Placement,
    ReplicaSchedulingStrategy,
    SpreadConstraint,
    StaticClusterWeight,
)
from placement.karmada.propagation import PropagationPolicy, PropagationSpec, ResourceSelector

WORKLOAD_LABEL = "federation/workload"
REPLICAS_ANNOTATION = "federation/replicas"
SKIP_AWAIT = "pulumi.com/skipAwait"
"""Templates on the Karmada API run nowhere there, so nothing may wait for them to become ready."""

DETECTION = 30
"""Seconds from the last heartbeat of a push member to its taint: Karmada's failure threshold."""

Manifest = dict[str, Any]


def objects(federation: Federation, decision: Decision, directory: Path) -> Iterator[Manifest]:
    """The objects of *decision*: each workload's own, if it has a manifest, and its policy.

    Args:
        federation: what was decided on.
        decision: a decision with a placement.
        directory: where the federation file is; manifests are relative to it.

    Raises:
        FederationError: a policy that Karmada would refuse or not carry out.
        BadInputError: a manifest cannot be read.
    """
    for workload in federation.workloads:
        if workload.manifest is not None:
            yield _own_object(manifest(directory, workload), workload)
        yield policy(federation, workload, decision.workload(workload.id), directory)


def policy(
    federation: Federation, workload: Workload, placed: PlacedWorkload, directory: Path
) -> Manifest:
    """The PropagationPolicy of a workload, with every default that Karmada would fill."""
    template = _template(workload, directory)
    replicas = json.dumps(placed.replicas, sort_keys=True)
    body = PropagationPolicy(
        metadata=ObjectMeta(
            name=f"{workload.name}-{template.kind.lower()}",
            namespace=workload.namespace,
            labels={WORKLOAD_LABEL: workload.name},
            annotations={REPLICAS_ANNOTATION: replicas},
        ),
        spec=PropagationSpec(
            resource_selectors=(
                ResourceSelector(
                    api_version=template.api_version,
                    kind=template.kind,
                    name=template.name,
                    namespace=workload.namespace,
                ),
            ),
            propagate_deps=True,
            placement=Placement(
                cluster_affinity=ClusterAffinity(cluster_names=tuple(sorted(placed.replicas))),
                cluster_tolerations=_tolerations(federation, workload),
                spread_constraints=_spread(federation, workload, placed),
                replica_scheduling=_division(placed),
            ),
        ),
    )
    document = with_defaults(wire(body))
    regions = {c.name: c.region for c in federation.clusters}
    faults = refusals(document, Facts(regions=regions, counts=placed.replicas))
    if faults:
        raise FederationError("\n".join(f"policy of {workload.id}: {fault}" for fault in faults))
    return document


def _own_object(content: Manifest, workload: Workload) -> Manifest:
    metadata = dict(content.get("metadata", {}))
    metadata["namespace"] = workload.namespace
    metadata["labels"] = {**metadata.get("labels", {}), WORKLOAD_LABEL: workload.name}
    metadata["annotations"] = {**metadata.get("annotations", {}), SKIP_AWAIT: "true"}
    return {**content, "metadata": metadata}


def _template(workload: Workload, directory: Path) -> Template:
    if workload.template is not None:
        return workload.template
    content = manifest(directory, workload)
    return Template(
        api_version=content["apiVersion"], kind=content["kind"], name=content["metadata"]["name"]
    )


def _division(placed: PlacedWorkload) -> ReplicaSchedulingStrategy:
    return ReplicaSchedulingStrategy(
        replica_scheduling_type="Divided",
        replica_division_preference="Weighted",
        weight_preference=ClusterPreferences(
            static_weight_list=tuple(
                StaticClusterWeight(
                    target_cluster=ClusterAffinity(cluster_names=(name,)), weight=weight
                )
                for name, weight in sorted(placed.weights.items())
            )
        ),
    )


def _spread(
    federation: Federation, workload: Workload, placed: PlacedWorkload
) -> tuple[SpreadConstraint, ...]:
    """What Karmada can say of the spread: regions, and always clusters.

    The bounds are those of the federation file, and ``maxGroups``, which has no default, is at
    least what is used.
    """
    constraints: list[SpreadConstraint] = []
    used = {
        "region": {federation.cluster(name).region for name in placed.replicas},
        "cluster": set(placed.replicas),
    }
    for field, groups in (("region", used["region"]), ("cluster", used["cluster"])):
        wanted = workload.all_groups.get("region" if field == "region" else "cluster")
        if wanted is None and field == "region":
            continue
        constraints.append(
            SpreadConstraint(
                spread_by_field="region" if field == "region" else "cluster",
                min_groups=wanted.min_groups if wanted else 1,
                max_groups=(wanted.max_groups if wanted else None) or len(groups),
            )
        )
    return tuple(constraints)


def _tolerations(federation: Federation, workload: Workload) -> tuple[Toleration, ...]:
    """The workload's own, then how long it bears a cluster that is lost.

    Stateful workloads bear it for ever: they are not evicted without their owner's word.
    """
    seconds = federation.settings(workload).failover_threshold - DETECTION
    lost = tuple(
        Toleration(
            key=f"cluster.karmada.io/{state}",
            operator="Exists",
            effect="NoExecute",
            toleration_seconds=None if workload.stateful else seconds,
        )
        for state in ("not-ready", "unreachable")
    )
    return (*workload.tolerations, *lost)
