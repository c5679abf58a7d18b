"""The decision: what the engine answers, and its JSON form ``placement/decision/v1``.

Owns the shape that the command line prints, that the federation stack exports and reads back, and
that Karmada's policies are made from, and how it is read again. Sorted keys, rounded numbers: the
same decision is the same bytes.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast, get_args

from placement.faults import BadInputError, Fault
from placement.findings import Infeasibility, Price, read_infeasibility, read_prices

SCHEMA = "placement/decision/v1"
Status = Literal["optimal", "gap", "infeasible"]


@dataclass(frozen=True)
class ObjectiveValue:
    """A term of the objective.

    Attributes:
        value: of this placement; None where a fact that it needs is unknown.
        unit: its unit, with the cost basis.
        bound: what no placement is below, within the terms before it; None for terms that the
            objective does not weigh.
    """

    term: str
    value: float | None
    unit: str
    bound: float | None = None


@dataclass(frozen=True)
class RankedCandidate:
    """A cluster that passed the filters.

    Attributes:
        rank: from 1, by the objective; equal ranks are ties.
        score: 0 to 100 among this workload's candidates, a summary for readers.
        terms: of one replica on the best of its node classes; None is unknown.
    """

    cluster: str
    rank: int
    score: float
    terms: dict[str, float | None]


@dataclass(frozen=True)
class RefusedCluster:
    """A cluster that failed a filter."""

    cluster: str
    filter: str
    detail: str


@dataclass(frozen=True)
class AfterLoss:
    """What Karmada makes of a workload when a cluster or region that it uses is lost.

    Attributes:
        lost: ``cluster/NAME`` or ``region/NAME``.
        replicas: by cluster.
        pending: replicas that then find no cluster or no node.
    """

    lost: str
    replicas: dict[str, int]
    pending: int


@dataclass(frozen=True)
class AtTotal:
    """What Karmada makes of an autoscaled workload at another total.

    Attributes:
        total: replicas in all.
        replicas: by cluster.
    """

    total: int
    replicas: dict[str, int]


@dataclass(frozen=True)
class PlacedWorkload:
    """A workload's part of the decision.

    Attributes:
        weights: tie-proof static weights that Karmada divides into exactly ``replicas``.
        spread_defaulted: whether the spread follows from the class and was not written.
        totals: for an autoscaled workload the division at the minimum, at each total from which on
            another cluster is used, and at the maximum.
        backups: the clusters that take all of it, one after the other, when every cluster that it
            uses is lost.
        estimate: whether Karmada divides by what is free when it looks: ``replicas`` then say
            which clusters it may use, and how many go where is an estimate.
    """

    id: str
    replicas: dict[str, int]
    weights: dict[str, int]
    candidates: tuple[RankedCandidate, ...]
    refused: tuple[RefusedCluster, ...]
    after_loss: tuple[AfterLoss, ...] = ()
    terms: dict[str, float | None] | None = None
    spread_defaulted: bool = False
    totals: tuple[AtTotal, ...] = ()
    backups: tuple[str, ...] = ()
    estimate: bool = False


@dataclass(frozen=True)
class Move:
    """A changed number of replicas of a workload on a cluster."""

    workload: str
    cluster: str
    before: int
    after: int


@dataclass(frozen=True)
class Decision:
    """Where every replica runs, how good that is, and why.

    Attributes:
        input_hash: of everything that the decision depends on but the present placement.
        status: ``optimal`` (proven), ``gap`` (feasible, see the bounds) or ``infeasible``.
        conflicts: for an infeasible one, what stands in the way, a line each.
        infeasibility: the same with its parts, and the ways out.
        prices: what the binding requirements cost, where it was asked for.
    """

    input_hash: str
    status: Status
    objective: tuple[ObjectiveValue, ...]
    workloads: tuple[PlacedWorkload, ...]
    moves: tuple[Move, ...] = ()
    conflicts: tuple[str, ...] = ()
    infeasibility: Infeasibility | None = None
    prices: tuple[Price, ...] = ()

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """Replicas by workload id and cluster."""
        return {w.id: w.replicas for w in self.workloads}

    def workload(self, name: str) -> PlacedWorkload:
        """The part of the workload *name* (``namespace/name``); KeyError where there is none."""
        return self._by_id[name]

    @cached_property
    def _by_id(self) -> dict[str, PlacedWorkload]:
        return {w.id: w for w in self.workloads}

    def document(self) -> dict[str, Any]:
        """The JSON form, as plain values."""
        document = {_camel(k): v for k, v in asdict(self).items()}
        for optional in ("infeasibility", "prices"):
            if not document[optional]:
                del document[optional]
        document["workloads"] = [
            {_camel(k): v for k, v in workload.items()} for workload in document["workloads"]
        ]
        plain: dict[str, Any] = json.loads(json.dumps({"schema": SCHEMA, **document}))
        return plain

    def json(self) -> str:
        """The JSON form as text: sorted keys, two spaces, a newline at the end."""
        return json.dumps(self.document(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read(document: Mapping[str, Any]) -> Decision:
    """The decision whose JSON form is *document*, as a stack output holds it.

    Numbers may come back as floats, as they do from Pulumi.

    Raises:
        ValueError: another schema, or not a decision; the message names what was read.
    """
    schema = document.get("schema") if isinstance(document, Mapping) else document
    if schema != SCHEMA:
        raise ValueError(f"schema: read {schema!r}; allowed {SCHEMA!r}")
    try:
        return Decision(
            input_hash=str(document["inputHash"]),
            status=_status(document["status"]),
            objective=tuple(
                ObjectiveValue(o["term"], _float(o["value"]), o["unit"], _float(o["bound"]))
                for o in document["objective"]
            ),
            workloads=tuple(_workload(w) for w in document["workloads"]),
            moves=tuple(
                Move(m["workload"], m["cluster"], int(m["before"]), int(m["after"]))
                for m in document["moves"]
            ),
            conflicts=tuple(document["conflicts"]),
            infeasibility=read_infeasibility(document.get("infeasibility")),
            prices=read_prices(document.get("prices", ())),
        )
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ValueError(f"not a decision: {type(error).__name__} {error}") from None


def read_file(path: Path) -> Decision:
    """The decision in the file at *path*.

    Raises:
        BadInputError: it cannot be read, or is not a decision.
    """
    try:
        return read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        message = f"{error}; allowed a decision in JSON"
        raise BadInputError(Fault(str(path), 0, "(file)", message)) from None


def _status(text: str) -> Status:
    for status in get_args(Status):
        if text == status:
            return cast("Status", status)
    raise ValueError(f"status: read {text!r}; allowed {', '.join(get_args(Status))}")


def _float(value: Any) -> float | None:
    """A number as the engine wrote it, although a whole one may come back as an int."""
    return None if value is None else float(value)


def _terms(document: Mapping[str, Any]) -> dict[str, float | None]:
    return {term: _float(value) for term, value in document.items()}


def _workload(document: Mapping[str, Any]) -> PlacedWorkload:
    return PlacedWorkload(
        id=document["id"],
        replicas=_counts(document["replicas"]),
        weights=_counts(document["weights"]),
        candidates=tuple(
            RankedCandidate(c["cluster"], int(c["rank"]), float(c["score"]), _terms(c["terms"]))
            for c in document["candidates"]
        ),
        refused=tuple(RefusedCluster(**r) for r in document["refused"]),
        after_loss=tuple(
            AfterLoss(a["lost"], _counts(a["replicas"]), int(a["pending"]))
            for a in document["afterLoss"]
        ),
        terms=None if document["terms"] is None else _terms(document["terms"]),
        spread_defaulted=document["spreadDefaulted"],
        totals=tuple(
            AtTotal(int(t["total"]), _counts(t["replicas"])) for t in document.get("totals", ())
        ),
        backups=tuple(document.get("backups", ())),
        estimate=document.get("estimate", False),
    )


def _counts(document: Mapping[str, Any]) -> dict[str, int]:
    return {name: int(count) for name, count in document.items()}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)
