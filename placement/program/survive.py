"""Rows of survival: what no division could meet, so that no search for one begins.

After a loss the workloads that promise to survive it must find room on what is left, wherever
Karmada then puts them. These rows hold no variable; what Karmada really does is checked exactly.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from placement.failure import Loss, losses
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.capacity import free_of, unit_of, units
from placement.program.matrix import Builder, Requirement
from placement.program.view import View

_Amounts = Mapping[str, Decimal]
"""By resource."""


def survival(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """The rows for each loss, of each workload that promises to survive it and of all together."""
    resources = sorted({r for view in views for r in request_of(view.workload)})
    free = {c.name: {r: free_of(c, r) for r in resources} for c in federation.clusters}
    every = list(losses(federation))
    for kind in ("cluster", "region"):
        promised = [v for v in views if v.workload.survive and v.workload.survive.loss == kind]
        scopes = [loss for loss in every if loss.kind == kind]
        for view in promised:
            _rows(builder, free, scopes, [view], view.workload.id)
        if len(promised) > 1:
            names = " and ".join(view.workload.id for view in promised)
            _rows(builder, free, scopes, promised, names)


def _rows(
    builder: Builder,
    free: Mapping[str, _Amounts],
    scopes: Sequence[Loss],
    views: Sequence[View],
    subject: str,
) -> None:
    """A row for each loss and resource of which the rest has too little for *views*."""
    names = {name for view in views for name, _ in view.by_cluster}
    asked: dict[str, Decimal] = {}
    for view in views:
        for resource, amount in request_of(view.workload).items():
            asked[resource] = asked.get(resource, Decimal(0)) + amount * view.workload.size
    for resource, amount in sorted(asked.items()):
        there = {name: free[name][resource] for name in sorted(names)}
        total = sum(there.values(), Decimal(0))
        for loss in scopes:
            lost = sum((there[name] for name in loss.clusters if name in there), Decimal(0))
            if amount > total - lost:
                rule = f"survive.{loss.kind} with {loss.name} lost: {resource}"
                requirement = Requirement(subject, rule, unit_of(resource))
                short = float(units(resource, amount - total + lost))
                builder.row({}, lower=short, requirement=requirement)
