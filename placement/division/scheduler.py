"""The prediction: what Karmada's scheduler does with a placement.

Owns the main loop, which is that of Karmada: filter, score, select, assign, for each group of
affinities until one succeeds. It does not decide whether Karmada schedules at all: a divided
binding whose replicas are all assigned is left alone until something triggers it.

Source: ``pkg/scheduler/scheduler.go`` and ``pkg/scheduler/core/generic_scheduler.go``; true for
Karmada 1.18, and for 1.16 and later apart from zones, overflow and a shrinkage after a loss.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from placement.division.assign import assign_replicas
from placement.division.availability import allocatable_replicas
from placement.division.binding import (
    Binding,
    Candidate,
    Division,
    RefusalError,
    SchedulingError,
    TargetCluster,
)
from placement.division.filters import affinity_tiers, refusal, tier_of
from placement.division.spread import select_clusters
from placement.division.types import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterState,
    Placement,
    Resources,
)

_MAX_CLUSTER_SCORE = 100


def predict(
    clusters: Sequence[ClusterState],
    placement: Placement,
    replicas: int,
    *,
    request: Resources | None = None,
    uid: str = "",
    previous: Sequence[TargetCluster] = (),
    kind: str = "Deployment",
    observed_affinity: str = "",
    fresh: bool = False,
) -> Division | SchedulingError:
    """Return what Karmada's scheduler answers.

    Exact for static weights and duplication. For dynamic weights and Aggregated it is exact for
    the general estimator and the given resource summaries, which change as pods come and go.

    Args:
        clusters: every member cluster that is not being deleted.
        placement: of the policy.
        replicas: the total wanted, 0 or more.
        request: of one replica; None when the pod template requests nothing at all.
        uid: of the workload's object; only decides ties, and is not known before it is created.
        previous: the present division, in the order of the binding's ``spec.clusters``.
        kind: the kind of object, which a cluster must serve.
        observed_affinity: the affinity group in use, from the binding's status.
        fresh: whether a ``WorkloadRebalancer`` asks for a division from nothing.
    """
    return schedule(
        clusters,
        Binding(
            placement=placement,
            replicas=replicas,
            request=request,
            uid=uid,
            previous=tuple(previous),
            kind=kind,
            observed_affinity=observed_affinity,
            fresh=fresh,
        ),
    )


def schedule(clusters: Sequence[ClusterState], binding: Binding) -> Division | SchedulingError:
    """Return what Karmada's scheduler answers; of several groups that fail, the first error."""
    groups = binding.placement.cluster_affinities
    if not groups:
        return _schedule_group(clusters, binding, None)
    errors: list[SchedulingError] = []
    for group in groups[_first_group(binding) :]:
        answer = _schedule_group(clusters, binding, group)
        if isinstance(answer, Division):
            return answer
        errors.append(answer)
    return errors[0]


def _first_group(binding: Binding) -> int:
    """Return the index of the group in use; Karmada never goes back to an earlier one."""
    names = [group.affinity_name for group in binding.placement.cluster_affinities]
    if binding.fresh or binding.observed_affinity not in names:
        return 0
    return names.index(binding.observed_affinity)


def _schedule_group(
    clusters: Sequence[ClusterState], binding: Binding, group: ClusterAffinityTerm | None
) -> Division | SchedulingError:
    """Run the algorithm once, with one group of affinities (or none)."""
    tiers = affinity_tiers(binding, group)
    feasible, refused = _filter(clusters, binding, tiers)
    if not feasible:
        return SchedulingError(_fit_error(len(clusters), refused), clears=True, refused=refused)
    candidates = _score(feasible, binding, tiers)
    try:
        selected = select_clusters(binding.placement, candidates, binding.replicas)
    except RefusalError as error:
        return SchedulingError(f"failed to select clusters: {error}", refused=refused)
    try:
        replicas = assign_replicas(selected, binding, tiers=len(tiers))
    except RefusalError as error:
        return SchedulingError(f"failed to assign replicas: {error}", refused=refused)
    return Division(
        replicas=dict(sorted(replicas.items())),
        affinity=group.affinity_name if group is not None else "",
        refused=refused,
    )


def _filter(
    clusters: Sequence[ClusterState], binding: Binding, tiers: Sequence[ClusterAffinity]
) -> tuple[list[ClusterState], dict[str, str]]:
    """Return the feasible clusters, and by name why the others are not."""
    feasible: list[ClusterState] = []
    refused: dict[str, str] = {}
    for cluster in clusters:
        reason = refusal(cluster, binding, tiers)
        if reason is None:
            feasible.append(cluster)
        else:
            refused[cluster.name] = reason
    return feasible, refused


def _fit_error(clusters: int, refused: Mapping[str, str]) -> str:
    """Return the message of ``FitError``: reasons with counts, sorted as text."""
    counts = Counter(refused.values())
    reasons = sorted(f"{count} {reason}" for reason, count in counts.items())
    return f"0/{clusters} clusters are available: {', '.join(reasons) or 'no cluster exists'}."


def _score(
    feasible: Sequence[ClusterState], binding: Binding, tiers: Sequence[ClusterAffinity]
) -> list[Candidate]:
    """Return the candidates in standard order: those in use first, then by availability."""
    previous = {target.name: target.replicas for target in binding.previous}
    candidates = [
        Candidate(
            cluster=cluster,
            score=_MAX_CLUSTER_SCORE if cluster.name in previous else 0,
            overflow_order=tier_of(cluster, tiers) or 0,
            allocatable=allocatable_replicas(cluster, binding),
            assigned=previous.get(cluster.name, 0),
        )
        for cluster in feasible
    ]
    return sorted(candidates, key=lambda candidate: candidate.standard_order)
