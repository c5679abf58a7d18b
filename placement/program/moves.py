"""Rows and terms of moves against the present placement: churn, the bound, the threshold."""

from collections.abc import Mapping, Sequence

from placement.federation.federation import Federation
from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.view import View

Present = Mapping[str, Mapping[str, int]]
"""Where replicas run now: workload id, cluster, replicas."""


def moves(
    builder: Builder, federation: Federation, views: Sequence[View], present: Present
) -> None:
    """The churn of every workload, and what ``objective.moves`` says of moved replicas."""
    bounds = federation.objective.moves
    moved: list[int] = []
    for view in views:
        before = present.get(view.workload.id, {})
        started = _started(builder, view, before)
        if before and (bounds.at_most is not None or bounds.threshold is not None):
            moved.append(_moved(builder, view, before, started))
    if bounds.threshold is not None:
        for column in moved:
            builder.cost("cost", column, float(federation.amount(bounds.threshold)))
    if bounds.at_most is not None:
        rule = f"moves.atMost {bounds.at_most}"
        requirement = Requirement("objective", rule, "replicas")
        builder.row(sum_of(moved), upper=bounds.at_most, requirement=requirement)


def _started(builder: Builder, view: View, before: Mapping[str, int]) -> list[int]:
    """By candidate, the part of its replicas that does not run there now: the churn."""
    started: list[int] = []
    for name, of_cluster in view.by_cluster:
        column = builder.column(0, view.workload.size, integer=False, owner=view.index)
        builder.cost("churn", column, 1.0)
        builder.row({**sum_of(of_cluster), column: -1.0}, upper=before.get(name, 0))
        started.append(column)
    return started


def _moved(builder: Builder, view: View, before: Mapping[str, int], started: Sequence[int]) -> int:
    """Replicas started beyond those that there are more of than now."""
    size = view.workload.size
    column = builder.column(0, size, integer=False, owner=view.index)
    more = max(0, size - sum(before.values()))
    builder.row({**sum_of(started), column: -1.0}, upper=more)
    return column
