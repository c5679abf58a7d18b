"""Rows of budgets: what some workloads may cost and emit together."""

from collections.abc import Sequence

from placement.federation.federation import Federation
from placement.federation.objective import UNITS, Term
from placement.program.matrix import Builder, Requirement
from placement.program.view import View


def budgets(builder: Builder, federation: Federation, views: Sequence[View]) -> None:
    """A row for the money and one for the carbon of each budget."""
    for budget in federation.budgets:
        covered = [view for view in views if budget.covers(view.workload)]
        if budget.money is not None:
            limit = float(federation.amount(budget.money))
            _row(builder, federation, covered, "cost", limit, budget.name, "money")
        if budget.carbon is not None:
            limit = float(budget.carbon)
            _row(builder, federation, covered, "carbon", limit, budget.name, "carbon")


def _row(
    builder: Builder,
    federation: Federation,
    covered: Sequence[View],
    term: Term,
    limit: float,
    name: str,
    key: str,
) -> None:
    unit = UNITS[term].format(currency=federation.objective.currency)
    entries: dict[int, float] = {}
    for view in covered:
        for candidate, of_cluster in zip(view.candidates, view.columns, strict=True):
            for fit, column in zip(candidate.fits, of_cluster, strict=True):
                each = fit.terms[term]
                if each is None:
                    raise ValueError(f"{term} of {view.workload.id} on {candidate.cluster.name}")
                entries[column] = each
    requirement = Requirement(name, f"budget.{key} {limit:g}", unit)
    builder.row(entries, upper=limit, requirement=requirement)
