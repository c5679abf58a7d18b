"""A program as blocks: the columns of a workload, its own rows, and the rows that couple workloads.

Owns the block structure that decomposition works on, found from the matrix alone: whatever rows
``program/`` adds, a row whose columns all belong to one workload is that workload's own, any other
couples. Columns that belong to no workload are a block of their own, the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from placement.solve.highs import Floats, Integers, Model


@dataclass(frozen=True)
class Rows:
    """A sparse matrix by rows (CSR).

    Attributes:
        start: of each row in ``index`` and ``value``; one more than there are rows.
        index: column of each entry.
        value: of each entry.
    """

    start: Integers
    index: Integers
    value: Floats

    @classmethod
    def of(cls, row: Integers, index: Integers, value: Floats, height: int) -> "Rows":
        """The matrix of *height* rows from entries in any order."""
        order = np.argsort(row, kind="stable")
        start = np.zeros(height + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=height), out=start[1:])
        return cls(start, index[order], value[order])

    @property
    def row(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def entries(self, rows: Integers) -> tuple[Integers, Integers]:
        """Where the entries of *rows* stand, one row after the other; and how many each has."""
        count = self.start[rows + 1] - self.start[rows]
        ends = np.cumsum(count)
        total = int(ends[-1]) if len(ends) else 0
        return np.arange(total) + np.repeat(self.start[rows] - (ends - count), count), count


@dataclass(frozen=True)
class Blocks:
    """A program cut into blocks.

    Attributes:
        model: the whole.
        block: of each column.
        place: of each column within its block.
        columns: of each block; the last block holds those of no workload.
        own: the rows of each block.
        coupling: the other rows.
        across: the entries of the coupling rows by column: row ``c`` of this matrix is column
            ``c`` of the program, and its indices count ``coupling``.
    """

    model: Model
    block: Integers
    place: Integers
    columns: tuple[Integers, ...]
    own: tuple[Integers, ...]
    coupling: Integers
    across: Rows

    @classmethod
    def of(
        cls, model: Model, owner: Integers, couples: NDArray[np.bool_] | None = None
    ) -> "Blocks":
        """Cut *model*.

        Args:
            model: the whole.
            owner: the workload of each column, or negative for none.
            couples: the rows that are to count as coupling; None: those that do.
        """
        height, width = len(model.row_lower), len(model.cost)
        row = np.repeat(np.arange(height), np.diff(model.start))
        least = np.full(height, np.iinfo(np.int64).max)
        most = np.full(height, -1)
        np.minimum.at(least, row, owner[model.index])
        np.maximum.at(most, row, owner[model.index])
        local = (least == most) & (most >= 0) if couples is None else ~couples
        count = int(owner.max(initial=-1)) + 1
        block = np.where(owner < 0, count, owner)
        columns = _grouped(block, np.arange(width), count + 1)
        place = np.zeros(width, dtype=np.int64)
        for own in columns:
            place[own] = np.arange(len(own))
        coupling = np.flatnonzero(~local)
        number = np.full(height, -1)
        number[coupling] = np.arange(len(coupling))
        crossing = ~local[row]
        return cls(
            model,
            block,
            place,
            columns,
            _grouped(most[local], np.flatnonzero(local), count + 1),
            coupling,
            Rows.of(model.index[crossing], number[row[crossing]], model.value[crossing], width),
        )

    @property
    def workloads(self) -> range:
        """The blocks that belong to a workload each."""
        return range(len(self.columns) - 1)

    def activity(self, columns: Floats) -> Floats:
        """The value of each coupling row at *columns*."""
        weighted = self.across.value * columns[self.across.row]
        return totals(self.across.index, weighted, len(self.coupling))

    def priced(self, duals: Floats) -> Floats:
        """The cost of each column less what it takes of the coupling rows, at *duals*."""
        taken = self.across.value * duals[self.across.index]
        return self.model.cost - totals(self.across.row, taken, len(self.block))

    def change(self, free: Integers, difference: Floats) -> Floats:
        """What the coupling rows change by where the *free* columns change by *difference*."""
        there, count = self.across.entries(free)
        weighted = self.across.value[there] * np.repeat(difference, count)
        return totals(self.across.index[there], weighted, len(self.coupling))

    def excess(self, activity: Floats, tolerance: Floats | float | None = None) -> Floats:
        """By how much each coupling row is broken; 0 within rounding.

        Args:
            activity: of the rows.
            tolerance: what is rounding, relative to the activity; None: in a whole answer.
        """
        lower, upper = self.model.row_lower[self.coupling], self.model.row_upper[self.coupling]
        over = np.maximum(activity - upper, lower - activity)
        rounding = self._rounding if tolerance is None else tolerance
        return np.where(over > rounding * np.maximum(1.0, np.abs(activity)), over, 0.0)

    @cached_property
    def _rounding(self) -> Floats:
        """Sums of whole columns are exact but for the last digits; others are a solver's."""
        split = ~self.model.integer[self.across.row]
        count = np.bincount(self.across.index[split], minlength=len(self.coupling))
        return np.where(count > 0, 1e-7, 1e-11)

    def broken(self, columns: Floats) -> set[int]:
        """The blocks that have a column in a coupling row that is broken at *columns*."""
        rows = self.excess(self.activity(columns)) > 0
        there = rows[self.across.index] & (columns[self.across.row] != 0)
        return set(np.unique(self.block[self.across.row[there]]).tolist())


