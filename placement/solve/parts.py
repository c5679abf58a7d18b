"""Rounding a very large relaxation part by part.

Owns the cut. The workloads of a part are rounded by a relaxation of their own, around all others
as they are: those of earlier parts whole, those of later ones as the relaxation of all has them,
so that each part finds about what that relaxation gave it. Every so manieth workload is in a part,
so that each part has its share of every row. A few parts are rounded at a time, in as many
processes as there are: what is free of a row is then divided among them, so that together they
stay within it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from placement.solve.blocks import Blocks, Part, coupled_part
from placement.solve.classes import Classes, Relaxation
from placement.solve.highs import Floats, Integers, Model
from placement.solve.rounding import NoPlaceError, rounded
from placement.solve.workers import ALONE, Workers

_COLUMNS = 40_000
"""The columns of a part."""

_TOGETHER = 2
"""Parts that are rounded at a time, but for the last; whatever the number of processes."""


@dataclass(frozen=True)
class _Piece:
    """A part with what is left to it of the rows that couple.

    Attributes:
        model: its last rows are those that couple.
        owner: the block of each column, of those of the part.
        penalty: of the rows that couple.
    """

    model: Model
    owner: Integers
    penalty: Floats


def rounded_in_parts(
    blocks: Blocks, relaxation: Relaxation, penalty: Floats, workers: Workers = ALONE
) -> Floats:
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
    every = list(blocks.workloads)
    # The columns of no workload belong to every part.
    together = 1 if len(blocks.columns[-1]) else _TOGETHER
    for numbers in _waves(parts, together):
        chosen = [every[number::parts] for number in numbers]
        cut = [_cut(blocks, c, columns, activity, penalty, 1 / len(chosen)) for c in chosen]
        found = workers.map(_whole, [piece for _, piece in cut])
        lost = [c[b] for c, r in zip(chosen, found, strict=True) if isinstance(r, list) for b in r]
        if lost:
            raise NoPlaceError(lost)
        for (part, _), values in zip(cut, found, strict=True):
            activity += blocks.change(part.free, np.asarray(values) - columns[part.free])
            columns[part.free] = values
    return columns


def _waves(parts: int, together: int) -> list[range]:
    """The parts that are rounded at a time; the last by itself makes up for what is left of all."""
    last = parts - 1
    firsts = range(0, last, together)
    return [*(range(i, min(last, i + together)) for i in firsts), range(last, parts)]


def _cut(
    blocks: Blocks,
    chosen: Sequence[int],
    columns: Floats,
    activity: Floats,
    penalty: Floats,
    share: float,
) -> tuple[Part, _Piece]:
    """The part of the *chosen* blocks: what they take now of each row, and a *share* of the rest.

    Of a row that is broken it is to give back as large a share.
    """
    part, touched = coupled_part(blocks, [*chosen, len(blocks.columns) - 1])
    inside = blocks.change(part.free, columns[part.free])[touched]
    model, own = part.model, len(part.model.row_lower) - len(touched)
    lower, upper = model.row_lower.copy(), model.row_upper.copy()
    for side in (lower, upper):
        side[own:] = inside + share * (side[own:] - activity[touched])
    number = np.full(len(blocks.columns), -1)
    number[list(chosen)] = np.arange(len(chosen))
    model = replace(model, row_lower=lower, row_upper=upper)
    return part, _Piece(model, number[blocks.block[part.free]], penalty[touched])


def _whole(piece: _Piece) -> Floats | list[int]:
    """The values of a part; the blocks that have no place, where there are some."""
    couples = np.arange(len(piece.model.row_lower)) >= len(piece.model.row_lower) - len(
        piece.penalty
    )
    blocks = Blocks.of(piece.model, piece.owner, couples)
    relaxation = Relaxation(Classes.of(blocks))
    relaxation.soften(piece.penalty)
    relaxation.solve()
    try:
        return rounded(blocks, relaxation, piece.penalty)
    except NoPlaceError as error:
        return error.blocks
