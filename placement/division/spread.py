"""Which of the feasible clusters are used: the spread constraints.

Owns the choice by the ``cluster`` constraint and who chooses. The choice by region is in
``regions``. Constraints on zones and providers choose nothing in Karmada; they only filter.

Source: ``pkg/scheduler/core/spreadconstraint/select_clusters.go`` and
``select_clusters_by_cluster.go``.
"""

from collections.abc import Sequence

from placement.division.binding import Candidate, RefusalError
from placement.division.regions import select_by_region
from placement.division.types import (
    Placement,
    SpreadConstraint,
)


def select_clusters(
    placement: Placement, candidates: Sequence[Candidate], replicas: int
) -> list[Candidate]:
    """Return the clusters to use, in the order in which the assignment sees them.

    Args:
        placement: whose spread constraints hold.
        candidates: the feasible clusters in standard order.
        replicas: the total wanted.

    Raises:
        RefusalError: the constraints can't be met; in Karmada's words.
    """
    if not placement.spread_constraints or _ignores_constraints(placement):
        return list(candidates)
    # Of several constraints on one field, the last one holds.
    constraints = {_field(constraint): constraint for constraint in placement.spread_constraints}
    if "region" in constraints:
        return select_by_region(
            candidates,
            replicas,
            constraints["region"],
            constraints.get("cluster"),
            divided=placement.divided,
        )
    if "cluster" in constraints:
        return _select_by_cluster(
            candidates, constraints["cluster"], replicas if placement.divided else None
        )
    message = "just support cluster and region spread constraint"
    raise RefusalError(message)


def _ignores_constraints(placement: Placement) -> bool:
    """Return whether static weights make Karmada ignore every spread constraint."""
    strategy = placement.replica_scheduling
    if strategy is None or not placement.divided:
        return False
    preference = strategy.weight_preference
    return strategy.replica_division_preference == "Weighted" and (
        preference is None
        or (bool(preference.static_weight_list) and not preference.dynamic_weight)
    )


def _field(constraint: SpreadConstraint) -> str:
    """Return the field; the mutating webhook makes it ``cluster`` if nothing is named."""
    if not constraint.spread_by_field and not constraint.spread_by_label:
        return "cluster"
    return constraint.spread_by_field


def _select_by_cluster(
    candidates: Sequence[Candidate], constraint: SpreadConstraint, replicas: int | None
) -> list[Candidate]:
    """Return the first clusters, exchanged for larger ones until the replicas fit.

    Args:
        candidates: in standard order.
        constraint: on clusters.
        replicas: what the chosen clusters must hold together; None if capacity does not matter.
    """
    if len(candidates) < constraint.min_groups:
        message = "the number of feasible clusters is less than spreadConstraint.MinGroups"
        raise RefusalError(message)
    count = min(len(candidates), constraint.max_groups)
    chosen, rest = list(candidates[:count]), list(candidates[count:])
    if replicas is None:
        return chosen

    for place in reversed(range(count)):
        if _capacity(chosen) >= replicas or not rest:
            break
        # max() takes the first of equals, as Karmada does.
        largest = max(range(len(rest)), key=lambda index: rest[index].available)
        if rest[largest].available > chosen[place].available:
            chosen[place], rest[largest] = rest[largest], chosen[place]
    if not chosen or _capacity(chosen) < replicas:
        message = f"no enough resource when selecting {count} clusters"
        raise RefusalError(message)
    return chosen


def _capacity(candidates: Sequence[Candidate]) -> int:
    return sum(candidate.available for candidate in candidates)
