"""The plain mixed-integer program of a textbook: least cost, capacity as sums, and nothing else.

Integer replicas by workload and cluster, all placed if they can be (what is not costs more than
any placement), each cluster's capacity as one sum over its nodes. No whole nodes, no spread, no
users, no losses: what a user writes who has a solver and an afternoon. OR-Tools MathOpt with HiGHS.
"""

from collections.abc import Iterable
from decimal import Decimal

from ortools.math_opt.python import mathopt

from bench.baselines.eligible import Eligible
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.filter import Candidate
from placement.packing import request_of
from placement.quantity import parse_quantity

_NODES = 1000
_GAP = 1e-4


def least_cost(federation: Federation, eligible: Eligible) -> dict[str, dict[str, int]]:
    """Where the program puts every workload."""
    model = mathopt.Model()
    asked: dict[tuple[str, str], list[tuple[float, mathopt.Variable]]] = {}
    columns: dict[tuple[str, str], mathopt.Variable] = {}
    costs: list[tuple[float, mathopt.Variable]] = []
    missing = []
    dearest = max((_cost(c) for of in eligible.values() for c in of), default=0.0)
    for workload in federation.workloads:
        unplaced = model.add_integer_variable(lb=0, ub=workload.size)
        missing.append(unplaced)
        terms = [unplaced]
        for candidate in eligible[workload.id]:
            replicas = model.add_integer_variable(lb=0, ub=workload.size)
            columns[workload.id, candidate.cluster.name] = replicas
            terms.append(replicas)
            costs.append((_cost(candidate), replicas))
            for resource, amount in request_of(workload).items():
                key = (candidate.cluster.name, resource)
                asked.setdefault(key, []).append((float(amount), replicas))
        model.add_linear_constraint(mathopt.fast_sum(terms) == workload.size)
    for cluster in federation.clusters:
        for resource, free in _free(cluster).items():
            entries = asked.get((cluster.name, resource))
            if entries:
                # In parts of what there is: memory counts bytes.
                scale = max(free, 1.0)
                model.add_linear_constraint(
                    _sum((a / scale, x) for a, x in entries) <= free / scale
                )
    model.minimize(_sum(costs) + 10 * (dearest + 1) * mathopt.fast_sum(missing))
    parameters = mathopt.SolveParameters(node_limit=_NODES, relative_gap_tolerance=_GAP)
    result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters)
    values = result.variable_values()
    counts: dict[str, dict[str, int]] = {w.id: {} for w in federation.workloads}
    for (workload_id, name), column in columns.items():
        count = round(values[column])
        if count:
            counts[workload_id][name] = count
    return counts


def _sum(terms: Iterable[tuple[float, mathopt.Variable]]) -> mathopt.LinearExpression:
    return mathopt.fast_sum(a * x for a, x in terms)


def _cost(candidate: Candidate) -> float:
    return min(fit.terms.get("cost") or 0.0 for fit in candidate.fits)


def _free(cluster: Cluster) -> dict[str, float]:
    free: dict[str, Decimal] = {}
    for k in cluster.node_classes:
        for resource, amount in k.allocatable.items():
            left = parse_quantity(amount) * k.count - parse_quantity(k.in_use.get(resource, "0"))
            free[resource] = free.get(resource, Decimal(0)) + left
    return {r: max(0.0, float(a * (1 - cluster.headroom))) for r, a in free.items()}
