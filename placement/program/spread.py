"""Rows of spread: the groups of a level that are used, and those that a loss leaves."""

from collections.abc import Sequence

import numpy as np

from placement.federation.base import Level
from placement.federation.federation import Federation
from placement.federation.intent import Groups
from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.pairs import Pairs
from placement.program.view import PLACES, View


def uses(builder: Builder, pairs: Pairs, views: Sequence[View]) -> None:
    """For all workloads that are spread or bounded by cluster: which clusters each uses.

    With the bounds by cluster, which hold also without a spread.
    """
    those = [view for view in views if _counted(view)]
    of_view, at = pairs.of_workloads(np.array([view.index for view in those], dtype=np.int64))
    owner = pairs.workload[of_view]
    place = np.array([view.place for view in those], dtype=np.int64)[at]
    used = builder.many(np.ones(len(owner)), owner, integer=True, place=place)
    first = 0
    for view in those:
        view.give_used(used[first : first + len(view.candidates)].tolist())
        first += len(view.candidates)
    # For each pair two rows, the one from above and then the one from below.
    bounds = [bound for view in those for bound in view.bounds * len(view.candidates)]
    below = np.arange(len(bounds)) % 2 == 1
    rows = builder.rows(
        np.where(below, 0.0, -np.inf),
        np.where(below, np.inf, 0.0),
        bounds,
        np.repeat(place, 2),
    )
    slots, pair = pairs.slots_of(of_view)
    limits = (
        [-float(view.most_each) for view in those],
        [-float(view.workload.per_cluster.min) for view in those],
    )
    for side, limit in enumerate(limits):
        builder.entries(rows[side::2][pair], slots, 1.0)
        builder.entries(rows[side::2], used, np.array(limit)[at])


def _counted(view: View) -> bool:
    bounds = view.workload.per_cluster
    return bool(view.spread) or bounds.min > 1 or bounds.max is not None


def spread(builder: Builder, federation: Federation, view: View) -> None:
    """The rows of a workload's spread; nothing where nothing is asked."""
    workload = view.workload
    for level, wanted in view.spread.items():
        builder.place = view.place_of(level)
        _groups(builder, federation, view, level, wanted)
    builder.place = view.place + PLACES - 1
    survive = workload.survive
    if survive is None or survive.keep != "spread":
        return
    for scope in sorted({g for c in view.candidates for g in c.cluster.groups(survive.loss)}):
        left = [scope not in c.cluster.groups(survive.loss) for c in view.candidates]
        for level, wanted in workload.groups.items():
            rule = (
                f"spread.{level}.minGroups {wanted.min_groups} after the loss of "
                f"{survive.loss} {scope}"
            )
            requirement = Requirement(workload.id, rule, f"{level}s")
            reached(builder, view, level, wanted.min_groups, view.used, left, requirement)


def _groups(
    builder: Builder, federation: Federation, view: View, level: Level, wanted: Groups
) -> None:
    indicators = list(view.groups(level).values())
    for key, bound, sign in (
        ("minGroups", wanted.min_groups, 1),
        ("maxGroups", wanted.max_groups, -1),
    ):
        # Whoever is placed at all is in one group, but for zones: a cluster may state none.
        if bound is None or (sign > 0 and bound == 1 and level != "zone"):
            continue
        rule = f"spread.{level}.{key} {bound}"
        requirement = Requirement(view.workload.id, rule, f"{level}s")
        if sign > 0 and wanted.missing_price is not None:
            missing = builder.column(0, bound, integer=False, owner=view.index)
            builder.cost("cost", missing, float(federation.amount(wanted.missing_price)))
            builder.row({**sum_of(indicators), missing: 1.0}, lower=bound)
        elif sign > 0:
            builder.row(sum_of(indicators), lower=bound, requirement=requirement)
        else:
            builder.row(sum_of(indicators), upper=bound, requirement=requirement)


def reached(
    builder: Builder,
    view: View,
    level: Level,
    least: int,
    indicators: Sequence[int],
    counted: Sequence[bool],
    requirement: Requirement,
) -> None:
    """Enough groups hold a cluster whose indicator is set.

    Args:
        builder: collects the rows.
        view: the workload.
        level: of the groups.
        least: the groups to reach.
        indicators: by candidate.
        counted: by candidate, whether it counts.
        requirement: that the row of the sum stands for.
    """
    reaching: list[int] = []
    for places in view.members(level).values():
        of_group = [indicators[place] for place in places if counted[place]]
        if of_group:
            group_reached = builder.column(0, 1, integer=False, owner=view.index)
            reaching.append(group_reached)
            builder.row({**sum_of(of_group, -1.0), group_reached: 1.0}, upper=0)
    builder.row(sum_of(reaching), lower=least, requirement=requirement)
