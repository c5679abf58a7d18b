"""Two decisions side by side: which replicas move, what that costs or saves, and why.

Owns the comparison. What it compares is in the decisions alone: the figures and the reasons of each
cluster are those with which the engine decided.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from placement.decision import Decision, PlacedWorkload, RankedCandidate

_DIGITS: Final = 9
"""Significant digits of a figure: what differs beyond them is the rounding of a sum."""


@dataclass(frozen=True)
class Total:
    """A term of the objective, over all workloads.

    Attributes:
        before: None where it was unknown, or there was no decision.
        after: likewise.
        bound: what no placement is below.
    """

    term: str
    unit: str
    before: float | None
    after: float | None
    bound: float | None

    @property
    def delta(self) -> float | None:
        """What is added; None where either side is unknown."""
        if self.before is None or self.after is None:
            return None
        return float(f"{self.after - self.before:.{_DIGITS}g}")


@dataclass(frozen=True)
class Move:
    """A workload's replicas on a cluster, where their number changes.

    Attributes:
        why: what changed in the cluster's favour or against it, in words.
    """

    workload: str
    cluster: str
    before: int
    after: int
    why: str


@dataclass(frozen=True)
class Refusal:
    """A reason that is new, or holds no longer, for which a workload may not be on a cluster.

    Attributes:
        new: whether it is new; else it is lost.
        filter: that refuses the cluster.
    """

    workload: str
    cluster: str
    new: bool
    filter: str
    detail: str


@dataclass(frozen=True)
class Tie:
    """Clusters between which the objective sees no difference for a workload.

    Attributes:
        clusters: of equal rank.
        taken: those of them that hold replicas.
    """

    workload: str
    clusters: tuple[str, ...]
    taken: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """What differs between the last decision and the new one.

    Attributes:
        new_clusters: that the last decision did not know.
        lost_clusters: that the new one does not know.
        emptied_regions: that lose their last replica.
    """

    totals: tuple[Total, ...]
    moves: tuple[Move, ...]
    refusals: tuple[Refusal, ...]
    ties: tuple[Tie, ...]
    new_clusters: tuple[str, ...]
    lost_clusters: tuple[str, ...]
    emptied_regions: tuple[str, ...]


def compare(before: Decision | None, after: Decision, regions: Mapping[str, str]) -> Comparison:
    """What differs between *before*, the last decision, and *after*, in a stable order.

    Args:
        before: None on the first run: then all is new, and nothing was refused before.
        after: the new decision.
        regions: of each cluster.
    """
    old = {w.id: w for w in before.workloads} if before else {}
    new = {w.id: w for w in after.workloads}
    known, now = (known_clusters(d) if d else set() for d in (before, after))
    moves: list[Move] = []
    refusals: list[Refusal] = []
    for name in sorted(old.keys() | new.keys()):
        moves += _moves(name, old.get(name), new.get(name), known)
        if name in old and name in new:
            refusals += _refusals(old[name], new[name], known)
    return Comparison(
        totals=tuple(_totals(before, after)),
        moves=tuple(moves),
        refusals=tuple(refusals),
        ties=tuple(tie for name in sorted(new) for tie in _ties(new[name])),
        new_clusters=tuple(sorted(now - known)) if old else (),
        lost_clusters=tuple(sorted(known - now)) if new else (),
        emptied_regions=tuple(sorted(_used(old, regions) - _used(new, regions))),
    )


def known_clusters(decision: Decision) -> set[str]:
    """The clusters that a decision has weighed or refused."""
    workloads = decision.workloads
    ranked = {c.cluster for workload in workloads for c in workload.candidates}
    return ranked | {r.cluster for workload in workloads for r in workload.refused}


def _used(workloads: Mapping[str, PlacedWorkload], regions: Mapping[str, str]) -> set[str]:
    """The regions that hold a replica."""
    return {regions[c] for w in workloads.values() for c in w.replicas if c in regions}


def _totals(before: Decision | None, after: Decision) -> Iterator[Total]:
    old = {o.term: o.value for o in before.objective} if before else {}
    for term in after.objective:
        yield Total(term.term, term.unit, old.get(term.term), term.value, term.bound)


def _moves(
    name: str, old: PlacedWorkload | None, new: PlacedWorkload | None, known: set[str]
) -> Iterator[Move]:
    was = old.replicas if old else {}
    is_ = new.replicas if new else {}
    for cluster in sorted(was.keys() | is_.keys()):
        before, after = was.get(cluster, 0), is_.get(cluster, 0)
        if before != after:
            yield Move(name, cluster, before, after, _why(cluster, old, new, known))


def _why(
    cluster: str, old: PlacedWorkload | None, new: PlacedWorkload | None, known: set[str]
) -> str:
    if new is None:
        return "workload removed"
    if old is None:
        return "new workload"
    if cluster not in known:
        return "new cluster"
    refused = {r.cluster: r for r in new.refused}.get(cluster)
    refused_before = {r.cluster: r for r in old.refused}.get(cluster)
    candidate = {c.cluster: c for c in new.candidates}.get(cluster)
    candidate_before = {c.cluster: c for c in old.candidates}.get(cluster)
    if refused is not None:
        return f"refused now: {refused.filter}: {refused.detail}"
    if candidate is None:
        return "cluster removed"
    if refused_before is not None:
        return f"refused no longer: {refused_before.filter}"
    gains = new.replicas.get(cluster, 0) > old.replicas.get(cluster, 0)
    if candidate_before is not None:
        ranked = _ranked(candidate_before, candidate, gains=gains)
        if ranked:
            return ranked
    asked, asked_before = sum(new.replicas.values()), sum(old.replicas.values())
    if asked != asked_before and gains == (asked > asked_before):
        return f"replicas asked for: {asked_before} → {asked}"
    return "follows from the rest: capacity, spread, other clusters"


def _ranked(before: RankedCandidate, after: RankedCandidate, *, gains: bool) -> str:
    """How the objective sees a replica there otherwise than before, where that explains the move.

    All terms are to be small: what became smaller, or stands before others now, explains a gain.
    """
    changed = {
        term: (was, value)
        for term, value in sorted(after.terms.items())
        if (was := before.terms.get(term)) is not None
        and value is not None
        and _figure(was) != _figure(value)
    }
    better = [now < was for was, now in changed.values()]
    if before.rank != after.rank:
        better = [after.rank < before.rank]
    if not better or any(each != gains for each in better):
        return ""
    words = [f"{term} {_figure(was)} → {_figure(now)}" for term, (was, now) in changed.items()]
    if before.rank != after.rank:
        words.insert(0, f"rank {before.rank} → {after.rank}")
    return ", ".join(words)


def _figure(value: float) -> str:
    return f"{value:.4g}"


def _refusals(old: PlacedWorkload, new: PlacedWorkload, known: set[str]) -> Iterator[Refusal]:
    was = {r.cluster: r for r in old.refused}
    now = {r.cluster: r for r in new.refused}
    for cluster in sorted(was.keys() | now.keys()):
        before, after = was.get(cluster), now.get(cluster)
        if before and after and before.filter == after.filter:
            continue
        if before and cluster in {c.cluster for c in new.candidates}:
            yield Refusal(new.id, cluster, new=False, filter=before.filter, detail=before.detail)
        if after and cluster in known:
            yield Refusal(new.id, cluster, new=True, filter=after.filter, detail=after.detail)


def _ties(workload: PlacedWorkload) -> Iterator[Tie]:
    """The ranks that several clusters share and that were not decided for all of them alike."""
    ranks: dict[int, list[str]] = {}
    for candidate in workload.candidates:
        ranks.setdefault(candidate.rank, []).append(candidate.cluster)
    for _, clusters in sorted(ranks.items()):
        taken = [name for name in clusters if name in workload.replicas]
        if taken and len(taken) < len(clusters):
            yield Tie(workload.id, tuple(sorted(clusters)), tuple(sorted(taken)))
