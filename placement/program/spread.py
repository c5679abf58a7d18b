"""Rows of spread: the groups of a level that are used, and those that a loss leaves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from placement.federation.base import Level
from placement.federation.federation import Federation
from placement.federation.intent import Groups, Survive
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


def spread(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """The rows of every spread: the fewest and the most groups, now and after a loss."""
    bounded: list[_Bound] = []
    for view in views:
        for level, wanted in view.spread.items():
            bounded += _bounds(builder, federation, view, level, wanted)
    lower = np.array([-np.inf if bound.most else bound.groups for bound in bounded])
    upper = np.array([bound.groups if bound.most else np.inf for bound in bounded])
    place = np.array([bound.place for bound in bounded], dtype=np.int64)
    rows = builder.rows(lower, upper, [bound.requirement for bound in bounded], place)
    count = [len(bound.indicators) for bound in bounded]
    columns = np.array([i for bound in bounded for i in bound.indicators], dtype=np.int64)
    builder.entries(np.repeat(rows, count), columns, 1.0)
    for view in views:
        survive = view.workload.survive
        if survive is not None and survive.keep == "spread":
            builder.place = view.place + PLACES - 1
            _after_loss(builder, view, survive)


@dataclass(frozen=True)
class _Bound:
    """A bound on the groups of a level that a workload uses.

    Attributes:
        indicators: of the groups.
        groups: how many.
        most: whether at most so many, else at least.
        place: of the row in the program.
        requirement: that it stands for.
    """

    indicators: Sequence[int]
    groups: int
    most: bool
    place: int
    requirement: Requirement


def _bounds(
    builder: Builder, federation: Federation, view: View, level: Level, wanted: Groups
) -> Iterator[_Bound]:
    """The bounds of a level; one that may be missed at a price is made at once."""
    indicators = list(view.groups(level).values())
    place = view.place_of(level)
    for key, bound, most in (
        ("minGroups", wanted.min_groups, False),
        ("maxGroups", wanted.max_groups, True),
    ):
        # Whoever is placed at all is in one group, but for zones: a cluster may state none.
        if bound is None or (not most and bound == 1 and level != "zone"):
            continue
        rule = f"spread.{level}.{key} {bound}"
        if most or wanted.missing_price is None:
            requirement = Requirement(view.workload.id, rule, f"{level}s")
            yield _Bound(indicators, bound, most, place, requirement)
            continue
        builder.place = place
        missing = builder.column(0, bound, integer=False, owner=view.index)
        builder.cost("cost", missing, float(federation.amount(wanted.missing_price)))
        builder.row({**sum_of(indicators), missing: 1.0}, lower=bound)


def _after_loss(builder: Builder, view: View, survive: Survive) -> None:
    """The groups that are left after each loss."""
    for scope in sorted({g for c in view.candidates for g in c.cluster.groups(survive.loss)}):
        left = [scope not in c.cluster.groups(survive.loss) for c in view.candidates]
        for level, wanted in view.workload.groups.items():
            rule = (
                f"spread.{level}.minGroups {wanted.min_groups} after the loss of "
                f"{survive.loss} {scope}"
            )
            requirement = Requirement(view.workload.id, rule, f"{level}s")
            reached(builder, view, level, wanted.min_groups, view.used, left, requirement)


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
