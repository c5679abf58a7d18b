"""From the relaxation to whole replicas: relax and fix.

Owns the constructive part of the decomposition. The workloads whose values are not whole in the
relaxation are fixed, the dearest first, each by a small exact program in which all others stay
where they are; after each round the relaxation is solved again around what is fixed, so that it
makes up for what the rounding took (relax-and-fix: Pochet and Wolsey, Production Planning by Mixed
Integer Programming, 2006, section 3.6).

Rows that couple may be broken at a price in all of this: what is left broken, ``repair.py`` mends.
"""

import numpy as np

from placement.solve.blocks import Blocks, elastic_part
from placement.solve.classes import Relaxation
from placement.solve.highs import Floats, LimitError, branch_and_bound

_SHARE = 3
"""One in so many of the workloads that are not whole is fixed in a round."""

_FEW = 12
"""So many are fixed in a round at least."""

_NODES, _GAP = 50, 1e-3
"""Limits of the program of one workload."""


class NoPlaceError(LimitError):
    """Some workloads by themselves have no placement in the columns that there are."""

    def __init__(self, blocks: list[int]) -> None:
        """Of these *blocks*."""
        super().__init__("a workload by itself has no placement within the solver's limit")
        self.blocks = blocks


def fractional(blocks: Blocks, columns: Floats) -> list[int]:
    """The blocks that have a column whose value should be whole and is not, dearest first."""
    integer = blocks.model.integer
    broken = integer & (np.abs(columns - np.round(columns)) > 1e-6)
    found = np.unique(blocks.block[broken])
    cost = np.bincount(blocks.block, blocks.model.cost * columns, minlength=len(blocks.columns))
    return [int(b) for b in found[np.argsort(-cost[found], kind="stable")]]


def rounded(blocks: Blocks, relaxation: Relaxation, penalty: Floats) -> Floats:
    """Values of all columns, whole where they should be, from a softened and solved *relaxation*.

    The blocks that are fixed in it stay as they are, those that this fixes are fixed afterwards.

    Raises:
        NoPlaceError: some blocks by themselves have no whole values.
    """
    columns = relaxation.columns
    while found := fractional(blocks, columns):
        activity = blocks.activity(columns)
        fixed: dict[int, Floats] = {}
        lost: list[int] = []
        for block in found[: max(_FEW, len(found) // _SHARE)]:
            part = elastic_part(blocks, [block], columns, activity, penalty)
            answer = branch_and_bound(part.model, _NODES, _GAP).columns
            if answer is None:
                lost.append(block)
                continue
            values = answer[: len(part.free)]
            activity += blocks.change(part.free, values - columns[part.free])
            columns[part.free] = values
            fixed[block] = values
        if lost:
            raise NoPlaceError(lost)
        relaxation.fix(fixed)
        relaxation.solve()
        columns = relaxation.columns
    integer = blocks.model.integer
    columns[integer] = np.round(columns[integer])
    return columns
