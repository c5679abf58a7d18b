"""What the replicas on a cluster cost and emit, whatever placed them.

A placement says cluster and not node. Every placement is charged for the cheapest way in which the
cluster's node classes hold its replicas (a linear program over the classes), so that no method is
judged by nodes that it never chose.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ortools.math_opt.python import mathopt

from placement.federation.cluster import Cluster
from placement.federation.workload import Workload
from placement.filter import Candidate
from placement.packing import request_of
from placement.quantity import parse_quantity

_UNHELD = 1e7
"""The price of a replica that the classes do not hold: above any real one."""


@dataclass(frozen=True)
class Charged:
    """Money in the objective's currency a month, and kgCO2e a month."""

    cost: float
    carbon: float


def charged(
    cluster: Cluster, there: Mapping[str, int], workloads: Mapping[str, Workload],
    candidates: Mapping[str, Candidate],
) -> Charged:  # fmt: skip
    """The charge of a cluster for the replicas *there*, by workload id."""
    model = mathopt.Model()
    columns: list[tuple[float, float, mathopt.Variable]] = []
    asked: dict[tuple[str, str], list[mathopt.LinearExpression]] = {}
    for name, count in there.items():
        unheld = model.add_variable(lb=0)
        terms = [unheld]
        columns.append((_UNHELD, 0.0, unheld))
        for fit in candidates[name].fits:
            share = model.add_variable(lb=0)
            terms.append(share)
            cost, carbon = fit.terms.get("cost") or 0.0, fit.terms.get("carbon") or 0.0
            columns.append((cost, carbon, share))
            for resource, amount in request_of(workloads[name]).items():
                each = parse_quantity(fit.node_class.allocatable[resource])
                key = (fit.node_class.name, resource)
                asked.setdefault(key, []).append(float(amount / each) * share)
        model.add_linear_constraint(mathopt.fast_sum(terms) == count)
    for k in cluster.node_classes:
        for resource, total in k.allocatable.items():
            entries = asked.get((k.name, resource))
            if entries:
                used = parse_quantity(k.in_use.get(resource, "0")) / parse_quantity(total)
                model.add_linear_constraint(mathopt.fast_sum(entries) <= k.count - float(used))
    model.minimize(mathopt.fast_sum(cost * x for cost, _, x in columns))
    values = mathopt.solve(model, mathopt.SolverType.GLOP).variable_values()
    held = [(cost, carbon, values[x]) for cost, carbon, x in columns if cost < _UNHELD]
    return Charged(
        cost=sum(cost * n for cost, _, n in held), carbon=sum(carbon * n for _, carbon, n in held)
    )
