"""Columns and rows of the groups that workloads use, for all workloads at once.

Owns the definition of the indicators: a group is used where a cluster of it is. What a spread then
asks of them says ``spread.py``.
"""

from collections.abc import Sequence

import numpy as np

from placement.federation.base import Level
from placement.federation.federation import Federation
from placement.program.matrix import Builder
from placement.program.pairs import Pairs, stretches
from placement.program.view import View

LEVELS: tuple[Level, ...] = ("region", "zone", "provider", "continent")
"""Those whose groups are not clusters."""


def groups(builder: Builder, federation: Federation, pairs: Pairs, views: Sequence[View]) -> None:
    """The groups of every level at which a workload is spread; ``View.groups`` then knows them."""
    for level in LEVELS:
        those = [view for view in views if level in view.spread]
        if those:
            _of_level(builder, federation, pairs, those, level)


def _of_level(
    builder: Builder, federation: Federation, pairs: Pairs, views: Sequence[View], level: Level
) -> None:
    """For each group: it is used only if a member is, then a row for each member that is."""
    of_cluster = [cluster.groups(level) for cluster in federation.clusters]
    names = sorted({name for named in of_cluster for name in named})
    number = {name: i for i, name in enumerate(names)}
    numbers = np.array([number[name] for named in of_cluster for name in named], dtype=np.int64)
    counts = np.array([len(named) for named in of_cluster], dtype=np.int64)
    # Each membership: a candidate of a workload in a group, in the order of groups by name.
    pair, view = pairs.of_workloads(np.array([v.index for v in views], dtype=np.int64))
    cluster = pairs.cluster[pair]
    at, member = stretches((np.cumsum(counts) - counts)[cluster], counts[cluster])
    keys, group = np.unique(view[member] * len(names) + numbers[at], return_inverse=True)
    order = np.argsort(group, kind="stable")
    member, group = member[order], group[order]
    used = np.concatenate([v.used for v in views])[member]
    owner_view = keys // max(1, len(names))
    owner = np.array([v.index for v in views], dtype=np.int64)[owner_view]
    place = np.array([v.place_of(level) for v in views], dtype=np.int64)[owner_view]
    columns = builder.many(np.ones(len(keys)), owner, integer=True, place=place)
    # The rows of a group stand together: its own, then those of its members.
    sizes = np.bincount(group, minlength=len(keys))
    first = np.cumsum(1 + sizes) - (1 + sizes)
    own = np.zeros(len(keys) + len(member), dtype=bool)
    own[first] = True
    rows = builder.rows(-np.inf, 0.0, [None] * len(own), np.repeat(place, 1 + sizes))
    builder.entries(rows[first[group]], used, -1.0)
    builder.entries(rows[first], columns, 1.0)
    builder.entries(rows[~own], used, 1.0)
    builder.entries(rows[~own], columns[group], -1.0)
    found: list[dict[str, int]] = [{} for _ in views]
    for view_at, key, column in zip(
        owner_view.tolist(), keys.tolist(), columns.tolist(), strict=True
    ):
        found[view_at][names[key % len(names)]] = column
    for each, indicators in zip(views, found, strict=True):
        each.give_groups(level, indicators)
