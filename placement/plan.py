"""The engine: filter, score, search, divide, prove, explain.

Owns the order of these steps and the hash of the input. Each step stands in a module of its own.
"""

import hashlib
import json

from placement import __version__
from placement.assemble import Judged, after_losses, moves, objective_values, placed
from placement.decision import Decision
from placement.federation.federation import Federation
from placement.filter import candidates
from placement.program import Present
from placement.score import Facts
from placement.search import search


def plan(federation: Federation, *, effort: int = 3, present: Present | None = None) -> Decision:
    """Decide where every replica of *federation* runs.

    Args:
        federation: facts and workloads.
        effort: 1 to 5: how many branch-and-bound nodes a level may take.
        present: where replicas run now, by workload id and cluster; for moves and churn.

    Returns:
        The decision; with the status ``infeasible`` and its conflicts where there is none.

    Raises:
        FederationError: the solver found nothing within its limits, or its answer failed the
            independent check for good.
    """
    facts = Facts.of(federation)
    judged = [Judged(*candidates(facts, workload)) for workload in federation.workloads]
    digest = input_hash(federation, effort)
    nowhere = [
        f"{w.id}: no cluster may hold it: "
        + "; ".join(f"{r.cluster}: {r.filter}: {r.detail}" for r in j.refused)
        for w, j in zip(federation.workloads, judged, strict=True)
        if not j.taken
    ]
    result = nowhere or search(federation, [j.taken for j in judged], present, effort)
    if isinstance(result, list):
        return Decision(
            input_hash=digest,
            status="infeasible",
            objective=(),
            workloads=tuple(
                placed(federation, index, j, None, ()) for index, j in enumerate(judged)
            ),
            conflicts=tuple(result),
        )
    after_loss = after_losses(federation, result.counts)
    objective = objective_values(federation, judged, result)
    return Decision(
        input_hash=digest,
        status="optimal" if result.proven else "gap",
        objective=objective,
        workloads=tuple(
            placed(federation, index, j, result, after_loss[w.id])
            for index, (w, j) in enumerate(zip(federation.workloads, judged, strict=True))
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
