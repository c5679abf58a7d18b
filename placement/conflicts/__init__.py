"""Why there is no placement: requirements that cannot hold together, and ways out.

Owns the order of the steps: the conflict by a deletion filter (``deletion.py``) over the
requirements of the file, each question answered by the engine's own filters, program and check
(``oracle.py``); then the ways out (``relaxation.py``), each planned.
"""

from placement.conflicts.conflict import conflict
from placement.conflicts.oracle import Oracle
from placement.conflicts.relaxation import Planner, relaxations
from placement.conflicts.words import lines
from placement.federation.federation import Federation
from placement.findings import Infeasibility, NamedRequirement
from placement.program import Present
from placement.requirements import named, requirements

__all__ = ["explain", "lines"]


def explain(
    federation: Federation, present: Present | None, effort: int, planner: Planner
) -> Infeasibility | None:
    """Why *federation* has no placement; None where one is found after all.

    Args:
        federation: one for which a plan found no placement.
        present: where replicas run now.
        effort: 1 to 5: how much work may go into the questions.
        planner: plans a federation, and does not explain where it cannot.
    """
    oracle = Oracle(present, effort)
    refusal = oracle.refusal(federation)
    if refusal is None:
        return None
    listed = requirements(federation)
    found = conflict(federation, listed, (), refusal, oracle)
    return Infeasibility(
        stage=found.refusal.stage,
        proven=found.refusal.proven,
        irreducible=found.irreducible,
        requirements=tuple(
            NamedRequirement(each.location, each.key, each.subject, each.read)
            for each in named(found.members)
        ),
        details=found.refusal.details,
        relaxations=relaxations(federation, listed, found, oracle, planner),
    )
