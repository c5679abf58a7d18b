"""Rows of demand: which replicas serve the users of which region.

Users of a region are served by the replicas nearest to them, each replica taking its equal share
of the traffic, as a load balancer by latency with even backends does. A pair with an unknown round
trip, or with one over the workload's limit, has no column; where a pair is missing, shares are
rounded to whole replicas.
"""

from collections.abc import Sequence

import numpy as np

from placement.federation.facts import Latency
from placement.federation.federation import Federation
from placement.program.matrix import Builder, Floats, Integers, Requirement
from placement.program.pairs import Pairs
from placement.program.view import PLACES, View


def demand(builder: Builder, federation: Federation, pairs: Pairs, views: Sequence[View]) -> None:
    """The flows of all workloads' demand; their latency is the mean over all that state one."""
    users = [view for view in views if view.workload.demand]
    latency = federation.latency
    if not users or latency is None:
        return
    size = np.array([view.workload.size for view in users])
    index = np.array([view.index for view in users])
    place = np.array([view.place + PLACES - 1 for view in users])
    # One after the other: each workload's regions with users; each region's candidates.
    shares = [view.workload.shares for view in users]
    of_region = np.repeat(np.arange(len(users)), [len(of) for of in shares])
    regions = [region for of in shares for region in of]
    parts = np.array([float(share) for of in shares for share in of.values()]) * size[of_region]
    pair, region = pairs.of_workloads(index[of_region])
    times = _times(latency, federation, regions)[region, pairs.cluster[pair]]
    limits = [view.workload.latency_limit for view in users]
    limit = np.array([np.inf if value is None else float(value) for value in limits])
    near = times <= limit[of_region[region]]  # an unknown time is none
    everywhere = np.ones(len(users), dtype=bool)
    everywhere[of_region[region[~near]]] = False
    pair, region, times = pair[near], region[near], times[near]
    user = of_region[region]
    flows = builder.many(size[user], index[user], integer=False, place=place[user])
    builder.costs("latency", flows, times / size.sum())
    requirements = [
        Requirement(
            view.workload.id,
            ("a known latency" if value is None else f"latencyLimit {value}")
            + f" for users in {name}",
            "replicas",
        )
        for view, value, of in zip(users, limits, shares, strict=True)
        for name in of
    ]
    rows = builder.rows(parts, parts, requirements, place[of_region])
    builder.entries(rows[region], flows, 1.0)
    served, user = pairs.of_workloads(index)
    at = np.zeros(len(pairs.workload), dtype=np.int64)
    at[served] = np.arange(len(served))
    _carried(builder, pairs, served, everywhere[user], size[user], (at[pair], flows), place[user])


def _carried(
    builder: Builder,
    pairs: Pairs,
    served: Integers,
    everywhere: np.ndarray,
    size: Integers,
    flows: tuple[Integers, Integers],
    place: Integers,
) -> None:
    """The replicas of each pair of *served* carry its flows.

    Exactly, where all users can be served from all candidates. Where a pair is missing replicas
    are whole: those of a cluster may carry up to one replica's share more together.

    Args:
        builder: collects the rows.
        pairs: of the program.
        served: pairs of the workloads that have users.
        everywhere: by served pair, whether no flow of its workload is missing.
        size: by served pair, the replicas of its workload.
        flows: of each the served pair, counted in *served*, and the column.
        place: by served pair.
    """
    count = np.where(everywhere, 1, 2)
    first = np.cumsum(count) - count
    lower = np.repeat(np.where(everywhere, 0.0, -np.inf), count)
    upper = np.repeat(np.where(everywhere, 0.0, 1.0), count)
    upper[first[~everywhere] + 1] = 0.0
    rows = builder.rows(lower, upper, [None] * len(lower), np.repeat(place, count))
    slots, pair = pairs.slots_of(served)
    flow_pair, columns = flows
    builder.entries(rows[first[pair]], slots, -1.0)
    builder.entries(rows[first[flow_pair]], columns, 1.0)
    rounded = ~everywhere[pair]
    builder.entries(rows[first[pair[rounded]] + 1], slots[rounded], -size[pair[rounded]] * 1.0)
    rounded = ~everywhere[flow_pair]
    builder.entries(rows[first[flow_pair[rounded]] + 1], columns[rounded], 1.0)


def _times(latency: Latency, federation: Federation, regions: Sequence[str]) -> Floats:
    """The round trip in ms from each of *regions* to each cluster; NaN where it is unknown."""
    sources = {name: i for i, name in enumerate(dict.fromkeys(regions))}
    targets = {
        name: i for i, name in enumerate(dict.fromkeys(c.region for c in federation.clusters))
    }
    table = np.full((len(sources), len(targets)), np.nan)
    for source, i in sources.items():
        for target, j in targets.items():
            known = latency.between(source, target)
            if known is not None:
                table[i, j] = known
    to = [targets[cluster.region] for cluster in federation.clusters]
    return table[[sources[region] for region in regions]][:, to]
