"""What leads to a whole answer: a bound, prices, and a narrower program with its relaxation.

Owns the way there. The relaxation of a program that is not very large is solved as it is. Else, and
where an answer is known to start from, prices come from less: from samples of the workloads, or
from the program of the columns that the answer uses. Then, in turn, the columns that are useful at
these prices make a narrower program, and the relaxation of that one makes better prices: column
generation, with all columns of all workloads priced at once (sifting: Bixby et al., Very
large-scale linear programming, Operations Research 40, 1992). The bound is the Lagrangian one of
all columns, so it is true wherever that ends.
"""

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from placement.solve.blocks import Blocks
from placement.solve.classes import Classes, Relaxation
from placement.solve.highs import Floats, LimitError
from placement.solve.lagrangian import responses
from placement.solve.narrow import Narrow, consistent, useful
from placement.solve.sample import sampled
from placement.solve.workers import ALONE, Workers

_DIRECT = 120_000
"""The most columns of a program whose relaxation is solved as it is."""

_SOLVED = 1e-6
"""What a relaxation may break of a row, relative to it: the solver's tolerance is near that."""

_ROUNDS = 4
"""The most narrower programs."""


@dataclass(frozen=True)
class Guide:
    """What leads to a whole answer.

    Attributes:
        bound: what no answer is below.
        narrow: the program without what is too dear.
        relaxation: of that one, solved; its coupling rows may be broken at ``penalty``.
        columns: the values in it.
        duals: of the coupling rows.
        penalty: by coupling row, the price of each unit by which it is broken.
    """

    bound: float
    narrow: Narrow
    relaxation: Relaxation
    columns: Floats
    duals: Floats
    penalty: Floats


def guide(
    classes: Classes,
    start: Floats | None,
    near: float,
    bound: float = -np.inf,
    workers: Workers = ALONE,
) -> Guide | None:
    """The guide to an answer of a program; None if its relaxation has none.

    Args:
        classes: of the program.
        start: values of the columns to start from, NaN where they are not known.
        near: the relative distance of bound and relaxation that is near enough.
        bound: what is known that no answer is below.
        workers: who does what can be done at the same time.
    """
    blocks = classes.blocks
    found = None
    if start is not None:
        keep = consistent(blocks, np.isnan(start) | (np.nan_to_num(start) != 0))
        with suppress(LimitError):
            found = _sifted(classes, keep, near, bound, workers)
    elif len(blocks.model.cost) > _DIRECT:
        keep = np.zeros(len(blocks.model.cost), dtype=bool)
        for prices in sampled(blocks, penalty_of(blocks, np.zeros(len(blocks.coupling))), workers):
            answer = responses(classes, prices, workers)
            if answer is None:
                return None
            keep |= useful(blocks, answer.columns, answer.reduced)
        found = _sifted(classes, keep, near, bound, workers)
    if found is not None and (len(blocks.model.cost) > _DIRECT or _closed(found, near)):
        return found
    relaxation = Relaxation(classes)
    if not relaxation.solve():
        return None
    keep = useful(blocks, relaxation.columns, relaxation.reduced)
    bound = max(bound, relaxation.value)
    return _guided(classes, keep, penalty_of(blocks, relaxation.duals), bound)


def _sifted(
    classes: Classes, keep: NDArray[np.bool_], near: float, bound: float, workers: Workers
) -> Guide | None:
    """From the columns of *keep* to those that are useful at their prices, in turn.

    None where a workload by itself has no answer.
    """
    blocks = classes.blocks
    penalty = penalty_of(blocks, np.zeros(len(blocks.coupling)))
    for _ in range(_ROUNDS):
        found = _guided(classes, keep, penalty, bound)
        if _closed(found, near):
            break
        answer = responses(classes, found.duals, workers)
        if answer is None:
            return None
        bound = max(bound, answer.bound)
        found = replace(found, bound=bound)
        if _closed(found, near):
            break
        keep = keep | useful(blocks, answer.columns, answer.reduced)
    return found


def _guided(classes: Classes, keep: NDArray[np.bool_], penalty: Floats, bound: float) -> Guide:
    """The narrower program of the columns of *keep*; LimitError where these are too few."""
    narrow = Narrow.of(classes.blocks, keep)
    relaxation = Relaxation(Classes.of(narrow.blocks))
    relaxation.soften(penalty)
    if not relaxation.solve():
        raise LimitError("a workload has no placement in the columns that are left")
    return Guide(bound, narrow, relaxation, relaxation.columns, relaxation.duals, penalty)


def _closed(found: Guide, near: float) -> bool:
    """Whether the relaxation is near its bound and breaks no row for it."""
    blocks = found.narrow.blocks
    broken = blocks.excess(blocks.activity(found.columns), _SOLVED).any()
    most = found.bound + near * abs(found.bound) if np.isfinite(found.bound) else -np.inf
    return not broken and found.relaxation.value <= most


def widened(led: Guide, classes: Classes, wide: list[int]) -> Guide:
    """*led* with all columns of the blocks of *wide*."""
    keep = np.isin(classes.blocks.block, wide)
    keep[led.narrow.columns] = True
    return _guided(classes, keep, led.penalty, led.bound)


def penalty_of(blocks: Blocks, duals: Floats) -> Floats:
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
