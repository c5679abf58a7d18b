"""The rank and the score of each candidate: what a reader compares clusters by.

The rank follows the objective: its terms in order, or their weighted sum. The score is a summary
from 0 (worst of this workload's candidates) to 100 (best), after the manner of Kubernetes' score
plugins: each weighed term is normalised over the candidates; in a lexicographic objective each
level weighs half of the one before it. The solver uses neither: it sees the terms themselves.
"""

from collections.abc import Sequence

from placement.decision import RankedCandidate
from placement.federation.objective import Objective, Term
from placement.filter import Candidate
from placement.score import Terms


def ranked(objective: Objective, candidates: Sequence[Candidate]) -> tuple[RankedCandidate, ...]:
    """The candidates of a workload, best first, ties in the order of names."""
    if not candidates:
        return ()
    best = {c.cluster.name: _best(objective, c) for c in candidates}
    keys = {name: key(objective, terms) for name, terms in best.items()}
    order = sorted(best, key=lambda name: (keys[name], name))
    scores = _scores(objective, best)
    ranks: dict[str, int] = {}
    for index, name in enumerate(order):
        tied = index > 0 and keys[order[index - 1]] == keys[name]
        ranks[name] = ranks[order[index - 1]] if tied else index + 1
    return tuple(
        RankedCandidate(
            cluster=name,
            rank=ranks[name],
            score=round(scores[name], 1),
            terms={t: rounded(v) for t, v in sorted(best[name].items())},
        )
        for name in order
    )


def rounded(value: float | None) -> float | None:
    """A value as it is shown and stored: four decimals, so that the last bits do not matter."""
    return None if value is None else round(value, 4) + 0.0


def _best(objective: Objective, candidate: Candidate) -> Terms:
    """The terms of the candidate's best node class."""
    return min((fit.terms for fit in candidate.fits), key=lambda terms: key(objective, terms))


def _weights(objective: Objective) -> dict[Term, float]:
    if objective.weighted:
        return {term: float(weight) for term, weight in objective.weighted.items()}
    return {goal.term: 0.5**level for level, goal in enumerate(objective.goals)}


def key(objective: Objective, terms: Terms) -> tuple[float, ...]:
    """What clusters are compared by, the smaller the better; an unknown comes last."""
    values = {term: _value(terms, term) for term in _weights(objective)}
    if objective.weighted:
        return (round(sum(w * values[t] for t, w in _weights(objective).items()), 9),)
    return tuple(round(values[goal.term], 9) for goal in objective.goals)


def _value(terms: Terms, term: Term) -> float:
    value = terms.get(term, 0.0)
    return float("inf") if value is None else value


def _scores(objective: Objective, best: dict[str, Terms]) -> dict[str, float]:
    totals = dict.fromkeys(best, 0.0)
    weights = _weights(objective)
    whole = 0.0
    for term, given in weights.items():
        values = {name: _value(terms, term) for name, terms in best.items()}
        known = [v for v in values.values() if v != float("inf")]
        low, high = (min(known), max(known)) if known else (0.0, 0.0)
        # With prices a term counts by the money that it can change.
        weight = given * (high - low) if objective.weighted else given
        whole += weight
        for name, value in values.items():
            if value == float("inf"):
                continue
            part = 1.0 if high == low else (high - value) / (high - low)
            totals[name] += weight * part
    return {name: 100.0 * total / whole if whole else 100.0 for name, total in totals.items()}
