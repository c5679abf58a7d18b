"""Putting the decision together: counts, terms, weights, ranks, losses and moves.

Owns what a decision says of an answer of the search. It decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from placement.decision import (
    AfterLoss,
    AtTotal,
    Move,
    ObjectiveValue,
    PlacedWorkload,
    RefusedCluster,
)
from placement.division import ambiguous, tie_proof_weights, webster
from placement.failure import Counts, Standing, losses
from placement.faults import FederationError
from placement.federation.federation import Federation
from placement.federation.objective import SHOWN, UNITS, Term
from placement.federation.workload import Workload
from placement.filter import Candidate, Refusal
from placement.program import Present
from placement.rank import ranked, rounded
from placement.search import Answer


@dataclass(frozen=True)
class Judged:
    """A workload's clusters after the filters."""

    taken: tuple[Candidate, ...]
    refused: tuple[Refusal, ...]


def objective_values(
    federation: Federation, judged: Sequence[Judged], answer: Answer
) -> tuple[ObjectiveValue, ...]:
    """Every term with its unit; those that the objective weighs with their bound."""
    objective = federation.objective
    counts = [answer.counts[w.id] for w in federation.workloads]
    bounds = answer.bounds
    values: list[ObjectiveValue] = []
    order: list[Term] = list(dict.fromkeys([*objective.terms, *UNITS]))
    if "balance" not in objective.terms:
        order.remove("balance")  # the program has no value for it then
    if objective.weighted:
        total = answer.solution.outcomes[0].value
        unit = f"{objective.currency}/month, weighted"
        values.append(ObjectiveValue("weighted", rounded(total), unit, rounded(bounds["weighted"])))
    for term in order:
        value = answer.program.value(term, answer.solution.columns)
        unit = UNITS[term].format(currency=objective.currency)
        if term == "cost":
            unit += f" {objective.basis} {objective.vat}"
        known = term == "latency" or _known(judged, counts, term)
        bound = bounds.get(term)
        values.append(ObjectiveValue(term, rounded(value) if known else None, unit, rounded(bound)))
    return tuple(values)


def _known(judged: Sequence[Judged], counts: Sequence[Mapping[str, int]], term: Term) -> bool:
    """Whether *term* has a known value wherever a replica was placed."""
    return all(
        fit.terms.get(term, 0.0) is not None
        for of_workload, there in zip(judged, counts, strict=True)
        for candidate in of_workload.taken
        if candidate.cluster.name in there
        for fit in candidate.fits
    )


def placed(
    federation: Federation,
    index: int,
    judged: Judged,
    answer: Answer | None,
    after_loss: tuple[AfterLoss, ...],
) -> PlacedWorkload:
    """The part of the workload at *index*; without replicas where there is no answer."""
    workload = federation.workloads[index]
    counts = answer.counts[workload.id] if answer else {}
    return PlacedWorkload(
        id=workload.id,
        replicas=counts,
        weights=_weights(workload.id, counts),
        candidates=ranked(federation.objective, judged.taken),
        refused=tuple(RefusedCluster(r.cluster, r.filter, r.detail) for r in judged.refused),
        after_loss=after_loss,
        terms=_workload_terms(federation, index, judged, answer),
        spread_defaulted=workload.spread_defaulted,
        totals=_totals(workload, counts),
        estimate=workload.division != "fixed",
    )


def _workload_terms(
    federation: Federation, index: int, judged: Judged, answer: Answer | None
) -> dict[str, float | None]:
    """The workload's own part of the terms; latency as the mean over its users, in ms."""
    workload = federation.workloads[index]
    if answer is None:
        return dict.fromkeys(SHOWN)
    result: dict[str, float | None] = {}
    for term in SHOWN:
        value = answer.parts[term][index] if term in answer.parts else 0.0
        if term == "latency":
            served = sum(w.size for w in federation.workloads if w.demand)
            result[term] = rounded(value * served / workload.size) if workload.demand else None
        else:
            known = _known([judged], [answer.counts[workload.id]], term)
            result[term] = rounded(value) if known else None
    return result


def _totals(workload: Workload, counts: Mapping[str, int]) -> tuple[AtTotal, ...]:
    """The totals of a range at which another cluster comes to be used, its two ends included.

    No cluster is left again as the total grows: Webster's method is house monotone.
    """
    if not counts or not workload.divided_anew:
        return ()
    found: list[AtTotal] = []
    for total in range(workload.smallest, workload.size + 1):
        # Tie-proof weights divide every total as the bare counts do: division/webster.py.
        now = {name: n for name, n in webster(total, counts).items() if n}
        if not found or total == workload.size or len(now) > len(found[-1].replicas):
            found.append(AtTotal(total, now))
    return tuple(found)


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


def after_losses(
    federation: Federation, counts: Counts, backups: Mapping[str, Sequence[str]]
) -> dict[str, tuple[AfterLoss, ...]]:
    """What each loss makes of each workload that it touches, by workload id."""
    found: dict[str, list[AfterLoss]] = {name: [] for name in counts}
    standing = Standing(federation, counts, backups)
    for loss in losses(federation):
        aftermath = standing.after(loss)
        for name, replicas in aftermath.counts.items():
            pending = aftermath.pending.get(name, 0)
            found[name].append(AfterLoss(f"{loss.kind}/{loss.name}", replicas, pending))
    return {name: tuple(entries) for name, entries in found.items()}


def moves(counts: Counts, present: Present | None) -> tuple[Move, ...]:
    """What changes against *present*; nothing where it is not known."""
    if present is None:
        return ()
    found: list[Move] = []
    for name in sorted({*counts, *present}):
        now, then = present.get(name, {}), counts.get(name, {})
        found += [
            Move(name, cluster, now.get(cluster, 0), then.get(cluster, 0))
            for cluster in sorted({*now, *then})
            if now.get(cluster, 0) != then.get(cluster, 0)
        ]
    return tuple(found)
