"""The Lagrangian bound: what no answer is below, one workload at a time.

Owns the proof for programs too large for branch and bound. At prices y of the rows that couple,

    L(y) = sum of y_i b_i + sum over blocks of min { (c - y A) x : the block's own rows, x whole }

is at most the optimum for every y of the right sign, and at the duals of the relaxation at least
its optimum (Geoffrion, Lagrangean relaxation for integer programming, 1974). Each minimum is a
small program of its own, solved once for workloads that are alike. Without "x whole" it is a
little lower and much cheaper, and says what each column would have to save to be used.
"""

from dataclasses import dataclass

import numpy as np

from placement.solve.blocks import Blocks, own_part
from placement.solve.classes import Classes
from placement.solve.highs import Floats, Linear, branch_and_bound

_NODES, _GAP = 100, 1e-6

_TOGETHER = 24
"""Workloads whose linear programs are solved as one."""


@dataclass(frozen=True)
class Responses:
    """What each block would do at given prices of the rows that couple, if it need not be whole.

    Attributes:
        bound: L of the prices, x not whole.
        columns: a best answer of every block.
        reduced: of every column, what it costs more than the block's own rows pay for it.
    """

    bound: float
    columns: Floats
    reduced: Floats


def lagrangian_bound(classes: Classes, duals: Floats) -> float:
    """The bound at *duals* of the coupling rows; minus infinity where they give none."""
    blocks = classes.blocks
    prices = _usable(blocks, duals)
    priced = blocks.priced(prices)
    total = _constant(blocks, prices) + _shared(blocks, priced)
    for alike in classes.members[:-1]:
        part = own_part(blocks, alike[:1], priced)
        answer = branch_and_bound(part.model, _NODES, _GAP)
        total += len(alike) * answer.bound
    return total


def responses(classes: Classes, duals: Floats) -> Responses | None:
    """The responses to *duals* of the coupling rows; None where a block has no answer."""
    blocks = classes.blocks
    prices = _usable(blocks, duals)
    priced = blocks.priced(prices)
    columns, reduced = np.zeros(len(priced)), priced.copy()
    ours = classes.members[:-1]
    for first in range(0, len(ours), _TOGETHER):
        chosen = [alike[0] for alike in ours[first : first + _TOGETHER]]
        part = own_part(blocks, chosen, priced)
        linear = Linear(part.model, presolve=False)
        if not linear.solve():
            return None
        columns[part.free], reduced[part.free] = linear.columns, linear.reduced
    for alike in ours:
        for other in alike[1:]:
            columns[blocks.columns[other]] = columns[blocks.columns[alike[0]]]
            reduced[blocks.columns[other]] = reduced[blocks.columns[alike[0]]]
    bound = _constant(blocks, prices) + _shared(blocks, priced) + float(priced @ columns)
    return Responses(bound, columns, reduced)


def _usable(blocks: Blocks, duals: Floats) -> Floats:
    """A dual presses on one side of its row; where that side is open it can only be rounding."""
    lower, upper = _sides(blocks)
    return np.where(np.isfinite(np.where(duals > 0, lower, upper)), duals, 0.0)


def _constant(blocks: Blocks, prices: Floats) -> float:
    lower, upper = _sides(blocks)
    side = np.where(prices > 0, lower, upper)
    return float(np.sum(prices * np.where(prices != 0, side, 0.0)))


def _shared(blocks: Blocks, priced: Floats) -> float:
    """The minimum of the block of no workload, which has no rows of its own."""
    free = blocks.columns[-1]
    ends = np.where(priced[free] > 0, blocks.model.lower[free], blocks.model.upper[free])
    return float(np.sum(np.where(priced[free] != 0, priced[free] * ends, 0.0)))


def _sides(blocks: Blocks) -> tuple[Floats, Floats]:
    model = blocks.model
    return model.row_lower[blocks.coupling], model.row_upper[blocks.coupling]
