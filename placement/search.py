"""The search: solve, check, tighten, until the exact check has nothing to say.

The program's rows do not say all: that whole replicas must fit whole nodes they say in part, and
what Karmada's division after a loss leaves they do not say at all. So each answer is checked, and
the program tightened where the check finds something: a cutting-plane method in two passes.

1. Few heuristic cuts (``tighten.py``). They may exclude good placements with the bad one, so the
   bound is that of the program without them. Most programs are done and proven here.
2. Where that proof is missing, exact cuts (``forbid.py``): each answer of the program is then no
   worse than any placement, so the first one that passes the check is optimal, and a program
   without an answer is proof that there is none. Where the rounds run out, the first pass's
   answer stands, with the better bound. Programs so large that they are decomposed have no
   second pass.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from placement.check import RULE, Violation, violations
from placement.faults import FederationError
from placement.federation.federation import Federation
from placement.federation.objective import Term
from placement.filter import Candidate
from placement.forbid import Box, forbidden
from placement.program import Present, Program, build
from placement.solve import (
    GAP,
    LimitError,
    Outcome,
    Solution,
    Workers,
    is_large,
    levels,
    present_slots,
    solve,
)
from placement.tighten import Cut, tightened

ROUNDS = 30
"""The most times that the program is tightened heuristically."""

_EXACT = {1: 0, 2: 2_000, 3: 3_000, 4: 100_000, 5: 1_000_000}
"""The columns that the programs of the second pass may have in all, by effort."""

_LAZY = ("capacity", "survive.", RULE)
"""The rules that the rows of the program do not hold whole."""


@dataclass(frozen=True)
class Answer:
    """What the solver and the check agreed on.

    Attributes:
        counts: replicas by workload id and cluster.
        program: that was solved, with its cuts.
        solution: its columns and levels.
        relaxed: the levels of a program that excludes no right answer, for the bounds.
    """

    counts: dict[str, dict[str, int]]
    program: Program
    solution: Solution
    relaxed: tuple[Outcome, ...]

    @cached_property
    def parts(self) -> dict[Term, list[float]]:
        """Of each term that the program has a value for, the part of each workload."""
        columns = self.solution.columns
        return {term: self.program.parts(term, columns) for term in self.program.terms}

    @property
    def bounds(self) -> dict[str, float | None]:
        """The bound of each level by name; None after a level that is not proven.

        Later levels are bounded within what the earlier ones leave: where those may still improve,
        nothing is known.
        """
        result: dict[str, float | None] = {}
        proven = True
        for outcome, relaxed in zip(self.solution.outcomes, self.relaxed, strict=True):
            result[outcome.level.name] = min(outcome.value, relaxed.bound) if proven else None
            proven = proven and _close(outcome, relaxed)
        return result

    @property
    def proven(self) -> bool:
        """Whether each level came within ``GAP`` of its bound."""
        pairs = zip(self.solution.outcomes, self.relaxed, strict=True)
        return all(_close(outcome, relaxed) for outcome, relaxed in pairs)


@dataclass(frozen=True)
class Unplaced:
    """There is no placement, or none was found.

    Attributes:
        proven: whether there is none; False where the effort ended before that was shown.
        found: what the exact check said of the program's answer; empty where the program itself
            has none.
    """

    proven: bool
    found: tuple[Violation, ...] = ()


@dataclass(frozen=True)
class _Try:
    """An answer of the solver, with what the check says of it."""

    answer: Answer
    found: tuple[Violation, ...]


@dataclass
class _Search:
    federation: Federation
    taken: Sequence[Sequence[Candidate]]
    present: Present | None
    effort: int
    workers: Workers

    def attempt(
        self,
        limits: Sequence[Cut] = (),
        boxes: Sequence[Box] = (),
        last: Answer | None = None,
    ) -> _Try | Program:
        """The program's answer, checked; the program itself where it has none.

        A large program starts from the *last* answer, and what bounds that one bounds all; or
        from where replicas run now.
        """
        program = build(self.federation, self.taken, self.present, limits, boxes)
        start, before = None, last.counts if last else self.present
        bound = last.relaxed[0].bound if last else -math.inf
        if is_large(program) and before is not None:
            names = [w.id for w in self.federation.workloads]
            start = present_slots(program, self.taken, names, before)
        wanted = levels(self.federation.objective)
        solution = solve(program, wanted, self.effort, start, bound, self.workers)
        if solution is None:
            return program
        parts = program.counts(solution.columns, self.taken)
        counts = {w.id: c for w, c in zip(self.federation.workloads, parts, strict=True)}
        found = tuple(violations(self.federation, counts, self.present))
        wrong = [str(v) for v in found if not v.rule.startswith(_LAZY)]
        if wrong:
            raise FederationError("the answer failed the check: " + "; ".join(wrong))
        return _Try(Answer(counts, program, solution, solution.outcomes), found)

    def heuristic(self, first: _Try) -> Answer | None:
        """The first pass; None where it leads nowhere."""
        limits: tuple[Cut, ...] = ()
        now = first
        for _ in range(ROUNDS):
            if not now.found:
                return _with_bounds(now.answer, first.answer)
            more = tightened(self.federation, now.answer.counts, now.found, limits)
            limits += more
            following = self._tightened(limits, (), now.answer) if more else None
            if not isinstance(following, _Try):
                return None
            now = following
        return None

    def exact(self, first: _Try, fallback: Answer | None) -> Answer | Unplaced:
        """The second pass; *fallback* is the first one's answer."""
        boxes: tuple[Box, ...] = ()
        now = first
        work = 0
        while work < _EXACT[self.effort]:
            work += len(now.answer.program.lower)
            boxes += forbidden(self.federation, self.taken, now.answer.counts, now.found)
            following = self._tightened((), boxes, now.answer)
            if isinstance(following, Program):
                return Unplaced(proven=True, found=first.found)
            if following is None:
                break
            now = following
            if not now.found:
                return now.answer
        if fallback is not None:
            return _with_bounds(fallback, now.answer)
        return Unplaced(proven=False, found=first.found)

    def _tightened(
        self, limits: Sequence[Cut], boxes: Sequence[Box], last: Answer
    ) -> _Try | Program | None:
        """As ``attempt``; None where the solver reached its limit."""
        try:
            return self.attempt(limits, boxes, last)
        except LimitError:
            return None


