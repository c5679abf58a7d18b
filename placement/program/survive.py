"""Rows of survival: what no division could meet, so that no search for one begins.

After a loss the workloads that promise to survive it must find room on what is left, wherever
Karmada then puts them. These rows hold no variable; what Karmada really does is checked exactly.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from placement.failure import Loss, losses
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.capacity import free_of, unit_of, units
from placement.program.matrix import Builder, Requirement
from placement.program.view import View


def survival(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """The rows for each loss, of each workload that promises to survive it and of all together."""
    every = list(losses(federation))
    for kind in ("cluster", "region"):
        promised = [v for v in views if v.workload.survive and v.workload.survive.loss == kind]
        if not promised:
            continue
        scopes = _Scopes.of(federation, [loss for loss in every if loss.kind == kind], promised)
        for view in promised:
            _rows(builder, scopes, [view], view.workload.id)
        if len(promised) > 1:
            names = " and ".join(view.workload.id for view in promised)
            _rows(builder, scopes, promised, names)


@dataclass(frozen=True)
class _Scopes:
    """The losses of a kind.

    Attributes:
        losses: all of them.
        free: by resource and cluster.
        most: by resource, the most that a loss takes.
    """

    losses: Sequence[Loss]
    free: Mapping[str, Mapping[str, Decimal]]
    most: Mapping[str, Decimal]

    @classmethod
    def of(cls, federation: Federation, scopes: Sequence[Loss], views: Sequence[View]) -> "_Scopes":
        """With what matters to *views*."""
        resources = sorted({r for view in views for r in request_of(view.workload)})
        free = {r: {c.name: free_of(c, r) for c in federation.clusters} for r in resources}
        most = {r: max(_sum(there, loss.clusters) for loss in scopes) for r, there in free.items()}
        return cls(scopes, free, most)


def _rows(builder: Builder, scopes: _Scopes, views: Sequence[View], subject: str) -> None:
    """A row for each loss and resource of which the rest has too little for *views*."""
    names = {c.cluster.name for view in views for c in view.candidates}
    asked: dict[str, Decimal] = {}
    for view in views:
        for resource, amount in request_of(view.workload).items():
            asked[resource] = asked.get(resource, Decimal(0)) + amount * view.workload.size
    for resource, amount in sorted(asked.items()):
        total = _sum(scopes.free[resource], names)
        if amount + scopes.most[resource] <= total:
            continue  # whatever is lost
        for loss in scopes.losses:
            lost = _sum(scopes.free[resource], loss.clusters & names)
            if amount > total - lost:
                rule = f"survive.{loss.kind} with {loss.name} lost: {resource}"
                requirement = Requirement(subject, rule, unit_of(resource))
                short = float(units(resource, amount - total + lost))
                builder.row({}, lower=short, requirement=requirement)


def _sum(amounts: Mapping[str, Decimal], names: Collection[str]) -> Decimal:
    return sum(map(amounts.__getitem__, names), Decimal(0))
