"""A narrower program: without the columns that are too dear to be of use.

Owns the choice. Most of a workload's candidates are far dearer than its best ones, at the prices
of the rows that couple; what is left out makes every step after it cheaper. The bound is not that
of the narrower program: see ``decompose.py``.

A column goes where all that it can hold would cost a part of what its workload pays more than the
best does (reduced-cost pricing: Dantzig, Linear Programming and Extensions, 1963); with it those
that are nothing without it, such as the flows to a cluster that is not used.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from placement.solve.blocks import Blocks, totals
from placement.solve.highs import Floats, Integers, Model

_DEARER = 0.01
"""The part of what a workload pays by which a column may be dearer than the best."""


@dataclass(frozen=True)
class Narrow:
    """A program with fewer columns.

    Attributes:
        blocks: the program; its coupling rows are those of the whole, one for one.
        columns: of the whole, those that are left.
        width: columns of the whole.
    """

    blocks: Blocks
    columns: Integers
    width: int

    @classmethod
    def of(cls, blocks: Blocks, keep: NDArray[np.bool_]) -> "Narrow":
        """*blocks* with the columns of *keep*; the others must be able to be 0."""
        model = blocks.model
        columns = np.flatnonzero(keep)
        number = np.full(len(keep), -1)
        number[columns] = np.arange(len(columns))
        row = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
        there = keep[model.index]
        counts = np.bincount(row[there], minlength=len(model.row_lower))
        coupling = np.zeros(len(counts), dtype=bool)
        coupling[blocks.coupling] = True
        met = (model.row_lower <= 0) & (model.row_upper >= 0)
        rows = (counts > 0) | coupling | ~met
        count = len(blocks.columns) - 1
        owner = np.where(blocks.block < count, blocks.block, -1)[columns]
        narrow = Model(
            cost=model.cost[columns],
            lower=model.lower[columns],
            upper=model.upper[columns],
            integer=model.integer[columns],
            start=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts[rows])]),
            index=number[model.index[there]],
            value=model.value[there],
            row_lower=model.row_lower[rows],
            row_upper=model.row_upper[rows],
        )
        return cls(Blocks.of(narrow, owner, coupling[rows]), columns, len(keep))

    def whole(self, values: Floats) -> Floats:
        """Values of all columns of the whole, from those of the columns that are left."""
        result = np.zeros(self.width)
        result[self.columns] = values
        return result


def useful(blocks: Blocks, columns: Floats, reduced: Floats) -> NDArray[np.bool_]:
    """Which columns are worth keeping.

    Args:
        blocks: the program.
        columns: values that are best at some prices of the coupling rows.
        reduced: the columns' reduced costs at these.
    """
    model = blocks.model
    pays = totals(blocks.block, np.abs(model.cost) * columns, len(blocks.columns))
    dearer = _with_needs(blocks, columns, np.maximum(reduced, 0.0)) * np.minimum(model.upper, 1e9)
    keep = model.integer & (dearer <= _DEARER * pays[blocks.block])
    keep |= (np.abs(columns) > 1e-9) | (model.lower > 0) | (model.upper < 0)
    keep[blocks.columns[-1]] = True
    return consistent(blocks, keep)


def consistent(blocks: Blocks, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """*keep* with what goes with its whole columns, and without what is nothing alone."""
    return _alive(blocks.model, keep | _beside(blocks, keep))


def _with_needs(blocks: Blocks, columns: Floats, reduced: Floats) -> Floats:
    """The reduced costs, with those of what a column cannot be used without.

    Of the own rows that hold a column at 0 unless others rise with it, the cheapest of these: a
    replica needs users that it serves. Which of them bears the cost is the solver's accident.
    """
    model = blocks.model
    height = len(model.row_lower)
    row = np.repeat(np.arange(height), np.diff(model.start))
    own = np.ones(height, dtype=bool)
    own[blocks.coupling] = False
    needs = np.zeros(len(reduced))
    for sign, closed in ((1, model.row_upper == 0), (-1, model.row_lower == 0)):
        gives = sign * model.value < 0
        cheapest = np.full(height, np.inf)
        each = np.where(
            columns[model.index] > 1e-9, 0.0, reduced[model.index] / np.abs(model.value)
        )
        np.minimum.at(cheapest, row[gives], each[gives])
        at = ~gives & (closed & own & np.isfinite(cheapest))[row]
        needs += totals(model.index[at], model.value[at] * sign * cheapest[row[at]], len(needs))
    return reduced + needs


def _beside(blocks: Blocks, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The continuous columns in an own row of a whole one that is kept.

    Few of them are of use while replicas may be split, but without the others there may be no
    whole numbers: flows of users have to add up to replicas.
    """
    model = blocks.model
    row = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
    needed = np.bincount(row[(keep & model.integer)[model.index]], minlength=len(model.row_lower))
    needed[blocks.coupling] = 0
    result = np.zeros(len(keep), dtype=bool)
    result[model.index[needed[row] > 0]] = True
    return result & ~model.integer


def _alive(model: Model, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """*keep* without the columns that a row holds at 0 once the others of it are left out."""
    row = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
    height = len(model.row_lower)
    free = model.lower[model.index] < 0
    while True:
        drop = np.zeros(len(keep), dtype=bool)
        for sign, closed in ((1, model.row_upper == 0), (-1, model.row_lower == 0)):
            gives = keep[model.index] & ((sign * model.value < 0) | free)
            alone = closed & (np.bincount(row[gives], minlength=height) == 0)
            drop[model.index[alone[row] & (sign * model.value > 0)]] = True
        if not (drop & keep).any():
            return keep
        keep = keep & ~drop
