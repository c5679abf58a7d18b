"""The engine: filter, score, solve, divide, prove, explain.

Owns the order of these steps and the loop that tightens the program where the exact check finds
what its rows do not say: that whole replicas must fit whole nodes, and that a promise must hold
after Karmada's own division of what is lost. Each step itself stands in a module of its own.

The loop is a cutting-plane method with heuristic cuts: a cut may exclude good placements, so what
proves the quality is the bound of the program before any cut (a relaxation), and the status is
``gap`` where the two differ.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from placement import __version__
from placement.check import Violation, violations
from placement.decision import (
    AfterLoss,
    Decision,
    Move,
    ObjectiveValue,
    PlacedWorkload,
    RefusedCluster,
)
from placement.division import ambiguous, tie_proof_weights, webster
from placement.explain import shortfalls
from placement.failure import Counts, after, losses
from placement.faults import FederationError
from placement.federation.federation import Federation
from placement.federation.objective import UNITS, Term
from placement.filter import Candidate, Refusal, candidates
from placement.program import Present, Program, build
from placement.rank import ranked, rounded
from placement.score import Facts
from placement.solve import GAP, Outcome, Solution, levels, solve
from placement.tighten import Limit, tightened

_SHOWN: tuple[Term, ...] = ("cost", "latency", "locality", "carbon")
"""The terms that are shown for each workload."""

ROUNDS = 30
"""The most times that the program is tightened."""


@dataclass(frozen=True)
class _Judged:
    """A workload's clusters after the filters."""

    taken: tuple[Candidate, ...]
    refused: tuple[Refusal, ...]


@dataclass(frozen=True)
class _Answer:
    """What the solver and the check agreed on, or the reasons why there is nothing."""

    counts: dict[str, dict[str, int]]
    program: Program
    solution: Solution
    relaxed: tuple[Outcome, ...]


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
    judged = [_Judged(*candidates(facts, workload)) for workload in federation.workloads]
    digest = input_hash(federation, effort)
    nowhere = [
        f"{w.id}: no cluster may hold it: "
        + "; ".join(f"{r.cluster}: {r.filter}: {r.detail}" for r in j.refused)
        for w, j in zip(federation.workloads, judged, strict=True)
        if not j.taken
    ]
    result = nowhere or _search(federation, [j.taken for j in judged], present, effort)
    if isinstance(result, list):
        return Decision(
            input_hash=digest,
            status="infeasible",
            objective=(),
            workloads=tuple(
                _placed(federation, index, j, None, ()) for index, j in enumerate(judged)
            ),
            conflicts=tuple(result),
        )
    after_loss = _after_losses(federation, result.counts)
    objective = _objective(federation, result)
    return Decision(
        input_hash=digest,
        status="optimal" if _proven(result) else "gap",
        objective=objective,
        workloads=tuple(
            _placed(federation, index, j, result, after_loss[w.id])
            for index, (w, j) in enumerate(zip(federation.workloads, judged, strict=True))
        ),
        moves=_moves(result.counts, present),
    )


def input_hash(federation: Federation, effort: int) -> str:
    """SHA-256 of all that a decision depends on but the present placement."""
    document = {
        "engine": __version__,
        "effort": effort,
        "federation": federation.model_dump(mode="json", by_alias=True),
    }
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _search(
    federation: Federation,
    taken: Sequence[tuple[Candidate, ...]],
    present: Present | None,
    effort: int,
) -> _Answer | list[str]:
    """Solve, check, tighten until the check has nothing to say; else the conflicts."""
    wanted = levels(federation.objective)
    limits: tuple[Limit, ...] = ()
    relaxed: tuple[Outcome, ...] = ()
    found: list[Violation] = []
    for _ in range(ROUNDS):
        program = build(federation, taken, present, limits)
        solution = solve(program, wanted, effort)
        if solution is None:
            return [str(v) for v in found] or shortfalls(program, effort)
        relaxed = relaxed or solution.outcomes
        parts = program.counts(solution.columns, taken)
        counts = {w.id: c for w, c in zip(federation.workloads, parts, strict=True)}
        found = violations(federation, counts)
        if not found:
            return _Answer(counts, program, solution, relaxed)
        more = tightened(federation, counts, found)
        if not more:
            break
        limits += more
    if any(v.cluster is None and not v.rule.startswith("survive") for v in found):
        raise FederationError("the answer failed the check: " + "; ".join(str(v) for v in found))
    return [str(v) for v in found]


