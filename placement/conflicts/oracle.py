"""Whether a federation has a placement at all: the same filters, program and check as a plan.

Owns the question and how much work may go into answering it again and again. It asks for any
placement, not for a good one, which is what the work of a plan goes into.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from placement.conflicts.suspects import suspects
from placement.cordon import with_cordons
from placement.federation.federation import Federation
from placement.federation.objective import Goal
from placement.filter import Candidate, candidates
from placement.filter import Refusal as CandidateRefusal
from placement.findings import Stage
from placement.program import Present
from placement.score import Facts
from placement.search import Unplaced, search
from placement.solve import LimitError

_WORK = {1: 20_000, 2: 50_000, 3: 100_000, 4: 1_000_000, 5: 10_000_000}
"""The replica columns of all programs together that are solved for answers, by effort."""

_QUESTION = 1_000
"""The columns as which a smaller program counts: to build and check it is work as well."""

_ANY = (Goal(term="churn"),)
"""An objective that no placement is better by: nothing says where replicas run now."""


_ROUNDS = 20
"""The programs that a search solves before it gives up on the exact check, about."""


@dataclass(frozen=True)
class Refusal:
    """That a federation has no placement, or that none was found.

    Attributes:
        stage: what refuses.
        proven: whether there is none.
        details: what the stage says, a line each; nothing for the program.
    """

    stage: Stage
    proven: bool
    details: tuple[str, ...] = ()


@dataclass
class Oracle:
    """Answers whether federations have a placement.

    Attributes:
        present: where replicas run now, for federations that bound their moves.
        effort: 1 to 5, as of a plan.
        work: replica columns that may still be spent.
    """

    present: Present | None
    effort: int
    work: int = 0

    def __post_init__(self) -> None:
        """Take the work that the effort allows."""
        self.work = _WORK[self.effort]

    @property
    def spent(self) -> bool:
        """Whether the work is done."""
        return self.work <= 0

    def refusal(self, federation: Federation) -> Refusal | None:
        """Why *federation* has no placement; None where it has one."""
        federation = with_cordons(federation, self.present)
        judged = _judged(federation)
        nowhere = tuple(
            f"no cluster may hold {workload.id}: "
            + "; ".join(f"{r.cluster}: {r.filter}: {r.detail}" for r in refused)
            for workload, (taken, refused) in zip(federation.workloads, judged, strict=True)
            if not taken
        )
        if nowhere:
            return Refusal("filter", proven=True, details=nowhere)
        if not federation.workloads:
            return None
        return self._search(federation, [taken for taken, _ in judged])

    def suspects(self, federation: Federation) -> frozenset[str] | None:
        """The workloads and clusters that a conflict can be about; None where nothing is known."""
        federation = with_cordons(federation, self.present)
        judged = _judged(federation)
        nowhere = [
            workload.id
            for workload, (taken, _) in zip(federation.workloads, judged, strict=True)
            if not taken
        ]
        if nowhere:
            return frozenset([*nowhere, *(cluster.name for cluster in federation.clusters)])
        return suspects(federation, [taken for taken, _ in judged], self.present)

    def _search(
        self, federation: Federation, taken: Sequence[Sequence[Candidate]]
    ) -> Refusal | None:
        columns = sum(len(candidate.fits) for of_one in taken for candidate in of_one)
        self.work -= max(columns, _QUESTION)
        objective = federation.objective.model_copy(update={"lexicographic": _ANY, "weighted": {}})
        anything = federation.model_copy(update={"objective": objective})
        try:
            found = search(anything, taken, self.present, self.effort)
        except LimitError as error:
            return Refusal("program", proven=False, details=(str(error),))
        if not isinstance(found, Unplaced):
            return None
        details = tuple(str(violation) for violation in found.found)
        if details:
            self.work -= _ROUNDS * columns
        return Refusal("check" if details else "program", found.proven, details)


def _judged(
    federation: Federation,
) -> list[tuple[tuple[Candidate, ...], tuple[CandidateRefusal, ...]]]:
    """What the filters leave of the clusters, and what they refuse, by workload."""
    facts = Facts.of(federation)
    return [candidates(facts, workload) for workload in federation.workloads]
