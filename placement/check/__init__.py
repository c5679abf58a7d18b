"""An independent check that a placement meets the federation file.

Owns the proof that an answer is right: written from the file's own meaning, exact, and knowing
neither the solver nor its program. It imports the models, what says how whole replicas are packed
and how Karmada divides, and beyond them the standard library and pydantic alone, so that the policy
pack can use it. Each module checks one kind of requirement.
"""

from collections.abc import Callable, Iterator

from placement.check.budget import budgets
from placement.check.capacity import capacity
from placement.check.moves import moves
from placement.check.neighbours import neighbours
from placement.check.suitable import unsuitable
from placement.check.survival import survival
from placement.check.totals import RULE, every_total
from placement.check.violation import Violation
from placement.check.workload import rules
from placement.failure import Counts
from placement.federation.federation import Federation

__all__ = ["RULE", "Violation", "every_total", "violations"]


def violations(
    federation: Federation, counts: Counts, present: Counts | None = None
) -> list[Violation]:
    """Every requirement of *federation* that *counts* do not meet; empty for a right answer.

    A placement is judged in stages, each of which takes for granted what those before it found in
    order: the first that finds something is the last.

    Args:
        federation: facts and workloads.
        counts: replicas by workload id and cluster.
        present: where replicas run now, for the bound on moves.
    """
    stages: tuple[Callable[[], Iterator[Violation]], ...] = (
        lambda: _placed(federation, counts),
        lambda: _alone(federation, counts),
        lambda: _together(federation, counts, present),
        lambda: capacity(federation, counts),
        lambda: survival(federation, counts),
    )
    return next((found for stage in stages if (found := list(stage()))), [])


def _placed(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """All replicas are placed, on clusters that may hold them."""
    known = {c.name: c for c in federation.clusters}
    for workload in federation.workloads:
        there = counts.get(workload.id, {})
        total = sum(there.values())
        if total != workload.size or any(n < 1 for n in there.values()):
            yield Violation(workload.id, "replicas", f"{total} placed of {workload.size}")
        for name in there:
            cluster = known.get(name)
            reason = unsuitable(federation, workload, cluster) if cluster else "unknown"
            if reason is not None:
                yield Violation(workload.id, "suitable", f"{name}: {reason}", name)


def _alone(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """What each workload asks of its own replicas, at every total that it may have."""
    for workload in federation.workloads:
        found = list(rules(federation, workload, counts[workload.id]))
        yield from found or every_total(federation, workload, counts[workload.id])


def _together(
    federation: Federation, counts: Counts, present: Counts | None
) -> Iterator[Violation]:
    """What is asked of several workloads at once, short of room for them."""
    yield from neighbours(federation, counts)
    yield from budgets(federation, counts)
    if present is not None:
        yield from moves(federation, counts, present)
