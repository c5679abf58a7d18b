r"""The mixed-integer program: every workload of the federation in one model.

Owns the variables, rows and objective terms as sparse matrices, each row with the requirement that
it stands for. It calls no solver: ``solve`` does; and it is not what is trusted: ``check``
checks an answer against the federation file itself.

Symbols (w workload, c candidate cluster, k node class of c, d region with users, g group of
level l):

.. math::

    x_{wck} \in \mathbb{Z}_{\ge 0} & \quad\text{replicas} \\
    y_{wc}, z_{wg} \in \{0, 1\} & \quad\text{cluster used, group used} \\
    f_{wdc} \ge 0 & \quad\text{demand of d served by c, in replicas} \\
    n_{ck} \in \mathbb{Z}_{\ge 0} & \quad\text{nodes opened (basis: marginal)} \\
    v_{wc} \ge 0 & \quad\text{replicas missing from the wanted ratio, or moved in}

    \textstyle\sum_{ck} x_{wck} = R_w & \quad\text{replicas} \\
    \textstyle\sum_w r_{wt} x_{wck} \le C_{ckt} & \quad\text{capacity of each resource t} \\
    m_w y_{wc} \le \textstyle\sum_k x_{wck} \le M_w y_{wc} & \quad\text{per cluster} \\
    y_{wc} \le z_{wg} \le \textstyle\sum_{c \in g} y_{wc},\;
    a_{wl} \le \textstyle\sum_{g \in l} z_{wg} \le b_{wl} & \quad\text{spread} \\
    \textstyle\sum_c f_{wdc} = s_{wd} R_w,\; \textstyle\sum_d f_{wdc} = \textstyle\sum_k x_{wck}
    & \quad\text{users}

The location part is a capacitated facility location problem (Cornuejols, Sridharan and Thizy, A
comparison of heuristics and relaxations for the capacitated plant location problem, EJOR 1991),
coupled over workloads by the capacity rows.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from placement.federation.federation import Federation
from placement.federation.objective import Term
from placement.filter import Candidate, Fit
from placement.forbid import Box
from placement.program.balance import balance
from placement.program.boxes import boxes
from placement.program.budgets import budgets
from placement.program.capacity import capacity
from placement.program.demand import demand
from placement.program.groups import groups
from placement.program.matrix import Builder, Floats, Integers, Program, Requirement
from placement.program.moves import Present, moves
from placement.program.neighbours import neighbours
from placement.program.pairs import Pairs
from placement.program.rules import ratio, replicas
from placement.program.spread import spread, uses
from placement.program.survive import survival
from placement.program.totals import every_total
from placement.program.view import PLACES, View
from placement.score import Facts
from placement.tighten import Limit, Seat

__all__ = ["Floats", "Present", "Program", "Requirement", "build"]

_OF_SLOT: tuple[Term, ...] = ("cost", "locality", "carbon", "fit")
"""The terms that a replica has by where it runs."""


def build(
    federation: Federation,
    candidates: Sequence[Sequence[Candidate]],
    present: Present | None = None,
    cuts: Sequence[Limit | Seat] = (),
    forbidden: Sequence[Box] = (),
) -> Program:
    """The program of *federation*, with a column for each replica slot that passed the filters.

    Args:
        federation: the federation.
        candidates: by workload, what ``filter.candidates`` left.
        present: where replicas run now, for churn and moves.
        cuts: heuristic cuts that the exact check asked for.
        forbidden: exact cuts that it asked for.
    """
    builder = Builder()
    pairs = Pairs.of(federation, candidates)
    fits = [fit for taken in candidates for candidate in taken for fit in candidate.fits]
    views = _views(builder, federation, candidates, pairs, cuts)
    size = np.array([workload.size for workload in federation.workloads], dtype=np.int64)
    owner = pairs.workload[pairs.pair]
    most = np.minimum(np.array([fit.most for fit in fits], dtype=np.int64), size[owner])
    slots = builder.many(most, owner, integer=True, place=builder.place)
    _terms(builder, slots, fits, 1 / size[owner] / len(views))
    limits = [cut for cut in cuts if isinstance(cut, Limit)]
    capacity(builder, Facts.of(federation), pairs, views, limits)
    # What belongs to a workload stands together in the program, whichever is made first.
    replicas(builder, pairs, views, size)
    uses(builder, pairs, views)
    groups(builder, federation, pairs, views)
    spread(builder, federation, views)
    for view in views:
        builder.place = view.place + PLACES - 1
        ratio(builder, federation, view)
    demand(builder, federation, pairs, views)
    for view in views:
        builder.place = view.place + PLACES - 1
        every_total(builder, view)
    builder.place = 1 + PLACES * len(views)
    if present is not None:
        moves(builder, federation, pairs, views, present, builder.place)
    neighbours(builder, views)
    budgets(builder, federation, views)
    balance(builder, federation, views)
    survival(builder, federation, views)
    boxes(builder, views, forbidden)
    return builder.build(pairs.slots)


def _views(
    builder: Builder,
    federation: Federation,
    candidates: Sequence[Sequence[Candidate]],
    pairs: Pairs,
    cuts: Sequence[Limit | Seat],
) -> list[View]:
    """Every workload with its candidates."""
    raised = Counter(cut.workload for cut in cuts if isinstance(cut, Seat))
    starts, slots = pairs.start.tolist(), pairs.slot_start.tolist()
    return [
        View(
            builder,
            index,
            workload,
            taken,
            1 + PLACES * index,
            slots[starts[index] : starts[index + 1] + 1],
            raised[workload.id],
        )
        for index, (workload, taken) in enumerate(
            zip(federation.workloads, candidates, strict=True)
        )
    ]


def _terms(builder: Builder, slots: Integers, fits: Sequence[Fit], shares: Floats) -> None:
    """What a replica costs on each slot; latency is the flows', not the replicas'.

    The misfit is a mean over replicas and workloads, of which *shares* has each slot's part; the
    other terms add up.
    """
    terms = [fit.terms for fit in fits]
    for term in _OF_SLOT:
        found = [each[term] for each in terms]
        value = np.nan_to_num(np.array(found, dtype=np.float64))  # None becomes NaN
        if value.any():
            builder.costs(term, slots, value * shares if term == "fit" else value)
