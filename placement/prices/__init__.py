"""What the binding requirements cost: the best objective with a little less of one of them.

Owns the choice and the price. Candidates are the rows of the program that bind and the rules that
keep workloads off clusters; each candidate's first step is tried in the relaxation, and the ten
that save most there are planned with. Only the objective's most important
term is priced, to its optimum: what later terms may take of it is no matter of a requirement.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from placement.cordon import with_cordons
from placement.decision import Decision, ObjectiveValue
from placement.federation.federation import Federation
from placement.filter import candidates
from placement.findings import ChangedRequirement, Price
from placement.prices.relaxed import Relaxed, relaxed
from placement.program import Present, Program, build
from placement.requirements import Ladder, Requirement, Step, changed, requirements
from placement.score import Facts
from placement.solve import LimitError, levels

Planner = Callable[[Federation], Decision]
"""Plans a federation, and does not explain where it cannot."""

_PLANNED = 10
"""The most requirements whose price is found by planning."""

_LEAST = 1e-4
"""The part of the objective below which a saving is none: what the solver leaves open."""


@dataclass(frozen=True)
class _Candidate:
    """A requirement, a step that eases it, and what that saves in the relaxation."""

    requirement: Requirement
    step: Step
    estimate: float


def prices(federation: Federation, present: Present | None, planner: Planner) -> tuple[Price, ...]:
    """The prices of the binding requirements of *federation*, the highest first.

    Args:
        federation: one that has a placement.
        present: where replicas run now.
        planner: plans a federation; the same as for the decision.
    """
    goal = _first_goal(federation)
    base = planner(goal)
    item = base.objective[0]
    if base.status == "infeasible" or item.value is None:
        return ()
    proven = base.status == "optimal"
    found: list[Price] = []
    for candidate in _candidates(goal, present, item.value)[:_PLANNED]:
        saves = _saved(goal, item.value, candidate, planner) if proven else None
        estimated = saves is None
        saves = candidate.estimate if saves is None else saves
        if saves > _LEAST * abs(item.value):
            found.append(_price(candidate, item, saves, estimated=estimated))
    return tuple(sorted(found, key=lambda price: -price.saves))


def _first_goal(federation: Federation) -> Federation:
    """The federation with its most important term alone, to its optimum."""
    goals = federation.objective.goals[:1]
    objective = federation.objective.model_copy(update={"lexicographic": goals})
    return federation.model_copy(update={"objective": objective})


def _candidates(federation: Federation, present: Present | None, value: float) -> list[_Candidate]:
    """What saves in the relaxation, most first."""
    program, base = _relaxation(federation, present)
    if base is None:
        return []
    found: dict[tuple[str, str | None], _Candidate] = {}
    for requirement, ladders in _binding(requirements(federation), program, base):
        saving: list[_Candidate] = []
        for step in (ladder[0] for ladder in ladders if len(ladder)):
            _, eased = _relaxation(changed(federation, step.changes), present)
            saves = 0.0 if eased is None else base.value - eased.value
            if saves > _LEAST * abs(value):
                saving.append(_Candidate(requirement, step, saves))
        if saving:
            least = min(saving, key=lambda candidate: (candidate.step.size, -candidate.estimate))
            found.setdefault((least.step.key, least.step.after), least)
    return sorted(found.values(), key=lambda candidate: -candidate.estimate)


def _relaxation(federation: Federation, present: Present | None) -> tuple[Program, Relaxed | None]:
    """The program of a federation and its relaxation."""
    bounded = with_cordons(federation, present)
    facts = Facts.of(bounded)
    taken = [candidates(facts, workload)[0] for workload in bounded.workloads]
    program = build(bounded, taken, present)
    return program, relaxed(program, levels(bounded.objective)[0])


def _binding(
    listed: Sequence[Requirement], program: Program, base: Relaxed
) -> Iterator[tuple[Requirement, Sequence[Ladder]]]:
    """The requirements that a binding row may stand for, and those without rows.

    With the ladders to try. What is to be placed always costs: it is no rule about where.
    """
    full = {
        (row.subject.split("/")[0], row.rule.split()[0])
        for row, binds in zip(program.requirements, base.binding, strict=True)
        if row is not None and binds
    }
    for each in listed:
        match each.location:
            case ("clusters", _, "nodeClasses", int(), "allocatable", str(resource)):
                if (each.subject, resource) in full:
                    yield each, each.ladders[:1]  # a node more
            case ("workloads", _) | ("workloads", _, "replicas" | "request", *_):
                continue
            case ("objective", "lexicographic" | "weighted", *_):
                continue
            case _:
                yield each, each.ladders


def _saved(
    goal: Federation, before: float, candidate: _Candidate, planner: Planner
) -> float | None:
    """What the step saves of a proven optimum *before*; None where the one then is not proven."""
    try:
        eased = planner(changed(goal, candidate.step.changes))
    except LimitError:
        return None
    after = eased.objective[0].value if eased.status == "optimal" else None
    return None if after is None else before - after


def _price(candidate: _Candidate, item: ObjectiveValue, saves: float, *, estimated: bool) -> Price:
    step, subject = candidate.step, candidate.requirement.subject
    change = ChangedRequirement(
        step.location, step.key, subject, step.before, step.after, step.note
    )
    return Price(change, item.term, round(saves, 4), item.unit, estimated)
