"""Making a whole answer better: some workloads are let go and placed again.

Owns the neighbourhood search (large neighbourhood search: Pisinger and Ropke, Handbook of
Metaheuristics, 2010, chapter 13; ruin by regret, recreate by relax-and-fix). The regret of a
workload is what it pays, at the prices of the relaxation, above what the relaxation would have had
it pay. A neighbourhood is the workloads of most regret with others that use the same scarce rows.
"""

import numpy as np

from placement.solve.blocks import Blocks, totals
from placement.solve.classes import Relaxation
from placement.solve.highs import Floats
from placement.solve.repair import repaired
from placement.solve.rounding import rounded


def regret(blocks: Blocks, columns: Floats, relaxed: Floats, duals: Floats) -> Floats:
    """By block, what it pays at the prices *duals* above what it pays at *relaxed*."""
    priced = blocks.priced(duals)
    return totals(blocks.block, priced * (columns - relaxed), len(blocks.columns))


def improved(
    blocks: Blocks,
    relaxation: Relaxation,
    columns: Floats,
    penalty: Floats,
    group: list[int],
) -> Floats:
    """*columns*, or a better answer in which the blocks of *group* are placed anew."""
    before = {b: columns[blocks.columns[b]] for b in group}
    relaxation.fix({}, released=group)
    relaxation.solve()
    found = repaired(blocks, rounded(blocks, relaxation, penalty), penalty)
    cost = blocks.model.cost
    if cost @ found < cost @ columns - 1e-9 and not blocks.excess(blocks.activity(found)).any():
        relaxation.fix({b: found[blocks.columns[b]] for b in blocks.workloads})
        return found
    relaxation.fix(before)
    return columns


def groups(
    blocks: Blocks, columns: Floats, regrets: Floats, duals: Floats, size: int
) -> list[list[int]]:
    """Neighbourhoods of *size* blocks, seeded by those of most regret, each block in one."""
    weight = np.abs(duals[blocks.across.index] * blocks.across.value * columns[blocks.across.row])
    use: dict[int, list[tuple[float, int]]] = {}
    rows_of: dict[int, list[int]] = {}
    used = np.flatnonzero(weight > 0)
    for entry in used[np.argsort(-weight[used], kind="stable")].tolist():
        block, row = int(blocks.block[blocks.across.row[entry]]), int(blocks.across.index[entry])
        use.setdefault(row, []).append((regrets[block], block))
        rows_of.setdefault(block, []).append(row)
    result: list[list[int]] = []
    left = {b for b in blocks.workloads if regrets[b] > 1e-9}
    for seed in sorted(left, key=lambda b: (-regrets[b], b)):
        if seed not in left:
            continue
        near = sorted(
            {item for row in rows_of.get(seed, []) for item in use[row] if item[1] in left},
            key=lambda item: (-item[0], item[1]),
        )
        group = [seed, *(b for _, b in near if b != seed)][:size]
        left.difference_update(group)
        result.append(group)
    return result
