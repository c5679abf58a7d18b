"""Prices of the rows that couple, from a few of the workloads: for programs of a great many.

Owns the estimate. Some of the workloads, every so manieth, share the part of each row that they
could fill of it; the duals of their relaxation are near those of the whole, the nearer the more
workloads there are. The mean over several samples is nearer still. Any prices give a true bound
(``lagrangian.py``), so nothing rests on how near they are but the work that follows.
"""

import numpy as np

from placement.solve.blocks import Blocks, coupled_part, totals
from placement.solve.highs import Floats, Linear

_COLUMNS = 60_000
"""The columns of a sample."""

_SAMPLES = 3


def sampled(blocks: Blocks, penalty: Floats) -> Floats:
    """Prices of the coupling rows, which the samples may break at *penalty* for each unit."""
    model = blocks.model
    parts = max(_SAMPLES, -(-len(model.cost) // _COLUMNS))
    reach = np.abs(blocks.across.value) * np.minimum(model.upper, 1e9)[blocks.across.row]
    whole = totals(blocks.across.index, reach, len(blocks.coupling))
    found = np.zeros(len(blocks.coupling))
    seen = np.zeros(len(blocks.coupling))
    for first in range(_SAMPLES):
        chosen = list(blocks.workloads)[first * parts // _SAMPLES :: parts]
        part, touched = coupled_part(blocks, chosen)
        inside = np.isin(blocks.block[blocks.across.row], chosen)
        own = totals(blocks.across.index[inside], reach[inside], len(blocks.coupling))[touched]
        share = own / np.maximum(whole[touched], 1e-12)
        height = len(part.model.row_lower) - len(touched)
        for side in (part.model.row_lower, part.model.row_upper):
            side[height:] *= share
        linear = Linear(part.model)
        linear.soften_all(np.arange(height, height + len(touched)), part.model, penalty[touched])
        linear.solve()
        found[touched] += linear.duals[height:]
        seen[touched] += 1
    return found / np.maximum(seen, 1)
