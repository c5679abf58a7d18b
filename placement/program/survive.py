"""Rows of survival: what no division could meet, so that no search for one begins.

After a loss the workloads that promise to survive it must find room on what is left, wherever
Karmada then puts them. These rows hold no variable; what Karmada really does is checked exactly.
"""

from collections.abc import Sequence
from decimal import Decimal

from placement.failure import Loss, losses
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.capacity import free_of, unit_of, units
from placement.program.matrix import Builder, Requirement
from placement.program.view import View


def survival(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """The rows for each loss, of each workload that promises to survive it and of all together."""
    for loss in losses(federation):
        promised = [v for v in views if v.workload.survive and v.workload.survive.loss == loss.kind]
        for view in promised:
            _row(builder, federation, loss, [view], view.workload.id)
        if len(promised) > 1:
            names = " and ".join(view.workload.id for view in promised)
            _row(builder, federation, loss, promised, names)


def _row(
    builder: Builder, federation: Federation, loss: Loss, views: Sequence[View], subject: str
) -> None:
    names = {name for view in views for name, _ in view.by_cluster} - loss.clusters
    for resource in sorted({r for view in views for r in request_of(view.workload)}):
        asked = sum(
            (
                request_of(view.workload).get(resource, Decimal(0)) * view.workload.size
                for view in views
            ),
            Decimal(0),
        )
        free = sum((free_of(federation.cluster(name), resource) for name in names), Decimal(0))
        if asked > free:
            rule = f"survive.{loss.kind} with {loss.name} lost: {resource}"
            requirement = Requirement(subject, rule, unit_of(resource))
            builder.row({}, lower=float(units(resource, asked - free)), requirement=requirement)
