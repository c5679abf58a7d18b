"""Whom a conflict can be about: a quick look that leaves the deletion filter less to ask.

Owns the elastic relaxation: replicas need not be whole, and every requirement may be broken at a
price. Where even that costs something, its dual values are a certificate (Farkas): the rows with a
dual value conflict by themselves, so nothing else need be asked. What it names is only a suspicion,
which the filter puts to the question.
"""

from collections.abc import Sequence

import numpy as np

from placement.federation.federation import Federation
from placement.filter import Candidate
from placement.program import Floats, Present, Program, build
from placement.program.matrix import NOBODY
from placement.solve import Level, LimitError, model_of
from placement.solve.highs import Linear

_NEAR = 1e-7
"""What the solver calls zero."""

_NOTHING = Level("nothing", {})
"""The objective: what breaks the requirements is all that costs."""


def suspects(
    federation: Federation, taken: Sequence[Sequence[Candidate]], present: Present | None
) -> frozenset[str] | None:
    """The workloads and clusters that the certificate is about; None where there is none."""
    program = build(federation, taken, present)
    linear = Linear(model_of(program, _NOTHING))
    rows = np.array([i for i, r in enumerate(program.requirements) if r is not None])
    if not len(rows):
        return None
    limits = np.where(np.isfinite(program.row_upper), program.row_upper, program.row_lower)
    price: Floats = 1.0 / np.maximum(1.0, np.abs(limits[rows]))
    for sign in (1.0, -1.0):  # short of the requirement, and over it
        linear.soften(rows, np.full(len(rows), sign), price)
    try:
        if not linear.solve() or linear.value < _NEAR:
            return None
    except LimitError:
        return None
    return _about(federation, taken, program, linear)


def _about(
    federation: Federation,
    taken: Sequence[Sequence[Candidate]],
    program: Program,
    linear: Linear,
) -> frozenset[str]:
    """The subjects of the rows with a dual value, and whom the columns in them are about."""
    names: set[str] = set()
    for row in np.flatnonzero(np.abs(linear.duals) > _NEAR):
        requirement = program.requirements[row]
        if requirement is not None:
            for subject in requirement.subject.split(" and "):
                names |= {subject, subject.split("/")[0]}
        columns = program.columns[program.row_start[row] : program.row_start[row + 1]]
        for column in columns.tolist():
            owner = int(program.owner[column])
            if requirement is None and owner != NOBODY:
                names.add(federation.workloads[owner].id)
            # What a cluster holds of a workload by itself bounds the column, and is no row.
            if column < len(program.slots) and linear.columns[column] >= program.upper[column]:
                workload, candidate, _ = program.slots[column]
                names.add(taken[workload][candidate].cluster.name)
    return frozenset(names)
