"""Rows of one workload by itself: replicas, bounds by cluster, wanted ratio."""

from collections.abc import Sequence

import numpy as np

from placement.division import webster
from placement.federation.federation import Federation
from placement.program.matrix import Builder, Integers, Requirement, sum_of
from placement.program.pairs import Pairs
from placement.program.view import View


def replicas(builder: Builder, pairs: Pairs, views: Sequence[View], size: Integers) -> None:
    """All replicas are placed; named clusters hold at least and at most what is said.

    Args:
        builder: collects the rows.
        pairs: of the program.
        views: the workloads.
        size: of each, its replicas.
    """
    requirements = [
        Requirement(view.workload.id, f"replicas {count}", "replicas")
        for view, count in zip(views, size.tolist(), strict=True)
    ]
    rows = builder.rows(size, size, requirements, np.array([view.place for view in views]))
    builder.entries(rows[pairs.workload[pairs.pair]], np.arange(len(pairs.pair)), 1.0)
    for view in views:
        if view.workload.at_least or view.workload.at_most:
            builder.place = view.place
            _named(builder, view)


def _named(builder: Builder, view: View) -> None:
    """The bounds of the clusters that a workload names."""
    workload = view.workload
    columns = dict(view.by_cluster)
    for name, least in workload.at_least.items():
        requirement = Requirement(workload.id, f"atLeast.{name} {least}", "replicas")
        builder.row(sum_of(columns.get(name, ())), lower=least, requirement=requirement)
    for name, most in workload.at_most.items():
        requirement = Requirement(workload.id, f"atMost.{name} {most}", "replicas")
        builder.row(sum_of(columns.get(name, ())), upper=most, requirement=requirement)


def ratio(builder: Builder, federation: Federation, view: View) -> None:
    """A wanted ratio is what Karmada would divide it to: met exactly, or left at its price."""
    workload = view.workload
    if not workload.weights:
        return
    price = workload.deviation_price
    columns = dict(view.by_cluster)
    for name, count in webster(workload.size, workload.weights).items():
        of_cluster = columns.get(name, ())
        if price is None:
            requirement = Requirement(workload.id, f"weights.{name} {count}", "replicas")
            builder.row(sum_of(of_cluster), count, count, requirement)
            continue
        # A replica away is missing in one place and over in another: counted where it is missing.
        missing = builder.column(0, workload.size, integer=False, owner=view.index)
        builder.cost("cost", missing, float(federation.amount(price)))
        builder.row({**sum_of(of_cluster), missing: 1.0}, lower=count)
