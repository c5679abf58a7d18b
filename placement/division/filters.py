"""Which clusters are feasible: the scheduler's filter plugins.

Owns what a placement matches, and the reason when it does not match. It does not look at
capacity: that never makes a cluster infeasible.

Source: ``pkg/scheduler/framework/plugins`` and ``ClusterMatches`` in ``pkg/util/selector.go``.
"""

from collections.abc import Mapping, Sequence

from placement.division.binding import Binding
from placement.division.types import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterState,
    LabelSelector,
    Requirement,
    Taint,
    Toleration,
)

_SCHEDULING_EFFECTS = ("NoSchedule", "NoExecute")


def affinity_tiers(
    binding: Binding, term: ClusterAffinityTerm | None
) -> tuple[ClusterAffinity, ...]:
    """Return the affinity in force, then its overflow affinities; empty when all clusters match.

    Args:
        binding: what is scheduled. Overflow is for workloads alone.
        term: the group of ``clusterAffinities`` that is being tried, if the placement has groups.
    """
    if binding.placement.cluster_affinity is not None:
        return (binding.placement.cluster_affinity,)
    if term is None:
        return ()
    return (term, *term.overflow_affinities) if binding.is_workload else (term,)


def tier_of(cluster: ClusterState, tiers: Sequence[ClusterAffinity]) -> int | None:
    """Return the first tier that matches, 0 when there is no affinity, None when none matches."""
    if not tiers:
        return 0
    return next((tier for tier, affinity in enumerate(tiers) if matches(cluster, affinity)), None)


def refusal(
    cluster: ClusterState, binding: Binding, tiers: Sequence[ClusterAffinity]
) -> str | None:
    """Return why the cluster is not feasible, in Karmada's words, or None if it is.

    Karmada runs its plugins in an order that differs from process to process and reports the
    first that fails; here they run in the order of its registry.
    """
    # What already runs there is left to the taint manager, and a missing API to come back.
    if all(target.name != cluster.name for target in binding.previous):
        if binding.kind not in cluster.apis:
            return "cluster(s) did not have the API resource"
        taint = untolerated(cluster.taints, binding.placement.cluster_tolerations)
        if taint is not None:
            return f"cluster(s) had untolerated taint {{{taint}}}"
    if tier_of(cluster, tiers) is None:
        return "cluster(s) did not match the placement cluster affinity constraint"
    # Applies with static weights too, although these ignore the constraints otherwise.
    properties = {"provider": cluster.provider, "region": cluster.region, "zone": cluster.zones}
    for constraint in binding.placement.spread_constraints:
        if not properties.get(constraint.spread_by_field, True):
            name = "zones" if constraint.spread_by_field == "zone" else constraint.spread_by_field
            return f"cluster(s) did not have {name} property"
    return None


def matches(cluster: ClusterState, affinity: ClusterAffinity) -> bool:
    """Return whether the cluster is in the set that the affinity describes."""
    if cluster.name in affinity.exclude:
        return False
    if affinity.label_selector is not None and not _labels_match(
        affinity.label_selector, cluster.labels
    ):
        return False
    if affinity.field_selector is not None:
        fields = {"provider": cluster.provider, "region": cluster.region}
        present = {key: value for key, value in fields.items() if value}
        for requirement in affinity.field_selector.match_expressions:
            if requirement.key == "zone":
                if not _zones_match(requirement, cluster.zones):
                    return False
            elif not _requirement_holds(requirement, present):
                return False
    return not affinity.cluster_names or cluster.name in affinity.cluster_names


def _labels_match(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    return all(labels.get(key) == value for key, value in selector.match_labels.items()) and all(
        _requirement_holds(requirement, labels) for requirement in selector.match_expressions
    )


def _requirement_holds(requirement: Requirement, values: Mapping[str, str]) -> bool:
    """Return whether an expression holds; an invalid one makes Karmada match nothing."""
    present = requirement.key in values
    listed = values.get(requirement.key) in requirement.values
    match requirement.operator:
        case "In":
            return present and listed
        case "NotIn":
            return bool(requirement.values) and not (present and listed)
        case "Exists":
            return present and not requirement.values
        case "DoesNotExist":
            return not present and not requirement.values
        case _:
            return False


def _zones_match(requirement: Requirement, zones: Sequence[str]) -> bool:
    """Return whether the zones hold; since Karmada 1.18, one common zone is enough for In."""
    common = any(zone in requirement.values for zone in zones)
    match requirement.operator:
        case "In":
            return common
        case "NotIn":
            return not common
        case "Exists":
            return bool(zones)
        case "DoesNotExist":
            return not zones
        case _:
            return False


def untolerated(taints: Sequence[Taint], tolerations: Sequence[Toleration]) -> Taint | None:
    """Return the first taint that keeps the workload away."""
    return next(
        (
            taint
            for taint in taints
            if taint.effect in _SCHEDULING_EFFECTS
            and not any(_tolerates(toleration, taint) for toleration in tolerations)
        ),
        None,
    )


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Return whether the toleration covers the taint, for however long."""
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
        case _:
            return False
