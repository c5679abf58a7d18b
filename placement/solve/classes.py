"""Workloads that are alike: one set of columns for all of them.

Owns the aggregation. Blocks with the same bounds, costs, own rows and entries in the rows that
couple may trade places in any answer, so the relaxation needs only the sum of their columns: the
mean of its value is right for each of them, by convexity. A copy that is fixed moves the bounds of
the sum by its values; the program keeps its size.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from placement.solve.blocks import Blocks, Rows
from placement.solve.highs import Floats, Integers, Linear, Model


@dataclass(frozen=True)
class Classes:
    """The classes of a program's blocks.

    Attributes:
        blocks: the program.
        members: the blocks of each class; the last class is the block of no workload.
        of_block: the class of each block.
    """

    blocks: Blocks
    members: tuple[tuple[int, ...], ...]
    of_block: Integers

    @classmethod
    def of(cls, blocks: Blocks) -> "Classes":
        """Find the classes."""
        seen: dict[bytes, list[int]] = {}
        for block in blocks.workloads:
            seen.setdefault(_signature(blocks, block), []).append(block)
        members = (*(tuple(m) for m in seen.values()), (len(blocks.columns) - 1,))
        of_block = np.zeros(len(blocks.columns), dtype=np.int64)
        for number, alike in enumerate(members):
            of_block[list(alike)] = number
        return cls(blocks, members, of_block)


def _signature(blocks: Blocks, block: int) -> bytes:
    """All that tells a block from another but where it stands."""
    model, columns, rows = blocks.model, blocks.columns[block], blocks.own[block]
    at, heights = Rows(model.start, model.index, model.value).entries(rows)
    there, counts = blocks.across.entries(columns)
    digest = hashlib.sha256()
    for array in (
        model.cost[columns],
        model.lower[columns],
        model.upper[columns],
        model.integer[columns],
        heights,
        blocks.place[model.index[at]],
        model.value[at],
        model.row_lower[rows],
        model.row_upper[rows],
        counts,
        blocks.across.index[there],
        blocks.across.value[there],
    ):
        digest.update(len(array).to_bytes(8, "little"))
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


class Relaxation:
    """The linear relaxation over the sums of each class, with blocks fixed and released."""

    def __init__(self, classes: Classes) -> None:
        """Load the relaxation; nothing is fixed."""
        self._classes = classes
        blocks, model = classes.blocks, classes.blocks.model
        first = [alike[0] for alike in classes.members]
        self._columns = [blocks.columns[b] for b in first]
        self._rows = [blocks.own[b] for b in first]
        columns, own = np.concatenate(self._columns), np.concatenate(self._rows)
        rows = np.concatenate([own, blocks.coupling])
        times = np.array([float(len(alike)) for alike in classes.members])
        self._column_at = np.cumsum([0, *(len(c) for c in self._columns)])
        self._row_at = np.cumsum([0, *(len(r) for r in self._rows)])
        place = np.full(len(model.cost), -1)
        place[columns] = np.arange(len(columns))
        at, _ = Rows(model.start, model.index, model.value).entries(rows)
        row = np.repeat(np.arange(len(rows)), np.diff(model.start)[rows])
        keep = place[model.index[at]] >= 0
        matrix = Rows.of(row[keep], place[model.index[at]][keep], model.value[at][keep], len(rows))
        column_times = np.repeat(times, np.diff(self._column_at))
        row_times = np.concatenate(
            [np.repeat(times, np.diff(self._row_at)), np.ones(len(blocks.coupling))]
        )
        self._lower, self._upper = (
            model.lower[columns] * column_times,
            model.upper[columns] * column_times,
        )
        self._row_lower, self._row_upper = (
            model.row_lower[rows] * row_times,
            model.row_upper[rows] * row_times,
        )
        self._matrix = matrix
        self._fixed: dict[int, Floats] = {}
        self._coupling = np.arange(len(own), len(rows))
        self._model = Model(
            model.cost[columns],
            self._lower,
            self._upper,
            np.zeros(len(columns), dtype=bool),
            matrix.start,
            matrix.index,
            matrix.value,
            self._row_lower,
            self._row_upper,
        )
        self._linear = Linear(self._model)

    def solve(self) -> bool:
        """Solve it; whether it has an answer."""
        return self._linear.solve()

    @property
    def value(self) -> float:
        """The optimum."""
        return self._linear.value

    @property
    def duals(self) -> Floats:
        """Of the coupling rows."""
        return self._linear.duals[self._coupling]

    @property
    def columns(self) -> Floats:
        """The value of every column of the program: the mean over the free blocks of a class."""
        classes, blocks = self._classes, self._classes.blocks
        found, result = self._linear.columns, np.zeros(len(blocks.model.cost))
        for number, alike in enumerate(classes.members):
            rest = found[self._column_at[number] : self._column_at[number + 1]]
            free = [b for b in alike if b not in self._fixed]
            for block in alike:
                if block in self._fixed:
                    result[blocks.columns[block]] = self._fixed[block]
                    rest = rest - self._fixed[block]
            for block in free:
                result[blocks.columns[block]] = rest / len(free)
        return result

    @property
    def reduced(self) -> Floats:
        """The reduced cost of every column of the program."""
        found, result = self._linear.reduced, np.zeros(len(self._classes.blocks.model.cost))
        for number, alike in enumerate(self._classes.members):
            own = found[self._column_at[number] : self._column_at[number + 1]]
            for block in alike:
                result[self._classes.blocks.columns[block]] = own
        return result

    @property
    def fixed(self) -> tuple[int, ...]:
        """The blocks that are fixed."""
        return tuple(self._fixed)

    def soften(self, penalty: Floats) -> None:
        """Let the coupling rows be broken from now on, at a price for each unit."""
        self._linear.soften_all(self._coupling, self._model, penalty)

    def fix(self, values: dict[int, Floats], released: Sequence[int] = ()) -> None:
        """Fix blocks at *values* of their columns, release others."""
        for block in released:
            del self._fixed[block]
        self._fixed |= values
        touched = {int(self._classes.of_block[b]) for b in (*values, *released)}
        for number in sorted(touched):
            self._rebound(number)

    def _rebound(self, number: int) -> None:
        alike = self._classes.members[number]
        fixed = [self._fixed[b] for b in alike if b in self._fixed]
        part = 1 - len(fixed) / len(alike)
        columns = np.arange(self._column_at[number], self._column_at[number + 1])
        rows = np.arange(self._row_at[number], self._row_at[number + 1])
        total = np.sum(fixed, axis=0) if fixed else np.zeros(len(columns))
        self._linear.bound_columns(
            columns, part * self._lower[columns] + total, part * self._upper[columns] + total
        )
        at, counts = self._matrix.entries(rows)
        row = np.repeat(np.arange(len(rows)), counts)
        place = self._matrix.index[at] - columns[0]
        taken = np.bincount(row, self._matrix.value[at] * total[place], minlength=len(rows))
        lower, upper = self._row_lower[rows], self._row_upper[rows]
        self._linear.bound_rows(
            rows,
            np.where(np.isfinite(lower), part * np.nan_to_num(lower) + taken, lower),
            np.where(np.isfinite(upper), part * np.nan_to_num(upper) + taken, upper),
        )
