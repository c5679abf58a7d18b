"""The engine: filter, score, search, divide, prove, explain.

Owns the order of these steps and the hash of the input. Each step stands in a module of its own.
"""

import hashlib
import json
from dataclasses import replace

from placement import __version__
from placement.assemble import Judged, after_losses, moves, objective_values, placed
from placement.backup import backups
from placement.conflicts import explain, lines
from placement.cordon import with_cordons
from placement.decision import Decision
from placement.federation.federation import Federation
from placement.filter import candidates
from placement.prices import prices
from placement.program import Present
from placement.score import Facts
from placement.search import Unplaced, search


def plan(
    federation: Federation, *, effort: int = 3, present: Present | None = None, processes: int = 1
) -> Decision:
    """Decide where every replica of *federation* runs.

    Args:
        federation: facts and workloads.
        effort: 1 to 5: how many branch-and-bound nodes a level may take.
        present: where replicas run now, by workload id and cluster; for moves and churn.
        processes: that share the work on a large federation; the decision does not depend on them.

    Returns:
        The decision; with the status ``infeasible`` and its conflicts where there is none.

    Raises:
        FederationError: the solver found nothing within its limits, or its answer failed the
            independent check for good.
    """
    decision = decide(federation, effort=effort, present=present, processes=processes)
    if decision.status != "infeasible":
        return decision

    def planner(eased: Federation) -> Decision:
        return decide(eased, effort=effort, present=present)

    found = explain(federation, present, effort, planner)
    return replace(decision, infeasibility=found, conflicts=lines(found))


def priced(
    decision: Decision, federation: Federation, *, effort: int = 3, present: Present | None = None
) -> Decision:
    """*decision* with what the binding requirements cost; with the arguments that led to it."""
    if decision.status == "infeasible":
        return decision

    def planner(eased: Federation) -> Decision:
        return decide(eased, effort=effort, present=present)

    return replace(decision, prices=prices(federation, present, planner))


def decide(
    federation: Federation, *, effort: int, present: Present | None, processes: int = 1
) -> Decision:
    """As ``plan``, without a word on why there is no placement."""
    digest = input_hash(federation, effort)
    federation = with_cordons(federation, present)
    facts = Facts.of(federation)
    judged = [Judged(*candidates(facts, workload)) for workload in federation.workloads]
    result = None
    if all(j.taken for j in judged):
        result = search(federation, [j.taken for j in judged], present, effort, processes)
    if result is None or isinstance(result, Unplaced):
        return Decision(
            input_hash=digest,
            status="infeasible",
            objective=(),
            workloads=tuple(
                placed(federation, index, j, None, ()) for index, j in enumerate(judged)
            ),
        )
    workloads = [placed(federation, i, j, result, ()) for i, j in enumerate(judged)]
    chosen = backups(federation, workloads)
    after_loss = after_losses(federation, result.counts, chosen)
    objective = objective_values(federation, judged, result)
    return Decision(
        input_hash=digest,
        status="optimal" if result.proven else "gap",
        objective=objective,
        workloads=tuple(
            replace(w, after_loss=after_loss[w.id], backups=chosen.get(w.id, ())) for w in workloads
        ),
        moves=moves(result.counts, present),
    )


def input_hash(federation: Federation, effort: int) -> str:
    """SHA-256 of all that a decision depends on but the present placement."""
    document = {
        "engine": __version__,
        "effort": effort,
        "federation": federation.model_dump(mode="json", by_alias=True),
    }
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
