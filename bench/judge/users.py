"""How far users are from the replicas that serve them.

Users go to the nearest replicas, each replica taking its equal share (a transportation problem), as
in the engine's own term. A pair whose round trip is unknown, or beyond the workload's limit, serves
nobody.
"""

from collections.abc import Mapping
from decimal import Decimal

from ortools.math_opt.python import mathopt

from placement.federation.federation import Federation
from placement.federation.workload import Workload

_UNSERVED = 1e6


def served(
    federation: Federation, workload: Workload, counts: Mapping[str, int]
) -> tuple[float, float]:
    """Replica-milliseconds and replicas that serve, of one workload."""
    latency, total = federation.latency, sum(counts.values())
    if latency is None or not workload.demand or not total:
        return 0.0, 0.0
    region = {c.name: c.region for c in federation.clusters}
    model = mathopt.Model()
    at: dict[str, list[mathopt.Variable]] = {name: [] for name in counts}
    columns: list[tuple[float, mathopt.Variable]] = []
    for users, share in workload.shares.items():
        terms = []
        for name in counts:
            ms = latency.between(users, region[name])
            limit = workload.latency_limit
            if ms is None or (limit is not None and Decimal(str(ms)) > limit):
                continue
            flow = model.add_variable(lb=0)
            terms.append(flow)
            at[name].append(flow)
            columns.append((ms, flow))
        unserved = model.add_variable(lb=0)
        columns.append((_UNSERVED, unserved))
        model.add_linear_constraint(mathopt.fast_sum([*terms, unserved]) == float(share) * total)
    for name, flows in at.items():
        model.add_linear_constraint(mathopt.fast_sum(flows) <= counts[name])
    model.minimize(mathopt.fast_sum(ms * x for ms, x in columns))
    values = mathopt.solve(model, mathopt.SolverType.GLOP).variable_values()
    flows_of = [(ms, values[x]) for ms, x in columns if ms < _UNSERVED]
    return sum(ms * n for ms, n in flows_of), sum(n for _, n in flows_of)
