"""Where to start from: the present placement as values of the columns.

Owns the step from the replicas of a workload to all of its columns. Which groups are used and who
serves whom follows from the replicas; a workload whose replicas no longer meet its own rows is not
known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from placement.filter import Candidate
from placement.program import Present, Program
from placement.solve.blocks import Blocks, own_part, totals
from placement.solve.highs import Floats, branch_and_bound

_NODES, _GAP = 10, 1e-4

_TOGETHER = 200
"""Workloads that are completed in one program: they have no row in common."""


def present_slots(
    program: Program, taken: Sequence[Sequence[Candidate]], names: Sequence[str], present: Present
) -> Floats:
    """The replica columns at *present*, NaN in all others and in workloads that it does not name.

    Args:
        program: the program.
        taken: by workload, its candidates.
        names: the ids of the workloads.
        present: where replicas run now.
    """
    values = np.full(len(program.lower), np.nan)
    left: dict[tuple[int, int], int] = {}
    for column, (workload, candidate, _) in enumerate(program.slots.tolist()):
        there: Mapping[str, int] | None = present.get(names[workload])
        if there is None:
            continue
        key = (workload, candidate)
        if key not in left:
            left[key] = there.get(taken[workload][candidate].cluster.name, 0)
        # Over the node classes of a cluster in their order, as far as each has room.
        here = min(left[key], int(program.upper[column]))
        values[column] = here
        left[key] -= here
    return values


def completed(blocks: Blocks, start: Floats) -> Floats:
    """*start* with the other columns of each block that has some, NaN where they do not exist."""
    values = start.copy()
    unknown = totals(blocks.block, np.isnan(start).astype(np.float64), len(blocks.columns))
    some = [b for b in blocks.workloads if 0 < unknown[b] < len(blocks.columns[b])]
    for first in range(0, len(some), _TOGETHER):
        _complete(blocks, some[first : first + _TOGETHER], values)
    return values


def _complete(blocks: Blocks, chosen: list[int], values: Floats) -> None:
    """Fill in the columns of the *chosen* blocks: all at once, or by halves where one has none."""
    part = own_part(blocks, chosen, blocks.model.cost)
    known = ~np.isnan(values[part.free])
    lower, upper = part.model.lower.copy(), part.model.upper.copy()
    lower[known] = upper[known] = values[part.free][known]
    fixed = replace(part.model, lower=lower, upper=upper)
    answer = branch_and_bound(fixed, _NODES, _GAP, presolve=True).columns
    if answer is not None or len(chosen) == 1:
        values[part.free] = np.nan if answer is None else answer
        return
    middle = len(chosen) // 2
    _complete(blocks, chosen[:middle], values)
    _complete(blocks, chosen[middle:], values)
