"""Rows of balance: no cluster is fuller than the fullest, which is to be as little full as it can.

The part of a cluster that is in use is the largest over its resources, over all its nodes, what
others use included.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.capacity import units
from placement.program.matrix import Builder
from placement.program.view import View


def balance(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """The column of the fullest part, and a row for each resource of each candidate cluster."""
    if "balance" not in federation.objective.terms:
        return
    fullest = builder.column(0, np.inf, integer=False)
    builder.cost("balance", fullest, 1.0)
    columns = [(request_of(view.workload), dict(view.by_cluster)) for view in views]
    for cluster in federation.clusters:
        for resource in sorted({r for k in cluster.node_classes for r in k.allocatable}):
            asked = {
                column: float(units(resource, request[resource]))
                for request, of_clusters in columns
                if resource in request
                for column in of_clusters.get(cluster.name, ())
            }
            whole = sum((k.total(resource) for k in cluster.node_classes), Decimal(0))
            used = whole - sum((k.free(resource) for k in cluster.node_classes), Decimal(0))
            if asked:
                row = {**asked, fullest: -float(units(resource, whole))}
                builder.row(row, upper=-float(units(resource, used)))
