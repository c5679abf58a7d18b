"""The Pareto front between two terms, point by point.

Owns the augmented epsilon-constraint method (Haimes, Lasdon and Wismer 1971; augmented: Mavrotas,
Applied Mathematics and Computation 2009): the best value b* of the second term, and its value b0
where the first is best, are the ends; between them

    minimise a subject to b <= e, then minimise b

for equally spaced e. The last step, within a ten-thousandth of a, leaves no weakly efficient point:
no placement has less of b at the same a. Each point is a whole decision, checked like any other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from placement.decision import Decision
from placement.faults import FederationError, InfeasibleError
from placement.federation.federation import Federation
from placement.federation.objective import Goal, Term
from placement.plan import plan
from placement.program import Present

_SAME = Decimal("0.0001")
"""How much of the freed term the last step may give up: what solutions count as alike by."""


@dataclass(frozen=True)
class Point:
    """A decision that is better than each other one in one of the two terms.

    Attributes:
        values: of the two terms, in their units.
        decision: the placement with these values.
    """

    values: tuple[float, float]
    decision: Decision


def front(
    federation: Federation,
    terms: tuple[Term, Term],
    *,
    points: int = 5,
    effort: int = 3,
    present: Present | None = None,
) -> Iterator[Point]:
    """The points found, first the two ends; some of them may coincide or be dominated.

    Args:
        federation: facts and workloads; its objective's levels or weights give way to the terms.
        terms: two different ones.
        points: how many are tried, 2 or more.
        effort: as in ``plan``.
        present: as in ``plan``.

    Raises:
        InfeasibleError: no placement meets the requirements.
        FederationError: each term can be 0, though not both, so that no share of either says how
            much of it to give up.
    """
    first, second = terms
    solve = _Solver(federation, terms, effort, present)
    best = solve([Goal(term=first), Goal(term=second)])
    yield best
    other = solve([Goal(term=second), Goal(term=first)])
    yield other
    if best.values == other.values:
        return
    # A tolerance is a part of the optimum: the term that is held must not be 0 at its best.
    held, freed, low, high = second, first, other.values[1], best.values[1]
    if low <= 0:
        held, freed, low, high = first, second, best.values[0], other.values[0]
    if low <= 0:
        raise FederationError(f"{first} and {second} can each be 0: allowed terms that cannot")
    for step in range(1, points - 1):
        most = low + (high - low) * step / (points - 1)
        within = Decimal(repr(most / low - 1))
        goals = [Goal(term=held, within=within), Goal(term=freed, within=_SAME), Goal(term=held)]
        yield solve(goals)


def efficient(points: Sequence[Point]) -> list[Point]:
    """The points that none of the others beats in both terms, by the first; each values once."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda point: point.values):
        if not kept or point.values[1] < kept[-1].values[1]:
            kept.append(point)
    return kept


@dataclass(frozen=True)
class _Solver:
    federation: Federation
    terms: tuple[Term, Term]
    effort: int
    present: Present | None

    def __call__(self, goals: Sequence[Goal]) -> Point:
        """The decision for the goals in their order."""
        wanted = {"lexicographic": tuple(goals), "weighted": {}}
        objective = self.federation.objective.model_copy(update=wanted)
        federation = self.federation.model_copy(update={"objective": objective})
        decision = plan(federation, effort=self.effort, present=self.present)
        if decision.status == "infeasible":
            raise InfeasibleError("\n".join(decision.conflicts))
        values = {o.term: o.value for o in decision.objective}
        first, second = (values[term] for term in self.terms)
        if first is None or second is None:
            raise FederationError("a weighed term is known wherever a replica is placed")
        return Point((first, second), decision)
