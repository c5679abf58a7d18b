"""What a decision says of the requirements: which conflict, what would help, what the binding cost.

Owns the shape of these findings, in the decision and in its JSON form. ``conflicts`` and ``prices``
find them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter

from placement.faults import Location

Stage = Literal["filter", "program", "check"]
"""What refuses: no cluster is left for a workload; the program has no solution; or the program
has, and the exact check refuses each of its answers."""


@dataclass(frozen=True)
class NamedRequirement:
    """A requirement by its key in the federation file.

    Attributes:
        location: keys and indices, as the file spells them.
        key: the same in one text, such as ``workloads[3].spread.region.minGroups``.
        subject: the workload, cluster or budget that it is about.
        value: what the file says.
    """

    location: Location
    key: str
    subject: str
    value: str


@dataclass(frozen=True)
class ChangedRequirement:
    """A requirement with another value.

    Attributes:
        location: keys and indices, as the file spells them.
        key: the same in one text.
        subject: the workload, cluster or budget that it is about.
        before: what the file says.
        after: what it would say; None where the requirement is dropped.
        note: what that means, where the key alone does not say it; may be empty.
    """

    location: Location
    key: str
    subject: str
    before: str
    after: str | None
    note: str


@dataclass(frozen=True)
class TermValue:
    """The value of a term of the objective; None where a fact that it needs is unknown."""

    term: str
    value: float | None
    unit: str


@dataclass(frozen=True)
class Relaxation:
    """A way out: changes with which there is a placement, and how good the best one is then.

    Attributes:
        changes: all of them are needed.
        patch: the same as JSON Patch (RFC 6902) of the federation file.
        status: of the placement: ``optimal`` or ``gap``.
        objective: the terms that the objective weighs.
    """

    changes: tuple[ChangedRequirement, ...]
    patch: tuple[dict[str, Any], ...]
    status: str
    objective: tuple[TermValue, ...]


@dataclass(frozen=True)
class Infeasibility:
    """Why there is no placement.

    Attributes:
        stage: what refuses the requirements that are named.
        proven: whether it is proven that they cannot hold together; else no placement was found.
        irreducible: whether without any one of them there is a placement; False where the effort
            ended before that was shown.
        requirements: those that conflict, in the order of the file.
        details: what the filters or the check say of them, a line each.
        relaxations: ways out, best objective first; each was planned.
    """

    stage: Stage
    proven: bool
    irreducible: bool
    requirements: tuple[NamedRequirement, ...]
    details: tuple[str, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()


@dataclass(frozen=True)
class Price:
    """What a requirement costs: the objective with a little less of it.

    Attributes:
        change: a little less of the requirement.
        term: of the objective, its most important.
        saves: how much less of the term the best placement then has; exact where ``estimated`` is
            False.
        unit: of *saves*.
        estimated: whether *saves* is of the relaxation in which replicas need not be whole.
    """

    change: ChangedRequirement
    term: str
    saves: float
    unit: str
    estimated: bool


_INFEASIBILITY: TypeAdapter[Infeasibility | None] = TypeAdapter(Infeasibility | None)
_PRICES: TypeAdapter[tuple[Price, ...]] = TypeAdapter(tuple[Price, ...])


def read_infeasibility(document: Mapping[str, Any] | None) -> Infeasibility | None:
    """From its JSON form, where there is one; numbers may come back as floats.

    Raises:
        ValueError: not an infeasibility.
    """
    return _INFEASIBILITY.validate_python(document)


def read_prices(document: Sequence[Mapping[str, Any]]) -> tuple[Price, ...]:
    """From their JSON form.

    Raises:
        ValueError: not prices.
    """
    return _PRICES.validate_python(document)
