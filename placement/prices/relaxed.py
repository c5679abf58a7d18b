"""The program's relaxation, in which replicas need not be whole: its optimum, and what binds there.

The dual value of a row is what the optimum changes by for each unit of the row's bound, for small
changes (Chvátal, Linear Programming, 1983, chapter 5). A row may be at its bound with a dual value
of 0, where the bound of a column says the same: it binds as well.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from placement.program import Program
from placement.solve import Level, model_of
from placement.solve.highs import Linear

_NEAR = 1e-7
"""What the solver calls equal."""


@dataclass(frozen=True)
class Relaxed:
    """The optimum of a relaxation.

    Attributes:
        value: of the level, in its unit.
        binding: by row, whether it has a dual value or is at its bound.
    """

    value: float
    binding: NDArray[np.bool_]


def relaxed(program: Program, level: Level) -> Relaxed | None:
    """The relaxation of *program* at its best for *level*; None where it has no solution.

    Raises:
        LimitError: the solver ended without an answer.
    """
    linear = Linear(model_of(program, level))
    return Relaxed(linear.value, _binding(program, linear)) if linear.solve() else None


def _binding(program: Program, linear: Linear) -> NDArray[np.bool_]:
    height = len(program.row_lower)
    rows = np.repeat(np.arange(height), np.diff(program.row_start))
    parts = program.values * linear.columns[program.columns]
    activity = np.bincount(rows, weights=parts, minlength=height)
    near = _NEAR * np.maximum(1.0, np.abs(activity))
    at_bound = (activity <= program.row_lower + near) | (activity >= program.row_upper - near)
    return at_bound | (np.abs(linear.duals) > _NEAR)
