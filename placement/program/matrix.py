"""The program as sparse matrices, and the builder that collects them.

Owns the form, not the meaning: columns, rows, and what each stands for. The modules beside it add
the rows of one kind of requirement each.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from placement.federation.objective import Term
from placement.filter import Candidate

Floats = NDArray[np.float64]
NOBODY = -1
"""The owner of a column that serves several workloads."""


@dataclass(frozen=True)
class Requirement:
    """What a row stands for, in the user's words.

    Attributes:
        subject: the workload's id or ``cluster/node class``.
        rule: the requirement, such as ``spread.region.minGroups 2`` or ``cpu``.
        unit: what a shortfall is counted in.
    """

    subject: str
    rule: str
    unit: str


@dataclass(frozen=True)
class Slot:
    """A column of replicas: workload, candidate and node class of the candidate, by index."""

    workload: int
    candidate: int
    node_class: int


@dataclass(frozen=True)
class Program:
    """A mixed-integer program; columns are variables, rows are constraints.

    Attributes:
        lower, upper: bounds by column.
        integer: by column.
        owner: the index of the workload that a column serves, by column, or ``NOBODY``.
        row_start, columns, values: the matrix by rows (CSR).
        row_lower, row_upper: bounds by row.
        requirements: by row; None for rows that only define a variable.
        slots: what the first ``len(slots)`` columns stand for.
        terms: objective coefficients by column, for each term, in the term's unit.
    """

    lower: Floats
    upper: Floats
    integer: NDArray[np.bool_]
    owner: NDArray[np.int64]
    row_start: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: Floats
    row_lower: Floats
    row_upper: Floats
    requirements: tuple[Requirement | None, ...]
    slots: tuple[Slot, ...]
    terms: dict[Term, Floats]

    def counts(
        self, solution: Floats, candidates: Sequence[Sequence[Candidate]]
    ) -> list[dict[str, int]]:
        """Replicas by workload and cluster, zeros left out, from the values of the columns."""
        result: list[dict[str, int]] = [{} for _ in candidates]
        for column, slot in enumerate(self.slots):
            count = round(float(solution[column]))
            if count:
                cluster = candidates[slot.workload][slot.candidate].cluster.name
                result[slot.workload][cluster] = result[slot.workload].get(cluster, 0) + count
        return [dict(sorted(r.items())) for r in result]

    def value(self, term: Term, solution: Floats) -> float:
        """The value of *term*."""
        coefficients = self.terms.get(term)
        return 0.0 if coefficients is None else float((coefficients * solution).sum())

    def parts(self, term: Term, solution: Floats) -> list[float]:
        """The parts of *term* that the columns of each workload make."""
        own = self.owner >= 0
        count = int(self.owner.max(initial=NOBODY)) + 1
        values = self.terms.get(term, np.zeros(len(self.lower))) * solution
        return [float(v) for v in np.bincount(self.owner[own], values[own], minlength=count)]


@dataclass
class Builder:
    """Collects columns and rows; ``build`` turns them into arrays."""

    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    integer: list[bool] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    start: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    row_lower: list[float] = field(default_factory=list)
    row_upper: list[float] = field(default_factory=list)
    requirements: list[Requirement | None] = field(default_factory=list)
    terms: dict[Term, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))

    def column(self, lower: float, upper: float, *, integer: bool, owner: int = NOBODY) -> int:
        """A new variable; its index."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.integer.append(integer)
        self.owner.append(owner)
        return len(self.lower) - 1

    def row(
        self,
        entries: Mapping[int, float],
        lower: float = -np.inf,
        upper: float = np.inf,
        requirement: Requirement | None = None,
    ) -> None:
        """A new constraint: lower <= sum of value x column <= upper."""
        self.columns.extend(entries)
        self.values.extend(entries.values())
        self.start.append(len(self.columns))
        self.row_lower.append(lower)
        self.row_upper.append(upper)
        self.requirements.append(requirement)

    def cost(self, term: Term, column: int, value: float) -> None:
        """Add *value* to the coefficient of *column* in *term*."""
        self.terms[term][column] = self.terms[term].get(column, 0.0) + value

    def build(self, slots: Sequence[Slot]) -> Program:
        """The program in arrays."""
        dense: dict[Term, Floats] = {}
        for term, entries in self.terms.items():
            dense[term] = np.zeros(len(self.lower))
            dense[term][list(entries)] = list(entries.values())
        return Program(
            lower=np.array(self.lower, dtype=np.float64),
            upper=np.array(self.upper, dtype=np.float64),
            integer=np.array(self.integer, dtype=bool),
            owner=np.array(self.owner, dtype=np.int64),
            row_start=np.array(self.start, dtype=np.int64),
            columns=np.array(self.columns, dtype=np.int64),
            values=np.array(self.values, dtype=np.float64),
            row_lower=np.array(self.row_lower, dtype=np.float64),
            row_upper=np.array(self.row_upper, dtype=np.float64),
            requirements=tuple(self.requirements),
            slots=tuple(slots),
            terms=dense,
        )


def sum_of(columns: Sequence[int], value: float = 1.0) -> dict[int, float]:
    """The entries of a row that adds up *columns*, each times *value*."""
    return dict.fromkeys(columns, value)
