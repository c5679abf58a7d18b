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

from placement.federation.federation import Federation
from placement.filter import Candidate
from placement.forbid import Box
from placement.program.balance import balance
from placement.program.boxes import boxes
from placement.program.budgets import budgets
from placement.program.capacity import capacity
from placement.program.demand import demand
from placement.program.matrix import Builder, Floats, Program, Requirement, Slot
from placement.program.moves import Present, moves
from placement.program.neighbours import neighbours
from placement.program.rules import ratio, replicas
from placement.program.spread import spread
from placement.program.survive import survival
from placement.program.totals import every_total
from placement.program.view import View
from placement.score import Facts
from placement.tighten import Limit, Seat

__all__ = ["Floats", "Present", "Program", "Requirement", "Slot", "build"]


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
    raised = Counter(cut.workload for cut in cuts if isinstance(cut, Seat))
    slots: list[Slot] = []
    views: list[View] = []
    for index, (workload, taken) in enumerate(zip(federation.workloads, candidates, strict=True)):
        columns: list[list[int]] = []
        for c, candidate in enumerate(taken):
            columns.append([])
            for k, fit in enumerate(candidate.fits):
                most = min(fit.most, workload.size)
                columns[-1].append(builder.column(0, most, integer=True, owner=index))
                slots.append(Slot(index, c, k))
        views.append(View(builder, index, workload, taken, columns, raised[workload.id]))
    for view in views:
        _terms(builder, view, len(views))
    limits = [cut for cut in cuts if isinstance(cut, Limit)]
    capacity(builder, Facts.of(federation), views, limits)
    served = sum(workload.size for workload in federation.workloads if workload.demand)
    for view in views:
        replicas(builder, view)
        spread(builder, federation, view)
        ratio(builder, federation, view)
        demand(builder, federation, view, served)
        every_total(builder, view)
    if present is not None:
        moves(builder, federation, views, present)
    neighbours(builder, views)
    budgets(builder, federation, views)
    balance(builder, federation, views)
    survival(builder, federation, views)
    boxes(builder, views, forbidden)
    return builder.build(slots)


def _terms(builder: Builder, view: View, workloads: int) -> None:
    """What each replica costs; latency is the flows', not the replicas'."""
    for candidate, of_cluster in zip(view.candidates, view.columns, strict=True):
        for fit, column in zip(candidate.fits, of_cluster, strict=True):
            for term, value in fit.terms.items():
                if term == "latency" or not value:
                    continue
                # The misfit is a mean over workloads; the other terms add up.
                scale = 1 / view.workload.size / workloads if term == "fit" else 1.0
                builder.cost(term, column, value * scale)
