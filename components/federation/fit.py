"""What Karmada's scheduler would make of the policies, on the clusters as they are now.

Owns the comparison of the decision, which is made from the federation file, with the live
``Cluster`` objects: a taint, a label or an API that the file does not know would divide the
replicas otherwise, and where no cluster fits, Karmada takes the workload off every member.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from components.federation.emitted import Key, Policy, policies
from placement.division import (
    Binding,
    ClusterState,
    SchedulingError,
    parse_placement,
    schedule,
)
from placement.division.binding import TargetCluster
from placement.division.types import ClusterAffinityTerm, Placement, Taint
from placement.emit import Manifest


def misfits(
    emitted: Sequence[Manifest],
    clusters: Mapping[str, Mapping[str, Any]],
    bindings: Mapping[Key, Mapping[str, Any]],
) -> Iterator[str]:
    """A line for each policy that Karmada would not carry out as decided.

    Args:
        emitted: our objects.
        clusters: the live ``Cluster`` objects, by name.
        bindings: the live ``ResourceBinding`` objects, by namespace, kind and name of their object.
    """

    @cache
    def states(api_version: str) -> list[ClusterState]:
        return [
            _state(cluster, api_version)
            for cluster in clusters.values()
            if "deletionTimestamp" not in cluster["metadata"]
        ]

    for policy in policies(emitted):
        live = bindings.get(policy.target, {})
        reason = _reason(policy, states(policy.api_version), live)
        if reason is not None:
            yield f"{policy.workload}: {reason}"


def _reason(
    policy: Policy, clusters: Sequence[ClusterState], live: Mapping[str, Any]
) -> str | None:
    """Why a policy would not be carried out; None where it would use the decided clusters."""
    placement = parse_placement(policy.content["spec"]["placement"], number=0, file="policy")
    chosen, *backups = placement.cluster_affinities or (None,)
    observed = (live.get("status") or {}).get("schedulerObservedAffinityName")
    if observed is not None and observed in [term.affinity_name for term in backups if term]:
        return (
            "it is on a backup, and Karmada would leave it there; set "
            "federation:federation.rebalance to another word"
        )
    answer = schedule(
        clusters,
        Binding(
            placement=_filtering(placement, chosen),
            replicas=sum(policy.replicas.values()),
            previous=tuple(
                TargetCluster(c["name"], c.get("replicas", 0))
                for c in (live.get("spec") or {}).get("clusters") or ()
            ),
            kind=policy.target[1],
        ),
    )
    if isinstance(answer, SchedulingError):
        then = "send it to its backup" if backups else "take it off every member"
        return f"no cluster fits ({answer.message}): Karmada would {then}. {_WAY_OUT}"
    if set(answer.replicas) == set(policy.replicas):
        return None
    instead = f"Karmada would use {', '.join(answer.replicas)}, not {', '.join(policy.replicas)}"
    reasons = [f"{n}: {answer.refused[n]}" for n in policy.replicas if n in answer.refused]
    return f"{instead} ({'; '.join(reasons)}). {_WAY_OUT}"


_WAY_OUT = (
    "Write into the federation file what is true of the clusters (taints, labels, cordoned, "
    "ready), or change it on the Cluster"
)


def _filtering(placement: Placement, chosen: ClusterAffinityTerm | None) -> Placement:
    """What of a placement does not depend on the room that is left, for its first term alone."""
    first = replace(placement, cluster_affinities=(chosen,) if chosen else ())
    strategy = placement.replica_scheduling
    preference = strategy.weight_preference if strategy else None
    if preference is not None and preference.static_weight_list:
        return first
    return replace(first, replica_scheduling=None, spread_constraints=())


def _state(cluster: Mapping[str, Any], api_version: str) -> ClusterState:
    """A live ``Cluster``, as the scheduler's filters see it."""
    spec, status = cluster["spec"], cluster.get("status") or {}
    return ClusterState(
        name=cluster["metadata"]["name"],
        region=spec.get("region", ""),
        provider=spec.get("provider", ""),
        zones=tuple(spec.get("zones") or ()),
        labels=cluster["metadata"].get("labels") or {},
        taints=tuple(
            Taint(key=t["key"], value=t.get("value", ""), effect=t["effect"])
            for t in spec.get("taints") or ()
        ),
        apis=tuple(
            resource["kind"]
            for enabled in status.get("apiEnablements") or ()
            if enabled["groupVersion"] == api_version
            for resource in enabled.get("resources") or ()
        ),
    )
