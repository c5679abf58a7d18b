"""Rows of demand: which replicas serve the users of which region.

Users of a region are served by the replicas nearest to them, each replica taking its equal share
of the traffic, as a load balancer by latency with even backends does. A pair with an unknown round
trip, or with one over the workload's limit, has no column; where a pair is missing, shares are
rounded to whole replicas.
"""

from placement.federation.federation import Federation
from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.view import View


def demand(builder: Builder, federation: Federation, view: View, served: int) -> None:
    """The flows of one workload's demand.

    Args:
        builder: collects them.
        federation: with the latencies.
        view: the workload.
        served: replicas of all workloads that state a demand: the term is the mean over them.
    """
    workload, latency = view.workload, federation.latency
    if not workload.demand or latency is None:
        return
    at: list[dict[int, float]] = [{} for _ in view.candidates]
    everywhere = True
    for region, share in workload.shares.items():
        flows: list[int] = []
        for index, candidate in enumerate(view.candidates):
            ms = latency.between(region, candidate.cluster.region)
            limit = workload.latency_limit
            if ms is None or (limit is not None and ms > limit):
                everywhere = False
                continue
            flow = builder.column(0, workload.size, integer=False, owner=view.index)
            builder.cost("latency", flow, ms / served)
            flows.append(flow)
            at[index][flow] = 1.0
        part = float(share) * workload.size
        limit_shown = (
            "" if workload.latency_limit is None else f"latencyLimit {workload.latency_limit}"
        )
        rule = f"{limit_shown or 'a known latency'} for users in {region}"
        builder.row(sum_of(flows), part, part, Requirement(workload.id, rule, "replicas"))
    for entries, of_cluster in zip(at, view.columns, strict=True):
        if everywhere:
            builder.row({**sum_of(of_cluster, -1.0), **entries}, 0, 0)
            continue
        # Replicas are whole: those of a cluster may carry up to one replica's share more together.
        builder.row({**sum_of(of_cluster, -1.0), **entries}, upper=1)
        builder.row({**sum_of(of_cluster, -float(workload.size)), **entries}, upper=0)
