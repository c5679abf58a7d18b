"""What a federation file asks of all its workloads together: budgets, moves, known terms."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from placement.faults import Location
from placement.federation.federation import Federation
from placement.federation.objective import Goal
from placement.requirements.change import GONE, Change
from placement.requirements.requirement import Ladder, Requirement, Step, dropping, steps

_TENFOLD = range(101, 1001)
"""Per cent of an amount up to which a budget is raised."""


def of_all(federation: Federation) -> Iterator[Requirement]:
    """The requirements of no single workload or cluster, in the order of the file."""
    for index, budget in enumerate(federation.budgets):
        here: Location = ("budgets", index)
        if budget.money is not None:
            amount, currency = budget.money.amount, budget.money.currency
            at = (*here, "money", "amount")
            yield _budget((*here, "money"), at, amount, f" {currency}/month", budget.name)
        if budget.carbon is not None:
            at = (*here, "carbon")
            yield _budget(at, at, budget.carbon, " kgCO2e/month", budget.name)
    objective = federation.objective
    limit = objective.moves.at_most
    if limit is not None:
        at = ("objective", "moves", "atMost")
        drop, _ = dropping(at, str(limit))
        total = sum(w.size for w in federation.workloads)
        ladder = steps(at, str(limit), range(limit + 1, total + 1), float(limit) or None)
        yield Requirement(at, str(limit), "objective", drop, (ladder,))
    yield from _known_terms(federation)


def _budget(location: Location, at: Location, amount: Decimal, unit: str, name: str) -> Requirement:
    read = f"{amount}{unit}"

    def step(percent: int) -> Step:
        value = (amount * percent / 100).quantize(Decimal("0.01"))
        changes = (Change(at, value),)
        return Step(changes, at, read, f"{value}{unit}", (percent - 100) / 100)

    drop, _ = dropping(location, read)
    return Requirement(location, read, f"budget {name}", drop, (Ladder(_TENFOLD, step),))


def _known_terms(federation: Federation) -> Iterator[Requirement]:
    """A term that is weighed must be known of a cluster that is used.

    Where a term is dropped, churn stands in: it is always known.
    """
    objective = federation.objective
    nothing = Goal(term="churn")
    if not objective.lexicographic and not objective.weighted:
        at: Location = ("objective",)
        instead = (Change((*at, "lexicographic"), (nothing,)),)
        yield Requirement(at, "cost, by default", "objective", instead)
    for index, goal in enumerate(objective.lexicographic):
        at = ("objective", "lexicographic", index)
        changes = (Change(at, GONE),)
        ladder = Ladder((None,), _removal(changes, at, goal.term))
        ladders = (ladder,) if len(objective.lexicographic) > 1 else ()
        yield Requirement(at, goal.term, "objective", (Change(at, nothing),), ladders)
    for term in objective.weighted:
        at = ("objective", "weighted", term)
        changes = (Change(at, GONE),)
        ladder = Ladder((None,), _removal(changes, at, term))
        ladders = (ladder,) if len(objective.weighted) > 1 else ()
        drop = (*changes, Change(("objective", "lexicographic"), (nothing,)))
        yield Requirement(at, term, "objective", drop, ladders)


def _removal(changes: tuple[Change, ...], at: Location, read: str) -> Callable[[None], Step]:
    return lambda _: Step(changes, at, read, None, 1.0)
