"""The calls of HiGHS: a linear or mixed-integer program in, an answer with its proof out.

Owns the options that make an answer the same every time: one thread, a fixed seed, limits in
branch-and-bound nodes and simplex iterations and never in seconds. The matrix goes in whole, as
numpy arrays. It does not know what a program is about.
"""

from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from placement.faults import FederationError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_STATUS = highspy.HighsModelStatus
_INFEASIBLE = (_STATUS.kInfeasible, _STATUS.kUnboundedOrInfeasible)


class LimitError(FederationError):
    """The solver reached its limit without any feasible solution."""


@dataclass(frozen=True)
class Model:
    """Minimise ``cost @ x`` over ``row_lower <= A x <= row_upper``, ``lower <= x <= upper``.

    Attributes:
        cost, lower, upper: by column.
        integer: by column, whether its value must be whole.
        start, index, value: A by rows (CSR).
        row_lower, row_upper: by row.
    """

    cost: Floats
    lower: Floats
    upper: Floats
    integer: NDArray[np.bool_]
    start: Integers
    index: Integers
    value: Floats
    row_lower: Floats
    row_upper: Floats


@dataclass(frozen=True)
class Found:
    """What branch and bound found.

    Attributes:
        columns: the best answer, integers exact; None where there is none within the limit.
        bound: what no answer is below.
    """

    columns: Floats | None
    bound: float


@dataclass(frozen=True)
class Answer:
    """Whole values of the columns within all rows.

    Attributes:
        columns: the values.
        value: what they cost.
        bound: what no answer is below.
    """

    columns: Floats
    value: float
    bound: float


class Linear:
    """A linear program that is solved again and again, each time from the last basis.

    By the dual simplex method: the answer is a vertex, and the same one every time.
    """

    def __init__(self, model: Model, *, presolve: bool = True) -> None:
        """Load *model*; its integers are relaxed. Small ones are quicker without a presolve."""
        self._highs = _loaded(model, relaxed=True)
        self._highs.setOptionValue("presolve", "choose" if presolve else "off")
        self._width = len(model.cost)

    def solve(self) -> bool:
        """Solve it; whether it has an answer."""
        self._highs.run()
        if self._highs.getModelStatus() not in (_STATUS.kOptimal, *_INFEASIBLE):
            self._highs.clearSolver()  # a basis that rounding has spoilt: from the beginning
            self._highs.run()
        if self._highs.getModelStatus() == _STATUS.kOptimal:
            return True
        if self._highs.getModelStatus() in _INFEASIBLE:
            return False
        detail = self._highs.modelStatusToString(self._highs.getModelStatus())
        raise LimitError(f"the linear relaxation ended without an answer: {detail}")

    @property
    def value(self) -> float:
        """The optimum."""
        return float(self._highs.getInfo().objective_function_value)

    @property
    def columns(self) -> Floats:
        """The values of the model's own columns."""
        return np.array(self._highs.getSolution().col_value)[: self._width]

    @property
    def duals(self) -> Floats:
        """By row, the change of the optimum for each unit of its side that binds."""
        return np.array(self._highs.getSolution().row_dual)

    @property
    def reduced(self) -> Floats:
        """The reduced costs of the model's own columns."""
        return np.array(self._highs.getSolution().col_dual)[: self._width]

    def soften(self, rows: Integers, value: Floats, price: Floats) -> None:
        """Add a column for each of *rows*, from 0 up, with that *value* in it, at a *price*."""
        count = len(rows)
        self._highs.addCols(
            count,
            price,
            np.zeros(count),
            np.full(count, np.inf),
            count,
            np.arange(count, dtype=np.int32),
            rows.astype(np.int32),
            value,
        )

    def soften_all(self, rows: Integers, model: Model, penalty: Floats) -> None:
        """Let *rows* of its *model* be broken on either side, at *penalty* for each unit."""
        over = np.isfinite(model.row_upper[rows])
        under = np.isfinite(model.row_lower[rows])
        value = np.concatenate([np.full(int(over.sum()), -1.0), np.full(int(under.sum()), 1.0)])
        price = np.concatenate([penalty[over], penalty[under]])
        self.soften(np.concatenate([rows[over], rows[under]]), value, price)

    def bound_columns(self, columns: Integers, lower: Floats, upper: Floats) -> None:
        """New bounds of some columns."""
        self._highs.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper)

    def bound_rows(self, rows: Integers, lower: Floats, upper: Floats) -> None:
        """New bounds of some rows."""
        change = self._highs.changeRowsBounds  # type: ignore[attr-defined]  # the stubs lack it
        change(len(rows), rows.astype(np.int32), lower, upper)


def branch_and_bound(model: Model, nodes: int, gap: float, *, presolve: bool = False) -> Found:
    """A small mixed-integer program, within *nodes* nodes, to a relative *gap*.

    Without the heuristics and, unless asked for, the presolve, which would cost more than all the
    rest.
    """
    highs = _loaded(model, relaxed=False)
    for heuristic in ("feasibility_jump", "rins", "rens"):
        highs.setOptionValue(f"mip_heuristic_run_{heuristic}", "false")
    highs.setOptionValue("presolve", "on" if presolve else "off")
    highs.setOptionValue("mip_max_nodes", nodes)
    highs.setOptionValue("mip_rel_gap", gap)
    highs.setOptionValue("mip_abs_gap", 1e-9)
    highs.run()
    info = highs.getInfo()
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return Found(None, info.mip_dual_bound)
    columns = np.array(highs.getSolution().col_value)
    columns[model.integer] = np.round(columns[model.integer])
    return Found(columns, info.mip_dual_bound)


class _Silent(highspy.Highs):
    """Prints nothing: by itself it prints a banner on standard output before any option is set."""

    def enableCallbacks(self) -> None:  # noqa: N802 - what the constructor calls
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]  # the stubs leave it untyped


def _loaded(model: Model, *, relaxed: bool) -> highspy.Highs:
    highs = _Silent()  # type: ignore[no-untyped-call]  # the same
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("parallel", "off")
    highs.setOptionValue("random_seed", 1)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(model.cost), len(model.row_lower)
    program.col_cost_, program.col_lower_, program.col_upper_ = (
        model.cost,
        model.lower,
        model.upper,
    )
    program.row_lower_, program.row_upper_ = model.row_lower, model.row_upper
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = model.start.astype(np.int32)
    matrix.index_ = model.index.astype(np.int32)
    matrix.value_ = model.value
    if not relaxed and model.integer.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        program.integrality_ = [kinds[whole] for whole in model.integer.tolist()]
    highs.passModel(program)
    return highs
