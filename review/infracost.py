"""The cost of a decision in Infracost's published JSON form, so that bots that know it show it.

Owns the mapping: a workload is a resource, its replicas by cluster are one cost component. Amounts
are those of the decision, with its currency and cost basis.

Source: ``schema/infracost.schema.json`` of Infracost, form 0.2.
"""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from placement.decision import Decision, PlacedWorkload
from placement.federation.facts import HOURS_PER_MONTH

_VERSION: Final = "0.2"


def infracost(stack: str, before: Decision | None, after: Decision | None, now: date) -> str:
    """Return the two decisions' cost and its difference, as text with a newline at the end.

    Args:
        stack: the project's name in the document.
        before: the last decision; None for none, which costs nothing.
        after: the new one; None where nothing was decided, which leaves its amounts open.
        now: the day on which the document says it was made.
    """
    past, planned = _costs(before), _costs(after)
    named = {w.id: w for d in (before, after) if d is not None for w in d.workloads}
    differences = {
        name: None
        if _unknown(past, name) or _unknown(planned, name)
        else (planned.get(name) or Decimal(0)) - (past.get(name) or Decimal(0))
        for name in sorted(past.keys() | planned.keys())
        if past.get(name) != planned.get(name)
    }
    total, past_total, difference = _sum(planned), _sum(past), _sum(differences)
    project = {
        "name": stack,
        "metadata": {"path": ".", "type": "pulumi"},
        "pastBreakdown": _breakdown(past, named),
        "breakdown": _breakdown(planned, named),
        "diff": _breakdown(differences, named),
        "summary": _summary(planned),
    }
    document = {
        "version": _VERSION,
        "currency": _currency(after or before),
        "projects": [project],
        "totalHourlyCost": _hourly(total),
        "totalMonthlyCost": _text(total),
        "pastTotalHourlyCost": _hourly(past_total),
        "pastTotalMonthlyCost": _text(past_total),
        "diffTotalHourlyCost": _hourly(difference),
        "diffTotalMonthlyCost": _text(difference),
        "timeGenerated": f"{now.isoformat()}T00:00:00Z",
        "summary": _summary(planned),
    }
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


Costs = Mapping[str, Decimal | None]
"""Of a month, by workload id; None where it is unknown."""


def _costs(decision: Decision | None) -> Costs:
    costs: dict[str, Decimal | None] = {}
    for workload in decision.workloads if decision else ():
        cost = (workload.terms or {}).get("cost")
        costs[workload.id] = None if cost is None else Decimal(str(cost))
    return costs


def _unknown(costs: Costs, name: str) -> bool:
    return name in costs and costs[name] is None


def _breakdown(costs: Costs, named: Mapping[str, PlacedWorkload]) -> dict[str, Any]:
    total = _sum(costs)
    return {
        "resources": [_resource(named[name], cost) for name, cost in sorted(costs.items())],
        "totalHourlyCost": _hourly(total),
        "totalMonthlyCost": _text(total),
    }


def _resource(workload: PlacedWorkload, cost: Decimal | None) -> dict[str, Any]:
    amounts = {"hourlyCost": _hourly(cost), "monthlyCost": _text(cost)}
    replicas = ", ".join(f"{n} {cluster}" for cluster, n in sorted(workload.replicas.items()))
    component = {
        "name": f"Replicas ({replicas})",
        "unit": "months",
        "hourlyQuantity": _hourly(Decimal(1)),
        "monthlyQuantity": "1",
        "price": _text(cost),
        **amounts,
    }
    return {"name": workload.id, "metadata": {}, **amounts, "costComponents": [component]}


def _sum(costs: Costs) -> Decimal | None:
    """The sum of what is known; None where nothing is."""
    known = [cost for cost in costs.values() if cost is not None]
    return sum(known, Decimal(0)) if known or not costs else None


def _summary(costs: Costs) -> dict[str, int]:
    known = sum(cost is not None for cost in costs.values())
    return {
        "totalResources": len(costs),
        "totalDetectedResources": len(costs),
        "totalSupportedResources": known,
        "totalNoPriceResources": len(costs) - known,
    }


def _currency(decision: Decision | None) -> str:
    """The first word of the cost's unit, such as ``EUR/month allocated net``."""
    units = (o.unit for o in decision.objective if o.term == "cost") if decision else ()
    return next((unit.partition("/")[0] for unit in units), "")


def _hourly(monthly: Decimal | None) -> str | None:
    return None if monthly is None else _text(round(monthly / HOURS_PER_MONTH, 8))


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount.normalize():f}"