def _objective(federation: Federation, answer: _Answer) -> tuple[ObjectiveValue, ...]:
    """Every term with its unit; those that the objective weighs with their bound."""
    objective = federation.objective
    bounds = {o.level.name: o.bound for o in answer.relaxed}
    values: list[ObjectiveValue] = []
    order: list[Term] = [*(g.term for g in objective.goals), *objective.weighted]
    order += [term for term in UNITS if term not in order]
    if objective.weighted:
        total = answer.solution.outcomes[0].value
        unit = f"{objective.currency}/month, weighted"
        values.append(ObjectiveValue("weighted", rounded(total), unit, rounded(bounds["weighted"])))
    for term in order:
        value = answer.program.value(term, answer.solution.columns)
        unit = UNITS[term].format(currency=objective.currency)
        if term == "cost":
            unit += f" {objective.basis} {objective.vat}"
        known = _known(federation, answer.counts, term)
        bound = bounds.get(term)
        values.append(
            ObjectiveValue(term, rounded(value) if known else None, unit, rounded(bound))
        )
    return tuple(values)


def _known(federation: Federation, counts: Counts, term: Term) -> bool:
    """Whether every replica placed has a known value of *term*."""
    facts = Facts.of(federation)
    if term == "cost" and federation.objective.basis != "sunk":
        return all(
            (name, node_class.name) in facts.price
            for of_workload in counts.values()
            for name in of_workload
            for node_class in federation.cluster(name).node_classes
        )
    if term == "carbon":
        return all(
            federation.cluster(name).region in facts.intensity
            and all(resource in facts.watts for resource in workload.request)
            for workload in federation.workloads
            for name in counts.get(workload.id, {})
        )
    return True


def _proven(answer: _Answer) -> bool:
    """Whether each level came within ``GAP`` of a bound that holds without any cut."""
    return all(
        outcome.value - relaxed.bound <= GAP * abs(outcome.value) + 1e-9
        for outcome, relaxed in zip(answer.solution.outcomes, answer.relaxed, strict=True)
    )


def _placed(
    federation: Federation,
    index: int,
    judged: _Judged,
    answer: _Answer | None,
    after_loss: tuple[AfterLoss, ...],
) -> PlacedWorkload:
    workload = federation.workloads[index]
    counts = answer.counts[workload.id] if answer else {}
    return PlacedWorkload(
        id=workload.id,
        replicas=counts,
        weights=_weights(workload.id, counts),
        candidates=ranked(federation.objective, judged.taken),
        refused=tuple(RefusedCluster(r.cluster, r.filter, r.detail) for r in judged.refused),
        after_loss=after_loss,
        terms=_workload_terms(federation, index, answer),
        spread_defaulted=workload.spread_defaulted,
    )


def _workload_terms(
    federation: Federation, index: int, answer: _Answer | None
) -> dict[str, float | None]:
    """The workload's own part of the terms; latency as the mean over its users, in ms."""
    workload = federation.workloads[index]
    result: dict[str, float | None] = {}
    for term in _SHOWN:
        if answer is None or not _known(federation, {workload.id: answer.counts[workload.id]}, term):
            result[term] = None
            continue
        value = answer.program.value(term, answer.solution.columns, index)
        if term == "latency":
            served = sum(w.size for w in federation.workloads if w.demand)
            result[term] = rounded(value * served / workload.size) if workload.demand else None
        else:
            result[term] = rounded(value)
    return result


def _weights(name: str, counts: dict[str, int]) -> dict[str, int]:
    """Tie-proof weights, shown to divide into exactly *counts* whatever the UID."""
    try:
        weights = tie_proof_weights(counts)
    except ValueError as error:
        raise FederationError(f"{name}: {error}") from None
    total = sum(counts.values())
    if counts and (webster(total, weights) != counts or ambiguous(total, weights)):
        raise FederationError(f"{name}: the weights {weights} do not divide into {counts}")
    return weights


def _after_losses(federation: Federation, counts: Counts) -> dict[str, tuple[AfterLoss, ...]]:
    found: dict[str, list[AfterLoss]] = {name: [] for name in counts}
    for loss in losses(federation):
        aftermath = after(federation, counts, loss)
        for name, replicas in aftermath.counts.items():
            pending = aftermath.pending.get(name, 0)
            found[name].append(AfterLoss(f"{loss.kind}/{loss.name}", replicas, pending))
    return {name: tuple(entries) for name, entries in found.items()}


def _moves(counts: Counts, present: Present | None) -> tuple[Move, ...]:
    if present is None:
        return ()
    moves: list[Move] = []
    for name in sorted({*counts, *present}):
        now, then = present.get(name, {}), counts.get(name, {})
        moves += [
            Move(name, cluster, now.get(cluster, 0), then.get(cluster, 0))
            for cluster in sorted({*now, *then})
            if now.get(cluster, 0) != then.get(cluster, 0)
        ]
    return tuple(moves)
