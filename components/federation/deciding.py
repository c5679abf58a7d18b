"""Which decision a run carries out: the last one, a new one, or one that the user gives.

Owns the choice, and that a cluster is empty before it leaves. How to decide is the engine's.
"""

import hashlib
from dataclasses import replace
from pathlib import Path

from components.settings import FederationSettings
from placement.assemble import moves
from placement.check import violations
from placement.conflicts import lines
from placement.cordon import with_cordons
from placement.decision import Decision, read_file
from placement.division import webster
from placement.document import Document
from placement.faults import BadInputError, Fault, InfeasibleError
from placement.federation import Federation
from placement.plan import input_hash, plan


def decide(
    path: Path, found: Federation, settings: FederationSettings, last: Decision | None
) -> Decision:
    """The decision of this run.

    Args:
        path: the federation file.
        found: what it says, with the clusters that joined.
        settings: the plane's.
        last: the decision that stands.

    Raises:
        BadInputError: a cluster left the file while the last decision uses it, or the given
            decision cannot be read.
        InfeasibleError: there is no placement, or the given one does not meet the file.
    """
    if last is not None:
        _refuse_leaving(path, found, last)
    if settings.decision is not None:
        return _given(Path(settings.decision), found, last)
    if last is not None and last.input_hash == input_hash(found, settings.effort):
        return last
    decision = plan(found, effort=settings.effort, present=last.counts if last else None)
    if decision.status == "infeasible":
        document = Document(path)
        found_lines = lines(decision.infeasibility, lambda at, text: str(document.fault(at, text)))
        raise InfeasibleError("\n".join(("no placement meets the requirements:", *found_lines)))
    return decision


def _given(path: Path, found: Federation, last: Decision | None) -> Decision:
    """The decision in the file at *path*, checked against the federation as it is now."""
    given = read_file(path)
    # A hash of its own: without the key, the engine decides again.
    digest = hashlib.sha256(given.json().encode()).hexdigest()
    known = {workload.id for workload in found.workloads}
    given = replace(given, workloads=tuple(w for w in given.workloads if w.id in known))
    present = last.counts if last else None
    wrong = violations(with_cordons(found, present), given.counts, present)
    if wrong:
        raise InfeasibleError(
            f"the decision in {path} (federation:federation.decision) does not meet the federation "
            "file:\n" + "\n".join(map(str, wrong))
        )
    crooked = [
        Fault(
            str(path),
            0,
            f"{w.id}.weights",
            f"read {w.weights}, which do not divide into {w.replicas}; allowed those of a decision",
        )
        for w in given.workloads
        if webster(sum(w.replicas.values()), w.weights) != w.replicas
    ]
    if crooked:
        raise BadInputError(*crooked)
    if last is not None and (last.input_hash, last.counts) == (digest, given.counts):
        return last
    return replace(given, input_hash=digest, moves=moves(given.counts, present))


def _refuse_leaving(path: Path, found: Federation, last: Decision) -> None:
    """See that no cluster is left out which replicas are on: they would be evicted, not moved."""
    known = {cluster.name for cluster in found.clusters}
    used: dict[str, list[str]] = {}
    for workload, counts in last.counts.items():
        for name, count in counts.items():
            if name not in known:
                used.setdefault(name, []).append(f"{count} of {workload}")
    if used:
        raise BadInputError(
            *(
                Document(path).fault(
                    ("clusters",),
                    f"{name} is gone, and the last decision has {', '.join(of)} there; allowed to "
                    "leave once it is empty: write it with drained: true, bring this stack up, "
                    "then take it out",
                )
                for name, of in sorted(used.items())
            )
        )
