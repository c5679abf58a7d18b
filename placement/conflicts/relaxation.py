"""Ways out of a conflict: how little must be given up, and how good the placement is then.

Owns the search for sets of requirements without which there is a placement, and for how far each
must be eased. Whoever gives up one requirement of each conflict has a placement: the sets are the
leaves of the hitting-set tree (Reiter, A theory of diagnosis from first principles, Artificial
Intelligence, 1987), searched in breadth as far as the smallest of them.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from placement.conflicts.conflict import Conflict, conflict
from placement.conflicts.oracle import Oracle, Refusal
from placement.decision import Decision
from placement.federation.federation import Federation
from placement.findings import ChangedRequirement, Relaxation, TermValue
from placement.requirements import Ladder, Requirement, Step, changed, named, patch, without
from placement.solve import LimitError

Planner = Callable[[Federation], Decision]
"""Plans a federation, and does not explain where it cannot."""

_OFFERED = 5
"""The most ways out that are offered."""

_DEEPEST = 4
"""The most requirements that a way out gives up together."""


@dataclass(frozen=True)
class _Way:
    """Steps that together lead to a placement, and whose they are."""

    steps: tuple[tuple[Requirement, Step], ...]

    @property
    def size(self) -> float:
        """What is given up in all, relative to what was asked."""
        return sum(step.size for _, step in self.steps)

    @property
    def gives_up_workload(self) -> bool:
        """Whether a workload is not placed at all: offered where nothing else helps."""
        return any(len(step.location) == 2 and step.after is None for _, step in self.steps)

    @property
    def key(self) -> tuple[tuple[str, str | None], ...]:
        """What tells it from another."""
        return tuple(sorted((step.key, step.after) for _, step in self.steps))


def relaxations(
    federation: Federation,
    listed: Sequence[Requirement],
    first: Conflict,
    oracle: Oracle,
    planner: Planner,
) -> tuple[Relaxation, ...]:
    """The ways out that give up least, each planned; the best objective first.

    Args:
        federation: one without a placement.
        listed: all of its requirements.
        first: its conflict.
        oracle: answers what has a placement.
        planner: plans each way out.
    """
    ways: dict[tuple[tuple[str, str | None], ...], _Way] = {}
    for repairs in _repairs(federation, listed, first, oracle):
        for given_up in repairs:
            for way in _eased(federation, given_up, oracle):
                ways.setdefault(way.key, way)
        if ways:
            break
    least = sorted(ways.values(), key=lambda way: (len(way.steps), way.size))
    whole = [way for way in least if not way.gives_up_workload]
    least = (whole or least)[:_OFFERED]
    planned = [(way, _planned(federation, way, planner)) for way in least]
    weighed = len(federation.objective.goals) or 1
    offered = [
        _relaxation(way, decision, weighed) for way, decision in planned if decision is not None
    ]
    return tuple(sorted(offered, key=_cost))


def _repairs(
    federation: Federation, listed: Sequence[Requirement], first: Conflict, oracle: Oracle
) -> Iterator[list[tuple[Requirement, ...]]]:
    """Sets of requirements without all of which there is a placement: first of one, then of two."""
    conflicts = [first]
    level: list[tuple[Requirement, ...]] = [(member,) for member in _givable(first)]
    for _ in range(_DEEPEST):
        repairs: list[tuple[Requirement, ...]] = []
        stuck: list[tuple[tuple[Requirement, ...], Refusal]] = []
        for given_up in level:
            if oracle.spent:
                break
            refusal = oracle.refusal(without(federation, given_up))
            if refusal is None:
                repairs.append(given_up)
            else:
                stuck.append((given_up, refusal))
        yield repairs
        if oracle.spent:
            return
        following: dict[frozenset[str], tuple[Requirement, ...]] = {}
        for given_up, refusal in stuck:
            keys = {each.key for each in given_up}
            here = next((c for c in conflicts if keys.isdisjoint(m.key for m in c.members)), None)
            if here is None:
                here = conflict(federation, listed, given_up, refusal, oracle)
                conflicts.append(here)
            for member in _givable(here):
                following.setdefault(frozenset({*keys, member.key}), (*given_up, member))
        level = list(following.values())


def _givable(found: Conflict) -> list[Requirement]:
    """The members of a conflict that can be eased."""
    return [each for each in named(found.members) if any(len(ladder) for ladder in each.ladders)]


def _eased(
    federation: Federation, given_up: Sequence[Requirement], oracle: Oracle
) -> Iterator[_Way]:
    """The requirements of a repair eased one after the other, no further than needed.

    A single one is eased on each of its ladders; of several, each on the one that gives up least.
    """
    way = _Way(())
    for index, requirement in enumerate(given_up):
        rest = given_up[index + 1 :]

        def enough(step: Step, way: _Way = way, rest: Sequence[Requirement] = rest) -> bool:
            changes = [c for _, before in way.steps for c in before.changes]
            changes += [c for later in rest for c in later.drop]
            eased = changed(federation, [*changes, *step.changes])
            return not oracle.spent and oracle.refusal(eased) is None

        found = [
            step for ladder in requirement.ladders if (step := _first(ladder, enough)) is not None
        ]
        if not found:
            return
        if len(given_up) == 1:
            yield from (_Way(((requirement, step),)) for step in found)
            return
        least = min(found, key=lambda step: step.size)
        way = _Way((*way.steps, (requirement, least)))
    yield way


def _first(ladder: Ladder, enough: Callable[[Step], bool]) -> Step | None:
    """The first step that is enough: ever larger strides, then halves of the last one."""
    low, stride = 0, 1
    while low < len(ladder):
        high = min(low + stride, len(ladder))
        if enough(ladder[high - 1]):
            inside = range(low, high - 1)
            index = low + bisect_left(inside, True, key=lambda i: enough(ladder[i]))
            step: Step = ladder[index]
            return step
        low, stride = high, stride * 2
    return None


def _planned(federation: Federation, way: _Way, planner: Planner) -> Decision | None:
    """The best placement then; None where the planner finds none after all."""
    changes = [change for _, step in way.steps for change in step.changes]
    try:
        decision = planner(changed(federation, changes))
    except LimitError:
        return None
    return None if decision.status == "infeasible" else decision


def _relaxation(way: _Way, decision: Decision, weighed: int) -> Relaxation:
    """The way out as a decision says it; the objective weighs the first *weighed* terms."""
    return Relaxation(
        changes=tuple(
            ChangedRequirement(
                step.location, step.key, requirement.subject, step.before, step.after, step.note
            )
            for requirement, step in way.steps
        ),
        patch=tuple(patch([change for _, step in way.steps for change in step.changes])),
        status=decision.status,
        objective=tuple(
            TermValue(item.term, item.value, item.unit) for item in decision.objective[:weighed]
        ),
    )


def _cost(relaxation: Relaxation) -> tuple[float, ...]:
    """The terms in the order of the objective; what is unknown last."""
    return tuple(
        float("inf") if term.value is None else term.value for term in relaxation.objective
    )
