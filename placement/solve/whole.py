"""A program solved whole, by branch and bound.

Owns the call of OR-Tools' MathOpt with HiGHS: one thread, a fixed seed, limits in nodes and not in
seconds, so that the same program gives the same answer on preview and on up.
"""

import numpy as np
from ortools.math_opt import model_pb2
from ortools.math_opt.python import mathopt
from ortools.math_opt.solvers import highs_pb2

from placement.solve.highs import Answer, Floats, LimitError, Model

NODES = {1: 50, 2: 100, 3: 300, 4: 20_000, 5: 1_000_000}
"""The most branch-and-bound nodes, by effort."""


def solve_whole(model: Model, effort: int, gap: float, start: Floats | None) -> Answer | None:
    """The best answer of *model* with its bound; None if it is infeasible.

    Args:
        model: the program.
        effort: 1 to 5, see ``NODES``.
        gap: the relative gap at which to stop.
        start: values of the columns to start from.

    Raises:
        LimitError: the solver reached its limit without any feasible solution.
    """
    program = mathopt.Model.from_model_proto(_proto(model))
    variables = list(program.variables())
    parameters = mathopt.SolveParameters(
        node_limit=NODES[effort],
        relative_gap_tolerance=gap,
        absolute_gap_tolerance=1e-9,
        highs=highs_pb2.HighsOptionsProto(
            bool_options={"output_flag": False},
            string_options={"parallel": "off"},
            int_options={"random_seed": 1},
        ),
    )
    hints = mathopt.ModelSolveParameters()
    if start is not None:
        values = dict(zip(variables, start.tolist(), strict=True))
        hints.solution_hints.append(mathopt.SolutionHint(variable_values=values))
    result = mathopt.solve(program, mathopt.SolverType.HIGHS, params=parameters, model_params=hints)
    reason = result.termination.reason
    if reason in (
        mathopt.TerminationReason.INFEASIBLE,
        mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED,
    ):
        return None
    if not result.has_primal_feasible_solution():
        raise LimitError(
            f"the solver stopped without a placement ({reason.name.lower()}: "
            f"{result.termination.detail or 'no detail'}); a higher --effort may find one"
        )
    values_of = result.variable_values()
    columns = np.array([values_of[variable] for variable in variables])
    columns[model.integer] = np.round(columns[model.integer])
    value = float(model.cost @ columns)
    return Answer(columns, value, min(value, result.best_objective_bound()))


def _proto(model: Model) -> model_pb2.ModelProto:
    """The model as MathOpt's own message: lists, filled whole."""
    proto = model_pb2.ModelProto()
    proto.variables.ids.extend(range(len(model.cost)))
    proto.variables.lower_bounds.extend(model.lower.tolist())
    proto.variables.upper_bounds.extend(model.upper.tolist())
    proto.variables.integers.extend(model.integer.tolist())
    used = np.flatnonzero(model.cost)
    proto.objective.linear_coefficients.ids.extend(used.tolist())
    proto.objective.linear_coefficients.values.extend(model.cost[used].tolist())
    proto.linear_constraints.ids.extend(range(len(model.row_lower)))
    proto.linear_constraints.lower_bounds.extend(model.row_lower.tolist())
    proto.linear_constraints.upper_bounds.extend(model.row_upper.tolist())
    # By row and column, as the message demands.
    rows = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
    order = np.lexsort((model.index, rows))
    order = order[model.value[order] != 0]
    matrix = proto.linear_constraint_matrix
    matrix.row_ids.extend(rows[order].tolist())
    matrix.column_ids.extend(model.index[order].tolist())
    matrix.coefficients.extend(model.value[order].tolist())
    return proto
