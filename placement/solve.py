"""Solving the program: level by level of the objective, to a proven optimum or a stated gap.

Owns the calls of OR-Tools: MathOpt with HiGHS, one thread, fixed seed, limits in nodes and not in
seconds, so that the same program gives the same answer on preview and on up.

Lexicographic method: minimise the first level; keep its value within its tolerance as a row;
minimise the next (Ehrgott, Multicriteria Optimization, 2005, section 5.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from ortools.math_opt import model_pb2
from ortools.math_opt.python import mathopt
from ortools.math_opt.solvers import highs_pb2

from placement.faults import FederationError
from placement.federation.objective import Objective, Term
from placement.program import Floats, Program

NODES = {1: 50, 2: 100, 3: 300, 4: 20_000, 5: 1_000_000}
"""The most branch-and-bound nodes of a level, by effort."""

GAP = 1e-4
"""Relative gap within which an answer is called optimal: the usual tolerance of MIP solvers. The
solver goes on to the last digit on the first level, as far as the effort allows; later levels
choose within its tolerance, where near-equal answers abound, and stop here."""

_SLACK = 1e-7
"""Relative room that a level's row gets beyond its tolerance, against rounding in the solver."""


class LimitError(FederationError):
    """The solver reached its limit without any feasible solution."""


@dataclass(frozen=True)
class Level:
    """A level of the objective.

    Attributes:
        name: the term, or ``weighted``.
        weights: of the terms in it.
        within: the part of the optimum that later levels may give up.
    """

    name: str
    weights: dict[Term, float]
    within: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """A level that was solved.

    Attributes:
        level: the level.
        value: of the best solution found, in the level's unit.
        bound: what no solution can be below, within the rows of earlier levels.
    """

    level: Level
    value: float
    bound: float


@dataclass(frozen=True)
class Solution:
    """The answer: values by column, and how each level ended."""

    columns: Floats
    outcomes: tuple[Outcome, ...]


def levels(objective: Objective) -> list[Level]:
    """The objective of a federation file as levels to be solved one after the other."""
    if objective.weighted:
        weights = {term: float(weight) for term, weight in objective.weighted.items()}
        return [Level("weighted", weights)]
    return [Level(g.term, {g.term: 1.0}, float(g.within)) for g in objective.goals]


def solve(program: Program, wanted: Sequence[Level], effort: int) -> Solution | None:
    """Solve *program*; None if it is infeasible.

    Args:
        program: the program.
        wanted: the levels, most important first.
        effort: 1 to 5, see ``NODES``.

    Raises:
        LimitError: the solver reached its limit without any feasible solution.
    """
    outcomes: list[Outcome] = []
    rows: list[tuple[Floats, float]] = []
    columns: Floats | None = None
    for level in wanted:
        objective = sum(
            (
                weight * program.terms[t]
                for t, weight in level.weights.items()
                if t in program.terms
            ),
            np.zeros(len(program.lower)),
        )
        gap = GAP if rows else 0.0
        result = _minimise(program, objective, rows, columns, effort, gap)
        if result is not None:
            columns, value, bound = result
        elif columns is None:
            return None
        else:
            # The answer of the levels before is one; only rounding can have lost it. No term is
            # ever below 0.
            value, bound = float(objective @ columns), 0.0
        outcomes.append(Outcome(level, value, bound))
        limit = value + abs(value) * level.within + _SLACK * max(1.0, abs(value))
        rows.append((objective, limit))
    if columns is None:
        raise ValueError("an objective has at least one level")
    return Solution(columns, tuple(outcomes))


def _minimise(
    program: Program,
    objective: Floats,
    rows: Sequence[tuple[Floats, float]],
    start: Floats | None,
    effort: int,
    gap: float,
) -> tuple[Floats, float, float] | None:
    """Values by column, objective value and bound; None if infeasible."""
    model = mathopt.Model.from_model_proto(_proto(program, objective, rows))
    variables = list(model.variables())
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
    result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters, model_params=hints)
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
    columns[program.integer] = np.round(columns[program.integer])
    value = float(objective @ columns)
    return columns, value, min(value, result.best_objective_bound())


def _proto(
    program: Program, objective: Floats, rows: Sequence[tuple[Floats, float]]
) -> model_pb2.ModelProto:
    """The model as MathOpt's own message: lists, filled whole."""
    proto = model_pb2.ModelProto()
    count = len(program.lower)
    proto.variables.ids.extend(range(count))
    proto.variables.lower_bounds.extend(program.lower.tolist())
    proto.variables.upper_bounds.extend(program.upper.tolist())
    proto.variables.integers.extend(program.integer.tolist())
    used = np.flatnonzero(objective)
    proto.objective.linear_coefficients.ids.extend(used.tolist())
    proto.objective.linear_coefficients.values.extend(objective[used].tolist())
    height = len(program.row_lower)
    proto.linear_constraints.ids.extend(range(height + len(rows)))
    proto.linear_constraints.lower_bounds.extend(program.row_lower.tolist())
    proto.linear_constraints.upper_bounds.extend(program.row_upper.tolist())
    matrix = proto.linear_constraint_matrix
    row_ids, columns, values = _sorted(program)
    matrix.row_ids.extend(row_ids)
    matrix.column_ids.extend(columns)
    matrix.coefficients.extend(values)
    for index, (coefficients, limit) in enumerate(rows):
        used = np.flatnonzero(coefficients)
        proto.linear_constraints.lower_bounds.append(-np.inf)
        proto.linear_constraints.upper_bounds.append(limit)
        matrix.row_ids.extend([height + index] * len(used))
        matrix.column_ids.extend(used.tolist())
        matrix.coefficients.extend(coefficients[used].tolist())
    return proto


def _sorted(program: Program) -> tuple[list[int], list[int], list[float]]:
    """The matrix as (row, column, value), sorted by row and column as the message demands."""
    rows = np.repeat(np.arange(len(program.row_lower)), np.diff(program.row_start))
    order = np.lexsort((program.columns, rows))
    keep = order[program.values[order] != 0]
    return rows[keep].tolist(), program.columns[keep].tolist(), program.values[keep].tolist()
