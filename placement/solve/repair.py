"""Mending what rounding left broken: rows that couple, by a unit or two.

Owns the last step to a feasible answer. For each broken row, each of a few workloads in it is
placed anew by a small exact program at a price that no overload is worth; the change that costs
least is made.
"""

from collections import Counter

import numpy as np

from placement.solve.blocks import Blocks, elastic_part
from placement.solve.highs import Floats, branch_and_bound

_ROUNDS = 40
"""The most rounds of repair, beside two for each row that is broken at first."""

_TRIED = 8
"""Workloads that are tried for each broken row in a round."""

_DEAR = 1000.0
"""How much dearer an overload is here than in the rounding."""


def repaired(blocks: Blocks, columns: Floats, penalty: Floats, attempts: float = np.inf) -> Floats:
    """*columns* with fewer rows broken, none where that was found.

    The broken rows have their turns: of those that were tried the fewest times, the dearest.

    Args:
        blocks: the program.
        columns: values of its columns.
        penalty: by coupling row, the price of each unit by which it is broken.
        attempts: the most for a row.
    """
    columns, dear = columns.copy(), penalty * _DEAR
    activity = blocks.activity(columns)
    tried: Counter[int] = Counter()
    for _ in range(_ROUNDS + 2 * np.count_nonzero(blocks.excess(activity))):
        excess = blocks.excess(activity)
        left = [row for row in np.flatnonzero(excess).tolist() if tried[row] < attempts]
        if not left:
            break
        row = max(left, key=lambda row: (-tried[row], excess[row] * penalty[row]))
        users = _users(blocks, columns, row, tried[row])
        tried[row] += 1
        found = _best(blocks, columns, activity, dear, users)
        if found is not None:
            free, values = found
            activity = activity + blocks.change(free, values - columns[free])
            columns[free] = values
    return columns


def _users(blocks: Blocks, columns: Floats, row: int, attempt: int) -> list[list[int]]:
    """Workloads to move, alone at first and several together later; the smallest users first."""
    there = (blocks.across.index == row) & (columns[blocks.across.row] != 0)
    used = np.bincount(
        blocks.block[blocks.across.row[there]],
        np.abs(blocks.across.value[there] * columns[blocks.across.row[there]]),
        minlength=len(blocks.columns),
    )
    order = [int(b) for b in np.argsort(used, kind="stable") if used[b] and b in blocks.workloads]
    size = 1 + attempt // 8
    shift = (attempt % 8) * _TRIED * size % max(1, len(order))
    order = (order[shift:] + order[:shift])[: _TRIED * size]
    return [order[i : i + size] for i in range(0, len(order), size)]


def _best(
    blocks: Blocks,
    columns: Floats,
    activity: Floats,
    dear: Floats,
    groups: list[list[int]],
) -> tuple[np.ndarray, Floats] | None:
    """The columns and values of the group whose new place improves the most, if any does."""
    best, gain = None, 0.0
    for group in groups:
        part = elastic_part(blocks, group, columns, activity, dear)
        answer = branch_and_bound(part.model, 200, 1e-4)
        if answer.columns is None:
            continue
        values = answer.columns[: len(part.free)]
        after = activity + blocks.change(part.free, values - columns[part.free])
        change = float(blocks.model.cost[part.free] @ (values - columns[part.free]))
        change += float(dear @ (blocks.excess(after) - blocks.excess(activity)))
        if change < gain - 1e-9:
            best, gain = (part.free, values), change
    return best
