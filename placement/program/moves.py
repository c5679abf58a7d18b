"""Rows and terms of moves against the present placement: churn, the bound, the threshold."""

from collections.abc import Mapping, Sequence

import numpy as np

from placement.federation.federation import Federation
from placement.program.matrix import Builder, Integers, Requirement, sum_of
from placement.program.pairs import Pairs
from placement.program.view import View

Present = Mapping[str, Mapping[str, int]]
"""Where replicas run now: workload id, cluster, replicas."""


def moves(
    builder: Builder,
    federation: Federation,
    pairs: Pairs,
    views: Sequence[View],
    present: Present,
    place: int,
) -> None:
    """The churn of every workload, and what ``objective.moves`` says of moved replicas.

    Args:
        builder: collects the columns and rows.
        federation: with the bounds.
        pairs: of the program.
        views: the workloads.
        present: where replicas run now.
        place: of the first workload's rows.
    """
    bounds = federation.objective.moves
    started = _started(builder, federation, pairs, views, present, place)
    moved: list[int] = []
    if bounds.at_most is not None or bounds.threshold is not None:
        for view in views:
            before = present.get(view.workload.id, {})
            if before:
                builder.place = place + view.index
                own = started[pairs.start[view.index] : pairs.start[view.index + 1]]
                moved.append(_moved(builder, view, before, own.tolist()))
    builder.place = place + len(views)
    if bounds.threshold is not None:
        for column in moved:
            builder.cost("cost", column, float(federation.amount(bounds.threshold)))
    if bounds.at_most is not None:
        rule = f"moves.atMost {bounds.at_most}"
        requirement = Requirement("objective", rule, "replicas")
        builder.row(sum_of(moved), upper=bounds.at_most, requirement=requirement)


def _started(
    builder: Builder,
    federation: Federation,
    pairs: Pairs,
    views: Sequence[View],
    present: Present,
    place: int,
) -> Integers:
    """By pair, the part of its replicas that does not run there now: the churn."""
    size = np.array([view.workload.size for view in views], dtype=np.int64)
    owner = pairs.workload
    columns = builder.many(size[owner], owner, integer=False, place=place + owner)
    builder.costs("churn", columns, np.ones(len(columns)))
    numbers = {cluster.name: number for number, cluster in enumerate(federation.clusters)}
    running = [
        (view.index, numbers[name], count)
        for view in views
        for name, count in present.get(view.workload.id, {}).items()
        if name in numbers
    ]
    workload, cluster, counts = np.array(running, dtype=np.int64).reshape(-1, 3).T
    pair, there = pairs.find(workload, cluster)
    before = np.zeros(len(owner))
    before[pair] = counts[there]
    rows = builder.rows(-np.inf, before, [None] * len(columns), place + owner)
    builder.entries(rows[pairs.pair], np.arange(len(pairs.pair)), 1.0)
    builder.entries(rows, columns, -1.0)
    return columns


def _moved(builder: Builder, view: View, before: Mapping[str, int], started: Sequence[int]) -> int:
    """Replicas started beyond those that there are more of than now."""
    size = view.workload.size
    column = builder.column(0, size, integer=False, owner=view.index)
    more = max(0, size - sum(before.values()))
    builder.row({**sum_of(started), column: -1.0}, upper=more)
    return column
