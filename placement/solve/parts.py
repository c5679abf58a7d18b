"""Rounding a very large relaxation part by part.

Owns the cut. The workloads of a part are rounded by a relaxation of their own, around all others
as they are: those of earlier parts whole, those of later ones as the relaxation of all has them,
so that each part finds about what that relaxation gave it. Every so manieth workload is in a part,
so that each part has its share of every row.
"""

from dataclasses import replace

import numpy as np

from placement.solve.blocks import Blocks, coupled_part
from placement.solve.classes import Classes, Relaxation
from placement.solve.highs import Floats
from placement.solve.rounding import NoPlaceError, rounded

_COLUMNS = 40_000
"""The columns of a part."""


def rounded_in_parts(blocks: Blocks, relaxation: Relaxation, penalty: Floats) -> Floats:
    """Values of all columns, whole where they should be, from a softened and solved *relaxation*.

    A relaxation of a single part is left with what was fixed in it.

    Raises:
        NoPlaceError: as ``rounded``.
    """
    parts = -(-len(blocks.model.cost) // _COLUMNS)
    if parts == 1:
        return rounded(blocks, relaxation, penalty)
    columns = relaxation.columns
    activity = blocks.activity(columns)
    for first in range(parts):
        chosen = [*list(blocks.workloads)[first::parts], len(blocks.columns) - 1]
        part, touched = coupled_part(blocks, chosen)
        inside = blocks.change(part.free, columns[part.free])
        outside = (activity - inside)[touched]
        model, height = part.model, len(part.model.row_lower) - len(touched)
        shift = np.concatenate([np.zeros(height), outside])
        model = replace(model, row_lower=model.row_lower - shift, row_upper=model.row_upper - shift)
        number = np.full(len(blocks.columns), -1)
        number[chosen[:-1]] = np.arange(len(chosen) - 1)
        couples = np.arange(len(shift)) >= height
        own = Blocks.of(model, number[blocks.block[part.free]], couples)
        alone = Relaxation(Classes.of(own))
        alone.soften(penalty[touched])
        alone.solve()
        try:
            columns[part.free] = rounded(own, alone, penalty[touched])
        except NoPlaceError as error:
            raise NoPlaceError([chosen[b] for b in error.blocks]) from None
        activity = activity - inside + blocks.change(part.free, columns[part.free])
    return columns
