"""Large programs: relaxation, whole answer, bound, better answers until the gap is small.

Owns the order of these steps and the limits of their work. The answer is always whole and within
every row; how far it can be from the best is what the bound says.
"""

import numpy as np

from placement.solve.blocks import Blocks, totals
from placement.solve.classes import Classes
from placement.solve.guide import Guide, guide, widened
from placement.solve.highs import Answer, Floats, Integers, LimitError, Model
from placement.solve.improve import groups, improved, regret
from placement.solve.lagrangian import lagrangian_bound
from placement.solve.parts import rounded_in_parts
from placement.solve.repair import repaired
from placement.solve.rounding import NoPlaceError, rounded
from placement.solve.start import completed
from placement.solve.workers import ALONE, Workers

TARGET = {1: 0.02, 2: 0.01, 3: 0.005, 4: 0.0025, 5: 0.0005}
"""The relative gap at which the search for better answers ends, by effort."""

_STEPS = {1: 0, 2: 4, 3: 12, 4: 60, 5: 400}
"""The most neighbourhoods that are tried, by effort."""

_ATTEMPTS = 8
"""To mend a broken row in the narrower program; what is left needs the columns beside it."""

_SIZE = 40
"""Workloads in a neighbourhood."""


def decompose(
    model: Model,
    owner: Integers,
    effort: int,
    start: Floats | None = None,
    bound: float = -np.inf,
    workers: Workers = ALONE,
) -> Answer | None:
    """A whole answer of *model* within all rows, with a bound; None if its relaxation has none.

    Args:
        model: the program.
        owner: the workload of each column, or negative for none.
        effort: 1 to 5, see ``TARGET``.
        start: values of the columns to start from, NaN where they are not known. Workloads that
            are known and break no row are kept as they are, if the gap allows.
        bound: what is known that no answer is below.
        workers: who does what can be done at the same time; the answer does not depend on them.

    Raises:
        LimitError: no answer within all rows was found.
    """
    whole = Blocks.of(model, owner)
    classes = Classes.of(whole)
    known = None if start is None else _known(whole, start)
    near = TARGET[effort] / 4 if known is None or np.isinf(bound) else 2 * TARGET[effort]
    led = guide(classes, known, near, bound, workers)
    if led is None:
        return None
    kept, columns = None, None
    while columns is None:
        try:
            kept = None if known is None else _kept(led, known, effort)
            columns = _afresh(led, workers) if kept is None else kept
        except NoPlaceError as error:
            if len(led.narrow.columns) == len(owner):
                raise
            led = widened(led, classes, error.blocks)
    bound = led.bound
    if kept is None and _gap(led, columns, bound) > TARGET[effort]:
        bound = max(bound, lagrangian_bound(classes, led.duals, workers))
        columns = _searched(led, columns, bound, effort)
    values = led.narrow.whole(columns)
    if whole.excess(whole.activity(values)).any():
        values = repaired(whole, values, led.penalty)  # with the columns that were left out
    if whole.excess(whole.activity(values)).any():
        raise LimitError("no placement within every capacity was found; a higher --effort may")
    value = float(model.cost @ values)
    return Answer(values, value, min(value, bound))


def _known(blocks: Blocks, start: Floats) -> Floats | None:
    """*start* with all columns of the blocks that it has right; None where these are too few."""
    # First a look at what is written in it: to find the other columns takes time.
    if 2 * len(_right(blocks, start, complete=False)) < len(blocks.workloads):
        return None
    values = completed(blocks, start)
    right = np.isin(blocks.block, _right(blocks, values, complete=True))
    return np.where(right, values, np.nan)


def _kept(led: Guide, known: Floats, effort: int) -> Floats | None:
    """An answer that keeps what is *known* and is within twice the gap; None where it is not."""
    blocks, relaxation = led.narrow.blocks, led.relaxation
    values = known[led.narrow.columns]
    most = led.bound + 2 * TARGET[effort] * abs(led.bound)
    kept = [b for b in blocks.workloads if not np.isnan(values[blocks.columns[b]]).any()]
    relaxation.fix({b: values[blocks.columns[b]] for b in kept})
    relaxation.solve()
    if relaxation.value <= most:
        columns = repaired(blocks, rounded(blocks, relaxation, led.penalty), led.penalty)
        broken = blocks.excess(blocks.activity(columns)).any()
        if not broken and blocks.model.cost @ columns <= most:
            return columns
    relaxation.fix({}, released=relaxation.fixed)
    relaxation.solve()
    return None


def _afresh(led: Guide, workers: Workers) -> Floats:
    """An answer from the relaxation alone."""
    blocks, relaxation = led.narrow.blocks, led.relaxation
    columns = rounded_in_parts(blocks, relaxation, led.penalty, workers)
    columns = repaired(blocks, columns, led.penalty, _ATTEMPTS)
    relaxation.fix({b: columns[blocks.columns[b]] for b in blocks.workloads})
    return columns


def _searched(led: Guide, columns: Floats, bound: float, effort: int) -> Floats:
    """*columns*, or a better answer from its neighbourhoods."""
    blocks, steps = led.narrow.blocks, _STEPS[effort]
    while steps and _gap(led, columns, bound) > TARGET[effort]:
        regrets = regret(blocks, columns, led.columns, led.duals)
        before = columns
        for group in groups(blocks, columns, regrets, led.duals, _SIZE)[:steps]:
            columns = improved(blocks, led.relaxation, columns, led.penalty, group)
            steps -= 1
            if _gap(led, columns, bound) <= TARGET[effort]:
                break
        if columns is before:
            break
    return columns


def _right(blocks: Blocks, start: Floats, *, complete: bool) -> list[int]:
    """The blocks that are known, in all columns or in some, and in no row that is broken."""
    unknown = totals(blocks.block, np.isnan(start).astype(np.float64), len(blocks.columns))
    broken = blocks.broken(np.nan_to_num(start))
    limits = [1 if complete else len(columns) for columns in blocks.columns]
    return [b for b in blocks.workloads if unknown[b] < limits[b] and b not in broken]


def _gap(led: Guide, columns: Floats, bound: float) -> float:
    return (float(led.narrow.blocks.model.cost @ columns) - bound) / max(1e-9, abs(bound))