def totals(group: Integers, values: Floats, count: int) -> Floats:
    """The sum of the *values* of each group."""
    return np.bincount(group, values, minlength=count).astype(np.float64)


def _grouped(group: Integers, values: Integers, count: int) -> tuple[Integers, ...]:
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=count))
    return tuple(np.split(values[order], ends[:-1]))


@dataclass(frozen=True)
class Part:
    """A program over some blocks.

    Attributes:
        model: its first columns are *free*, those after them say by how much a row is broken.
        free: columns of the whole.
    """

    model: Model
    free: Integers


def own_part(blocks: Blocks, chosen: Sequence[int], cost: Floats) -> Part:
    """The program of the *chosen* blocks at another *cost*, without the rows that couple."""
    free, rows, at, place = _own(blocks, chosen)
    model, count = blocks.model, np.diff(blocks.model.start)[rows]
    return Part(
        Model(
            cost[free],
            model.lower[free],
            model.upper[free],
            model.integer[free],
            np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(count)]),
            place,
            model.value[at],
            model.row_lower[rows],
            model.row_upper[rows],
        ),
        free,
    )


def coupled_part(blocks: Blocks, chosen: Sequence[int]) -> tuple[Part, Integers]:
    """The program of the *chosen* blocks, as if there were no others.

    Its last rows are the coupling rows that these blocks have entries in: which, is the second.
    """
    model = blocks.model
    free, own, at, place = _own(blocks, chosen)
    there, count = blocks.across.entries(free)
    touched, entry_row = np.unique(blocks.across.index[there], return_inverse=True)
    column = np.repeat(np.arange(len(free)), count)
    crossing = Rows.of(entry_row, column, blocks.across.value[there], len(touched))
    heights = np.concatenate([np.diff(model.start)[own], np.diff(crossing.start)])
    rows = np.concatenate([own, blocks.coupling[touched]])
    part = Part(
        Model(
            model.cost[free],
            model.lower[free],
            model.upper[free],
            model.integer[free],
            np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(heights)]),
            np.concatenate([place, crossing.index]),
            np.concatenate([model.value[at], crossing.value]),
            model.row_lower[rows],
            model.row_upper[rows],
        ),
        free,
    )
    return part, touched


def elastic_part(
    blocks: Blocks, chosen: Sequence[int], values: Floats, activity: Floats, penalty: Floats
) -> Part:
    """The program of the *chosen* blocks while all others stay at *values*.

    The rows that couple may be broken at a price, so that there always is an answer where each
    block has one by itself.

    Args:
        blocks: the whole.
        chosen: the blocks that are free.
        values: of all columns.
        activity: of the coupling rows at *values*.
        penalty: by coupling row, the price of each unit by which it is broken.
    """
    model = blocks.model
    free, own, at, place = _own(blocks, chosen)
    there, count = blocks.across.entries(free)
    entry_column = np.repeat(np.arange(len(free)), count)
    weight = blocks.across.value[there]
    touched, entry_row = np.unique(blocks.across.index[there], return_inverse=True)
    inside = np.bincount(entry_row, weight * values[free[entry_column]], minlength=len(touched))
    outside = activity[touched] - inside
    lower = model.row_lower[blocks.coupling[touched]] - outside
    upper = model.row_upper[blocks.coupling[touched]] - outside
    over, under = np.flatnonzero(np.isfinite(upper)), np.flatnonzero(np.isfinite(lower))
    width, extra = len(free), len(over) + len(under)
    crossing = Rows.of(
        np.concatenate([entry_row, over, under]),
        np.concatenate([entry_column, width + np.arange(extra)]),
        np.concatenate([weight, np.full(len(over), -1.0), np.full(len(under), 1.0)]),
        len(touched),
    )
    heights = np.concatenate([np.diff(model.start)[own], np.diff(crossing.start)])
    return Part(
        Model(
            np.concatenate([model.cost[free], penalty[touched[over]], penalty[touched[under]]]),
            np.concatenate([model.lower[free], np.zeros(extra)]),
            np.concatenate([model.upper[free], np.full(extra, np.inf)]),
            np.concatenate([model.integer[free], np.zeros(extra, dtype=bool)]),
            np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(heights)]),
            np.concatenate([place, crossing.index]),
            np.concatenate([model.value[at], crossing.value]),
            np.concatenate([model.row_lower[own], lower]),
            np.concatenate([model.row_upper[own], upper]),
        ),
        free,
    )


def _own(blocks: Blocks, chosen: Sequence[int]) -> tuple[Integers, Integers, Integers, Integers]:
    """The columns of *chosen*, their own rows, and these rows' entries.

    Of each entry where it stands in the whole, and its column's place among the chosen columns.
    """
    free = np.concatenate([blocks.columns[b] for b in chosen])
    own = np.concatenate([blocks.own[b] for b in chosen])
    model = blocks.model
    at, _ = Rows(model.start, model.index, model.value).entries(own)
    offset = np.zeros(len(blocks.columns), dtype=np.int64)
    sizes = [len(blocks.columns[b]) for b in chosen]
    offset[list(chosen)] = np.cumsum([0, *sizes[:-1]])
    index = model.index[at]
    return free, own, at, blocks.place[index] + offset[blocks.block[index]]
