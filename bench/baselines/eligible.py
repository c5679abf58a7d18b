"""The clusters that each workload may use: what the engine's filters leave, for every baseline."""

from collections.abc import Mapping

from placement.federation.federation import Federation
from placement.filter import Candidate, candidates
from placement.score import Facts

Eligible = Mapping[str, tuple[Candidate, ...]]
"""Candidates by workload id, in file order."""


def eligible(federation: Federation) -> Eligible:
    """The candidates of every workload."""
    facts = Facts.of(federation)
    return {w.id: candidates(facts, w)[0] for w in federation.workloads}