def search(
    federation: Federation,
    taken: Sequence[Sequence[Candidate]],
    present: Present | None,
    effort: int,
    processes: int = 1,
) -> Answer | Unplaced:
    """The best placement that passes the check, or that there is none.

    Args:
        federation: facts and workloads.
        taken: by workload, the clusters that passed the filters.
        present: where replicas run now.
        effort: 1 to 5.
        processes: that share the work on a large program; the answer does not depend on them.

    Raises:
        FederationError: the solver found nothing within its limits, or its answer broke a rule
            that its rows should hold.
    """
    with Workers(processes) as workers:
        return _searched(_Search(federation, taken, present, effort, workers))


def _searched(searching: _Search) -> Answer | Unplaced:
    """Both passes."""
    first = searching.attempt()
    if not isinstance(first, _Try):
        return Unplaced(proven=True)
    answer = searching.heuristic(first)
    if answer is not None and (answer.proven or not first.found):
        return answer
    if is_large(first.answer.program):
        return answer or Unplaced(proven=False, found=first.found)
    return searching.exact(first, answer)


def _with_bounds(answer: Answer, relaxed: Answer) -> Answer:
    return Answer(answer.counts, answer.program, answer.solution, relaxed.solution.outcomes)


def _close(outcome: Outcome, relaxed: Outcome) -> bool:
    return outcome.value - relaxed.bound <= GAP * abs(outcome.value) + 1e-9
