"""Prices of the rows that couple, from a few of the workloads: for programs of a great many.

Owns the estimate. Some of the workloads, every so manieth, share the part of each row that they
could fill of it; the duals of their relaxation are near those of the whole, the nearer the more
workloads there are. The mean over several samples is nearer still, and how they differ says
where the prices of the whole may be. Any prices give a true bound (``lagrangian.py``), so nothing
rests on how near they are but the work that follows.
"""

import numpy as np

from placement.solve.blocks import Blocks, coupled_part, totals
from placement.solve.highs import Floats, Integers, Linear, Model
from placement.solve.workers import Workers

_COLUMNS = 150_000
"""The columns of a sample."""

_SAMPLES = 3


def sampled(blocks: Blocks, penalty: Floats, workers: Workers) -> list[Floats]:
    """Prices of the coupling rows, which the samples may break at *penalty* for each unit.

    First their mean over the samples, then those of each sample; of a row that it knows nothing
    of, the mean.
    """
    model = blocks.model
    parts = max(_SAMPLES, -(-len(model.cost) // _COLUMNS))
    reach = np.abs(blocks.across.value) * np.minimum(model.upper, 1e9)[blocks.across.row]
    whole = totals(blocks.across.index, reach, len(blocks.coupling))
    rows: list[Integers] = []
    pieces: list[tuple[Model, Floats]] = []
    for first in range(_SAMPLES):
        chosen = list(blocks.workloads)[first * parts // _SAMPLES :: parts]
        part, touched = coupled_part(blocks, chosen)
        inside = np.isin(blocks.block[blocks.across.row], chosen)
        own = totals(blocks.across.index[inside], reach[inside], len(blocks.coupling))[touched]
        share = own / np.maximum(whole[touched], 1e-12)
        height = len(part.model.row_lower) - len(touched)
        for side in (part.model.row_lower, part.model.row_upper):
            side[height:] *= share
        rows.append(touched)
        pieces.append((part.model, penalty[touched]))
    each = np.full((_SAMPLES, len(blocks.coupling)), np.nan)
    for number, duals in enumerate(workers.map(_duals, pieces)):
        each[number, rows[number]] = duals
    seen = np.count_nonzero(~np.isnan(each), axis=0)
    mean = np.nansum(each, axis=0) / np.maximum(seen, 1)
    return [mean, *np.where(np.isnan(each), mean, each)]


def _duals(piece: tuple[Model, Floats]) -> Floats:
    """Of the last rows of a model, which may be broken at a price."""
    model, penalty = piece
    height = len(model.row_lower) - len(penalty)
    linear = Linear(model)
    linear.soften_all(np.arange(height, height + len(penalty)), model, penalty)
    linear.solve()
    return linear.duals[height:]
