"""How many replicas each selected cluster gets: the replica scheduling strategies.

Owns the four strategies (duplicated, static weights, dynamic weights, aggregated) and the
overflow from one tier of clusters to the next. The rounding is in ``webster``.

Source: ``common.go``, ``assignment.go`` and ``division_algorithm.go`` in ``pkg/scheduler/core``.
"""

from collections.abc import Mapping, Sequence

from placement.division.binding import Binding, Candidate, RefusalError
from placement.division.filters import matches
from placement.division.pdqsort import descending_order
from placement.division.types import (
    ReplicaSchedulingStrategy,
    StaticClusterWeight,
)
from placement.division.webster import name_order_descending, webster


def assign_replicas(
    selected: Sequence[Candidate], binding: Binding, *, tiers: int
) -> dict[str, int]:
    """Return the replicas by cluster name, without the clusters that get none.

    An object that is no workload goes to every selected cluster, with 0 replicas.

    Args:
        selected: the clusters in the order of the selection.
        binding: what is assigned.
        tiers: how many affinities are in force; with more than one, a tier is filled before the
            next one gets any.

    Raises:
        RefusalError: too little capacity, or no cluster; in Karmada's words.
    """
    if not selected:
        message = "no clusters available to schedule"
        raise RefusalError(message)
    if not binding.is_workload:
        return {candidate.cluster.name: 0 for candidate in selected}
    if tiers <= 1:
        return _assign(selected, binding, binding.replicas)

    result: dict[str, int] = {}
    remaining = binding.replicas
    for order in sorted({candidate.overflow_order for candidate in selected}):
        tier = [candidate for candidate in selected if candidate.overflow_order == order]
        share = min(remaining, sum(candidate.available for candidate in tier))
        result |= _assign(tier, binding, share)
        remaining -= share
        if remaining <= 0:
            return result
    message = "Clusters available replicas are not enough to schedule."
    raise RefusalError(message)


def _assign(candidates: Sequence[Candidate], binding: Binding, replicas: int) -> dict[str, int]:
    """Return the positive replicas of one tier by the strategy of the placement."""
    strategy = binding.placement.replica_scheduling
    if strategy is None or not binding.placement.divided:
        division = {candidate.cluster.name: replicas for candidate in candidates}
    elif _is_static(strategy):
        preference = strategy.weight_preference
        weights = static_weights(candidates, preference.static_weight_list if preference else ())
        division = webster(replicas, weights, descending=name_order_descending(binding.uid))
    else:
        aggregated = strategy.replica_division_preference == "Aggregated"
        division = _divide_by_capacity(candidates, binding, replicas, aggregated=aggregated)
    return {name: count for name, count in division.items() if count > 0}


def _is_static(strategy: ReplicaSchedulingStrategy) -> bool:
    preference = strategy.weight_preference
    return strategy.replica_division_preference == "Weighted" and not (
        preference is not None and preference.dynamic_weight
    )


def static_weights(
    candidates: Sequence[Candidate], rules: Sequence[StaticClusterWeight]
) -> dict[str, int]:
    """Return the weight of each cluster: the largest of the rules that match it.

    A cluster that no rule matches is left out; if that leaves none, each cluster has weight 1.
    """
    weights: dict[str, int] = {}
    for candidate in candidates:
        weight = max(
            (rule.weight for rule in rules if matches(candidate.cluster, rule.target_cluster)),
            default=0,
        )
        if weight > 0:
            weights[candidate.cluster.name] = weight
    return weights or {candidate.cluster.name: 1 for candidate in candidates}


def _divide_by_capacity(
    candidates: Sequence[Candidate], binding: Binding, replicas: int, *, aggregated: bool
) -> dict[str, int]:
    """Divide by dynamic weight, or over few clusters when aggregated.

    The present division stays as far as it can: growth is divided by free capacity and added to
    it, shrinkage is divided in proportion to it. Only a fresh division starts from nothing.
    """
    names = {candidate.cluster.name for candidate in candidates}
    scheduled = {
        target.name: target.replicas for target in binding.previous if target.name in names
    }
    assigned = sum(scheduled.values())
    free = {candidate.cluster.name: candidate.allocatable for candidate in candidates}

    if binding.fresh:
        step = "do fresh scale"
        weights = {name: free[name] + scheduled.get(name, 0) for name in free}
        target, kept = replicas, dict[str, int]()
    elif assigned > replicas:
        step = "scale down"
        weights = scheduled
        target, kept = replicas, dict[str, int]()
    elif assigned < replicas:
        step = "scale up"
        weights = free
        target, kept = replicas - assigned, scheduled
    else:
        return scheduled

    capacity = _int32(sum(weights.values()))
    if capacity < target:
        message = (
            f"failed to {step}: Clusters available replicas {capacity} are not enough to schedule."
        )
        raise RefusalError(message)
    if aggregated:
        weights = _fewest_clusters(weights, target, kept)
    added = webster(target, weights, descending=name_order_descending(binding.uid))
    return {name: kept.get(name, 0) + added.get(name, 0) for name in kept | added}


def _int32(value: int) -> int:
    """Wrap around as Karmada's sum does.

    It matters for a fresh division of 0 replicas: nothing is estimated then, each cluster counts
    2^31 - 1, and with two of them Karmada finds -2 to be too little.
    """
    return (value + 2**31) % 2**32 - 2**31


def _fewest_clusters(
    weights: Mapping[str, int], target: int, kept: Mapping[str, int]
) -> dict[str, int]:
    """Return the first clusters that hold the target: those in use, then the largest ones."""
    names = list(weights)
    by_size = [names[index] for index in descending_order(list(weights.values()))]
    # sort() is stable: both parts keep the order of size.
    by_size.sort(key=lambda name: kept.get(name, 0) <= 0)
    prefix: dict[str, int] = {}
    capacity = 0
    for name in by_size:
        prefix[name] = weights[name]
        capacity += weights[name]
        if capacity >= target:
            break
    return prefix
