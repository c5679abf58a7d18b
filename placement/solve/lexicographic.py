"""Solving the program: level by level of the objective, to a proven optimum or a stated gap.

Owns the lexicographic method: minimise the first level; keep its value within its tolerance as a
row; minimise the next (Ehrgott, Multicriteria Optimization, 2005, section 5.1). A small program is
solved whole by branch and bound, a large one by decomposition.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from placement.federation.objective import Objective, Term
from placement.program import Program
from placement.solve.decompose import decompose
from placement.solve.highs import Floats, Model
from placement.solve.whole import solve_whole
from placement.solve.workers import ALONE, Workers

GAP = 1e-4
"""Relative gap within which an answer is called optimal: the usual tolerance of MIP solvers. The
solver goes on to the last digit on the first level, as far as the effort allows; later levels
choose within its tolerance, where near-equal answers abound, and stop here."""

_WHOLE = 3_000
"""The most integer columns of a program that is solved whole."""

_SLACK = 1e-7
"""Relative room that a level's row gets beyond its tolerance, against rounding in the solver."""


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


def is_large(program: Program) -> bool:
    """Whether *program* is solved by decomposition."""
    return int(program.integer.sum()) > _WHOLE


def solve(
    program: Program,
    wanted: Sequence[Level],
    effort: int,
    start: Floats | None = None,
    bound: float = -np.inf,
    workers: Workers = ALONE,
) -> Solution | None:
    """Solve *program*; None if it is infeasible.

    Args:
        program: the program.
        wanted: the levels, most important first.
        effort: 1 to 5, see ``whole.NODES`` and ``decompose.TARGET``.
        start: values of the columns to start from, for a large program: see ``decompose``.
        bound: what is known that no answer is below on the first level, for a large program.
        workers: who works on a large program; the answer does not depend on them.

    Raises:
        LimitError: the solver reached its limit without any feasible solution.
    """
    outcomes: list[Outcome] = []
    rows: list[tuple[Floats, float]] = []
    columns: Floats | None = None
    large = is_large(program)
    for level in wanted:
        objective = _cost(program, level)
        model = _model(program, objective, rows)
        if large:
            begin = start if columns is None else columns
            known = -np.inf if rows else bound
            found = decompose(model, program.owner, effort, begin, known, workers)
        else:
            found = solve_whole(model, effort, GAP if rows else 0.0, columns)
        if found is not None:
            columns, value, bound = found.columns, found.value, found.bound
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


def model_of(program: Program, level: Level) -> Model:
    """*program* with *level* as its cost."""
    return _model(program, _cost(program, level), ())


def _cost(program: Program, level: Level) -> Floats:
    result = np.zeros(len(program.lower))
    for term, weight in level.weights.items():
        if term in program.terms:
            result += weight * program.terms[term]
    return result


def _model(program: Program, objective: Floats, rows: Sequence[tuple[Floats, float]]) -> Model:
    """The program with a row for each earlier level."""
    used = [np.flatnonzero(coefficients) for coefficients, _ in rows]
    ends = program.row_start[-1] + np.cumsum([len(u) for u in used], dtype=np.int64)
    return Model(
        cost=objective,
        lower=program.lower,
        upper=program.upper,
        integer=program.integer,
        start=np.concatenate([program.row_start, ends]),
        index=np.concatenate([program.columns, *used]),
        value=np.concatenate(
            [program.values, *(c[u] for (c, _), u in zip(rows, used, strict=True))]
        ),
        row_lower=np.concatenate([program.row_lower, np.full(len(rows), -np.inf)]),
        row_upper=np.concatenate([program.row_upper, [limit for _, limit in rows]]),
    )
