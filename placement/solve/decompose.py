"""Large programs: relaxation, whole answer, bound, better answers until the gap is small.

Owns the order of these steps and the limits of their work. The answer is always whole and within
every row; how far it can be from the best is what the bound says.
"""

import numpy as np

from placement.solve.blocks import Blocks, totals
from placement.solve.classes import Classes, Relaxation
from placement.solve.highs import Answer, Floats, Integers, LimitError, Model
from placement.solve.improve import groups, improved, regret
from placement.solve.lagrangian import lagrangian_bound
from placement.solve.repair import repaired
from placement.solve.rounding import rounded
from placement.solve.start import completed

TARGET = {1: 0.02, 2: 0.01, 3: 0.005, 4: 0.0025, 5: 0.0005}
"""The relative gap at which the search for better answers ends, by effort."""

_STEPS = {1: 0, 2: 4, 3: 12, 4: 60, 5: 400}
"""The most neighbourhoods that are tried, by effort."""

_SIZE = 40
"""Workloads in a neighbourhood."""


def decompose(
    model: Model, owner: Integers, effort: int, start: Floats | None = None
) -> Answer | None:
    """A whole answer of *model* within all rows, with a bound; None if its relaxation has none.

    Args:
        model: the program.
        owner: the workload of each column, or negative for none.
        effort: 1 to 5, see ``TARGET``.
        start: values of the columns to start from, NaN where they are not known. Workloads that
            are known and break no row are kept as they are, if the gap allows.

    Raises:
        LimitError: no answer within all rows was found.
    """
    blocks = Blocks.of(model, owner)
    classes = Classes.of(blocks)
    relaxation = Relaxation(classes)
    if not relaxation.solve():
        return None
    relaxed, duals, bound = relaxation.columns, relaxation.duals, relaxation.value
    penalty = _penalty(blocks, duals)
    relaxation.soften(penalty)
    columns = None
    if start is not None:
        most = bound + 2 * TARGET[effort] * abs(bound)
        columns = _kept(blocks, relaxation, penalty, start, most)
        if columns is None:
            relaxation.fix({}, released=relaxation.fixed)
    if columns is None:
        relaxation.solve()
        columns = repaired(blocks, rounded(blocks, relaxation, penalty), penalty)
        relaxation.fix({b: columns[blocks.columns[b]] for b in blocks.workloads})
    if _gap(model, columns, bound) > TARGET[effort]:
        bound = max(bound, lagrangian_bound(classes, duals))
    steps = _STEPS[effort]
    while steps and _gap(model, columns, bound) > TARGET[effort]:
        regrets = regret(blocks, columns, relaxed, duals)
        before = columns
        for group in groups(blocks, columns, regrets, duals, _SIZE)[:steps]:
            columns = improved(blocks, relaxation, columns, penalty, group)
            steps -= 1
            if _gap(model, columns, bound) <= TARGET[effort]:
                break
        if columns is before:
            break
    if blocks.excess(blocks.activity(columns)).any():
        raise LimitError("no placement within every capacity was found; a higher --effort may")
    value = float(model.cost @ columns)
    return Answer(columns, value, min(value, bound))


def _kept(
    blocks: Blocks,
    relaxation: Relaxation,
    penalty: Floats,
    start: Floats,
    most: float,
) -> Floats | None:
    """An answer of at most that value that keeps what is known in *start* and breaks no row.

    None where too little can be kept for that.
    """
    # First a look at what is written in it: to find the other columns takes time.
    if 2 * len(_right(blocks, start, complete=False)) < len(blocks.workloads):
        return None
    values = completed(blocks, start)
    kept = _right(blocks, values, complete=True)
    relaxation.fix({b: values[blocks.columns[b]] for b in kept})
    relaxation.solve()
    if relaxation.value > most:
        return None
    columns = repaired(blocks, rounded(blocks, relaxation, penalty), penalty)
    if blocks.excess(blocks.activity(columns)).any() or blocks.model.cost @ columns > most:
        return None
    relaxation.fix({b: columns[blocks.columns[b]] for b in blocks.workloads})
    return columns


def _right(blocks: Blocks, start: Floats, *, complete: bool) -> list[int]:
    """The blocks that are known, in all columns or in some, and in no row that is broken."""
    unknown = totals(blocks.block, np.isnan(start).astype(np.float64), len(blocks.columns))
    broken = blocks.broken(np.nan_to_num(start))
    limits = [1 if complete else len(columns) for columns in blocks.columns]
    return [b for b in blocks.workloads if unknown[b] < limits[b] and b not in broken]


def _gap(model: Model, columns: Floats, bound: float) -> float:
    return (float(model.cost @ columns) - bound) / max(1e-9, abs(bound))


def _penalty(blocks: Blocks, duals: Floats) -> Floats:
    """The price of breaking a coupling row by a unit: dear beside what a unit of it saves.

    Ten times the median over its columns of their cost for each unit that they take, or ten
    times its dual where that is more.
    """
    across = blocks.across
    ratio = np.abs(blocks.model.cost[across.row] / across.value)
    order = np.lexsort((ratio, across.index))
    counts = np.bincount(across.index, minlength=len(blocks.coupling))
    middle = np.minimum(np.cumsum(counts) - (counts + 1) // 2, max(0, len(order) - 1))
    typical = np.where(counts > 0, ratio[order][middle], 0.0) if len(order) else 0.0
    return 10.0 * np.maximum(typical, np.abs(duals)) + 1e-6
