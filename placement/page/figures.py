"""The figures of the page, from the federation and the decision.

Owns what is summed up for a reader: load against capacity, replicas by cluster, what each loss
leaves. It knows no HTML.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from placement.decision import AfterLoss, Decision, ObjectiveValue, PlacedWorkload, RankedCandidate
from placement.federation import Cluster, Federation, Workload
from placement.packing import request_of
from placement.program.capacity import free_of
from placement.reasons import better, note, sentence
from placement.score import Facts

_ACROSS, _UPWARD = (80.0, 600.0), (250.0, 40.0)
"""Where the least and the largest value of a front are drawn, left to right and bottom to top."""


@dataclass(frozen=True)
class Load:
    """How full a cluster is of one resource, in its own unit (cores, bytes, pieces).

    Attributes:
        capacity: what pods may use of all nodes together.
        others: what workloads use that are not placed here.
        placed: what this decision adds.
    """

    resource: str
    capacity: float
    others: float
    placed: float

    @property
    def share(self) -> float:
        """The part of the capacity that is used, 0 to 1 and above."""
        return (self.others + self.placed) / self.capacity if self.capacity else 0.0


@dataclass(frozen=True)
class ClusterRow:
    """A cluster with its load, and the replicas that it holds."""

    cluster: Cluster
    loads: tuple[Load, ...]
    replicas: int


@dataclass(frozen=True)
class CandidateRow:
    """A candidate of a workload: what it gets, and why no more.

    Attributes:
        candidate: the cluster with its rank, score and terms.
        replicas: that it gets; 0 if it is left out.
        note: why no more.
    """

    candidate: RankedCandidate
    replicas: int
    note: str


@dataclass(frozen=True)
class WorkloadRow:
    """A workload: where it is, what that means, and why."""

    workload: Workload
    placed: PlacedWorkload
    candidates: tuple[CandidateRow, ...]
    why: str

    @property
    def terms(self) -> Mapping[str, float | None]:
        """What the workload adds to each term of the objective."""
        return self.placed.terms or {}

    @property
    def total(self) -> int:
        """Its replicas on all clusters."""
        return sum(self.placed.replicas.values())


@dataclass(frozen=True)
class LossRow:
    """What the loss of a cluster or region does.

    Attributes:
        kind: ``cluster`` or ``region``.
        touched: workloads with replicas there.
        moved: replicas that Karmada makes elsewhere.
        pending: replicas without a place, by workload id.
    """

    kind: str
    name: str
    touched: int
    moved: int
    pending: dict[str, int]


@dataclass(frozen=True)
class Point:
    """A point of the front: its two values, and where it is drawn."""

    first: float
    second: float
    x: float
    y: float


@dataclass(frozen=True)
class Front:
    """The Pareto front between two terms of the objective."""

    first: str
    first_unit: str
    second: str
    second_unit: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Page:
    """All figures of the page."""

    decision: Decision
    objective: tuple[ObjectiveValue, ...]
    clusters: tuple[ClusterRow, ...]
    workloads: tuple[WorkloadRow, ...]
    losses: tuple[LossRow, ...]
    replicas: int
    currency: str
    front: Front | None


def page(
    federation: Federation, decision: Decision, front: Mapping[str, Any] | None = None
) -> Page:
    """The figures of *decision*, with a Pareto front in its JSON form."""
    counts = decision.counts
    return Page(
        decision=decision,
        objective=decision.objective,
        clusters=tuple(_cluster(federation, decision, c) for c in federation.clusters),
        workloads=tuple(_workloads(federation, decision)),
        losses=tuple(_losses(federation, decision)),
        replicas=sum(sum(c.values()) for c in counts.values()),
        currency=federation.objective.currency,
        front=None if front is None else _front(front),
    )


def _front(document: Mapping[str, Any]) -> Front:
    """The front, with its points drawn into the frame: both values grow to the right and up."""
    first, second = document["terms"]
    values = [
        tuple(point["values"][t["term"]] for t in (first, second)) for point in document["points"]
    ]
    across = _scaled([each[0] for each in values], *_ACROSS)
    upward = _scaled([each[1] for each in values], *_UPWARD)
    points = zip(values, across, upward, strict=True)
    return Front(
        first=first["term"],
        first_unit=first["unit"],
        second=second["term"],
        second_unit=second["unit"],
        points=tuple(Point(each[0], each[1], x, y) for each, x, y in points),
    )


def _scaled(values: Sequence[float], start: float, end: float) -> list[float]:
    """*values* from the least at *start* to the largest at *end*, in units of the drawing."""
    least, most = min(values), max(values)
    width = most - least or 1.0
    return [round(start + (end - start) * (value - least) / width, 1) for value in values]


def _cluster(federation: Federation, decision: Decision, cluster: Cluster) -> ClusterRow:
    there = {
        w.id: count
        for w in federation.workloads
        if (count := decision.counts[w.id].get(cluster.name, 0))
    }
    needs: dict[str, Decimal] = {}
    for workload in federation.workloads:
        for resource, amount in request_of(workload).items():
            needs[resource] = needs.get(resource, Decimal(0)) + amount * there.get(workload.id, 0)
    resources = dict.fromkeys(r for c in cluster.node_classes for r in c.allocatable)
    loads = []
    for resource in resources:
        capacity = sum(c.total(resource) for c in cluster.node_classes)
        others = capacity - free_of(cluster, resource)
        placed = needs.get(resource, Decimal(0))
        loads.append(Load(resource, float(capacity), float(others), float(placed)))
    return ClusterRow(cluster, tuple(loads), sum(there.values()))


def _workloads(federation: Federation, decision: Decision) -> Iterator[WorkloadRow]:
    facts = Facts.of(federation)
    for workload in federation.workloads:
        placed = decision.workload(workload.id)
        why = sentence(federation, facts, decision, workload) if placed.replicas else ""
        rows = tuple(_candidates(federation, facts, decision, workload))
        yield WorkloadRow(workload, placed, rows, why)


def _candidates(
    federation: Federation, facts: Facts, decision: Decision, workload: Workload
) -> Iterator[CandidateRow]:
    placed = decision.workload(workload.id)
    found = {b.cluster: b for b in better(federation, facts, decision, workload)}
    for candidate in placed.candidates:
        count = placed.replicas.get(candidate.cluster, 0)
        yield CandidateRow(candidate, count, note(found.get(candidate.cluster), count))


def _losses(federation: Federation, decision: Decision) -> Iterator[LossRow]:
    """Each cluster, and each region of several clusters: the loss of another is its cluster's."""
    found: dict[str, list[tuple[PlacedWorkload, AfterLoss]]] = {}
    for workload in decision.workloads:
        for entry in workload.after_loss:
            found.setdefault(entry.lost, []).append((workload, entry))
    for lost, touched in sorted(found.items()):
        kind, _, name = lost.partition("/")
        if kind == "region" and name in federation.lone_regions:
            continue
        moved = sum(
            max(0, count - workload.replicas.get(cluster, 0))
            for workload, entry in touched
            for cluster, count in entry.replicas.items()
        )
        pending = {w.id: entry.pending for w, entry in touched if entry.pending}
        yield LossRow(kind, name, len(touched), moved, pending)
