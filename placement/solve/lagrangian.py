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

from placement.solve.blocks import Blocks, Part, own_part
from placement.solve.classes import Classes
from placement.solve.highs import Floats, Integers, Linear, Model, branch_and_bound
from placement.solve.workers import ALONE, Workers

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


def lagrangian_bound(classes: Classes, duals: Floats, workers: Workers = ALONE) -> float:
    """The bound at *duals* of the coupling rows; minus infinity where they give none."""
    blocks = classes.blocks
    prices = _usable(blocks, duals)
    priced = blocks.priced(prices)
    ours = classes.members[:-1]
    parts = (own_part(blocks, alike[:1], priced).model for alike in ours)
    least = workers.map(_whole, parts)
    total = _constant(blocks, prices) + _shared(blocks, priced)
    return total + sum(len(alike) * bound for alike, bound in zip(ours, least, strict=True))


def _whole(model: Model) -> float:
    return branch_and_bound(model, _NODES, _GAP).bound


def responses(classes: Classes, duals: Floats, workers: Workers) -> Responses | None:
    """The responses to *duals* of the coupling rows; None where a block has no answer."""
    blocks = classes.blocks
    prices = _usable(blocks, duals)
    priced = blocks.priced(prices)
    columns, reduced = np.zeros(len(priced)), priced.copy()
    ours = classes.members[:-1]
    groups = [
        [alike[0] for alike in ours[first : first + _TOGETHER]]
        for first in range(0, len(ours), _TOGETHER)
    ]
    parts = (own_part(blocks, chosen, priced) for chosen in groups)
    for found in workers.map(_respond, parts):
        if found is None:
            return None
        free, values, costs = found
        columns[free], reduced[free] = values, costs
    for alike in ours:
        for other in alike[1:]:
            columns[blocks.columns[other]] = columns[blocks.columns[alike[0]]]
            reduced[blocks.columns[other]] = reduced[blocks.columns[alike[0]]]
    bound = _constant(blocks, prices) + _shared(blocks, priced) + float(priced @ columns)
    return Responses(bound, columns, reduced)


def _respond(part: Part) -> tuple[Integers, Floats, Floats] | None:
    """The columns that are free in a part, their values and reduced costs; None without answer."""
    linear = Linear(part.model, presolve=False)
    return (part.free, linear.columns, linear.reduced) if linear.solve() else None


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
