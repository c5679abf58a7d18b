"""The Lagrangian bound: what no answer is below, one workload at a time.

Owns the proof for programs too large for branch and bound. At prices y of the rows that couple,

    L(y) = sum of y_i b_i + sum over blocks of min { (c - y A) x : the block's own rows, x whole }

is at most the optimum for every y of the right sign, and at the duals of the relaxation at least
its optimum (Geoffrion, Lagrangean relaxation for integer programming, 1974). Each minimum is a
small program of its own, solved once for workloads that are alike.
"""

import numpy as np

from placement.solve.blocks import own_part
from placement.solve.classes import Classes
from placement.solve.highs import Floats, branch_and_bound

_NODES, _GAP = 100, 1e-6


def lagrangian_bound(classes: Classes, duals: Floats) -> float:
    """The bound at *duals* of the coupling rows; minus infinity where they give none."""
    blocks = classes.blocks
    lower, upper = (
        blocks.model.row_lower[blocks.coupling],
        blocks.model.row_upper[blocks.coupling],
    )
    # A dual presses on one side of its row; where that side is open it can only be rounding.
    prices = np.where(np.isfinite(np.where(duals > 0, lower, upper)), duals, 0.0)
    side = np.where(prices > 0, lower, upper)
    total = float(np.sum(prices * np.where(prices != 0, side, 0.0)))
    priced = blocks.priced(prices)
    *workloads, shared = classes.members
    for alike in workloads:
        part = own_part(blocks, alike[:1], priced)
        answer = branch_and_bound(part.model, _NODES, _GAP)
        total += len(alike) * answer.bound
    free = blocks.columns[shared[0]]
    ends = np.where(priced[free] > 0, blocks.model.lower[free], blocks.model.upper[free])
    return total + float(np.sum(np.where(priced[free] != 0, priced[free] * ends, 0.0)))
