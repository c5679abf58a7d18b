"""Solving programs: whole by branch and bound, or by decomposition into workloads.

``lexicographic.py`` is what others call. ``decompose.py`` is the method for large programs, with a
module for each of its steps. ``highs.py`` and ``whole.py`` alone call solvers. All know matrices
and not federations, but for two: ``lexicographic.py`` turns an objective into levels, ``start.py``
a placement into values of columns.
"""

from placement.solve.highs import LimitError
from placement.solve.lexicographic import (
    GAP,
    Level,
    Outcome,
    Solution,
    is_large,
    levels,
    model_of,
    solve,
)
from placement.solve.start import present_slots
from placement.solve.workers import Workers

__all__ = [
    "GAP",
    "Level",
    "LimitError",
    "Outcome",
    "Solution",
    "Workers",
    "is_large",
    "levels",
    "model_of",
    "present_slots",
    "solve",
]
