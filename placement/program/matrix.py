"""The program as sparse matrices, and the builder that collects them.

Owns the form, not the meaning: columns, rows, and what each stands for. The modules beside it add
the rows of one kind of requirement each.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from placement.federation.objective import Term
from placement.filter import Candidate

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
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
class Limit:
    """A constraint from above: sum of value x column <= upper, its entries in arrays."""

    columns: Integers
    values: Floats
    upper: float
    requirement: Requirement | None = None


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
        slots: the replica columns, the first ``len(slots)``: of each the workload, the candidate of
            the workload and the node class of the candidate, by index.
        terms: objective coefficients by column, for each term, in the term's unit.
    """

    lower: Floats
    upper: Floats
    integer: NDArray[np.bool_]
    owner: Integers
    row_start: Integers
    columns: Integers
    values: Floats
    row_lower: Floats
    row_upper: Floats
    requirements: tuple[Requirement | None, ...]
    slots: Integers
    terms: dict[Term, Floats]

    def counts(
        self, solution: Floats, candidates: Sequence[Sequence[Candidate]]
    ) -> list[dict[str, int]]:
        """Replicas by workload and cluster, zeros left out, from the values of the columns."""
        result: list[dict[str, int]] = [{} for _ in candidates]
        counts = np.round(solution[: len(self.slots)]).astype(np.int64)
        placed = np.flatnonzero(counts)
        for (workload, candidate, _), count in zip(
            self.slots[placed].tolist(), counts[placed].tolist(), strict=True
        ):
            cluster = candidates[workload][candidate].cluster.name
            result[workload][cluster] = result[workload].get(cluster, 0) + count
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
    """Collects columns and rows, one by one or many at once; ``build`` turns them into arrays.

    What is made at once for all workloads stands in the program beside the rest of each workload:
    columns and rows are numbered by their ``place`` and, in one place, in the order of making. The
    numbers that are given out before that are the builder's own.

    Attributes:
        place: where what is made now belongs.
    """

    place: int = 0
    _lower: "array[float]" = field(default_factory=lambda: array("d"))
    _upper: "array[float]" = field(default_factory=lambda: array("d"))
    _integer: "array[int]" = field(default_factory=lambda: array("b"))
    _owner: "array[int]" = field(default_factory=lambda: array("q"))
    _column_place: "array[int]" = field(default_factory=lambda: array("q"))
    _row: "array[int]" = field(default_factory=lambda: array("q"))
    _column: "array[int]" = field(default_factory=lambda: array("q"))
    _value: "array[float]" = field(default_factory=lambda: array("d"))
    _row_lower: "array[float]" = field(default_factory=lambda: array("d"))
    _row_upper: "array[float]" = field(default_factory=lambda: array("d"))
    _row_place: "array[int]" = field(default_factory=lambda: array("q"))
    _requirements: list[Requirement | None] = field(default_factory=list)
    _terms: dict[Term, list[tuple[Integers, Floats]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def column(self, lower: float, upper: float, *, integer: bool, owner: int = NOBODY) -> int:
        """A new variable; its number."""
        self._lower.append(lower)
        self._upper.append(upper)
        self._integer.append(integer)
        self._owner.append(owner)
        self._column_place.append(self.place)
        return len(self._lower) - 1

    def many(
        self, upper: Floats | Integers, owner: Integers, *, integer: bool, place: Integers | int
    ) -> Integers:
        """New variables from 0 up to *upper*, with their owners and places; their numbers."""
        first, count = len(self._lower), len(upper)
        _extend(self._lower, 0, count)
        _extend(self._upper, upper, count)
        _extend(self._integer, integer, count)
        _extend(self._owner, owner, count)
        _extend(self._column_place, place, count)
        return np.arange(first, first + count)

    def row(
        self,
        entries: Mapping[int, float],
        lower: float = -np.inf,
        upper: float = np.inf,
        requirement: Requirement | None = None,
    ) -> None:
        """A new constraint: lower <= sum of value x column <= upper."""
        self._row.extend([len(self._row_lower)] * len(entries))
        self._column.extend(entries)
        self._value.extend(entries.values())
        self._row_lower.append(lower)
        self._row_upper.append(upper)
        self._row_place.append(self.place)
        self._requirements.append(requirement)

    def limits(self, limits: Sequence[Limit]) -> None:
        """New constraints from above."""
        if not limits:
            return
        upper = np.array([limit.upper for limit in limits], dtype=np.float64)
        rows = self.rows(-np.inf, upper, [limit.requirement for limit in limits], self.place)
        self.entries(
            np.repeat(rows, [len(limit.columns) for limit in limits]),
            np.concatenate([limit.columns for limit in limits]),
            np.concatenate([limit.values for limit in limits]),
        )

    def rows(
        self,
        lower: Floats | Integers | float,
        upper: Floats | Integers | float,
        requirements: Sequence[Requirement | None],
        place: Integers | int,
    ) -> Integers:
        """New constraints without entries, as many as *requirements*; their numbers."""
        first, count = len(self._row_lower), len(requirements)
        _extend(self._row_lower, lower, count)
        _extend(self._row_upper, upper, count)
        _extend(self._row_place, place, count)
        self._requirements.extend(requirements)
        return np.arange(first, first + count)

    def entries(self, row: Integers, column: Integers, value: Floats | float) -> None:
        """Entries of rows that there are; within a row they keep the order of making."""
        _extend(self._row, row, len(row))
        _extend(self._column, column, len(row))
        _extend(self._value, value, len(row))

    def cost(self, term: Term, column: int, value: float) -> None:
        """Add *value* to the coefficient of *column* in *term*."""
        self.costs(term, np.array([column]), np.array([value]))

    def costs(self, term: Term, column: Integers, value: Floats) -> None:
        """Add to the coefficients of many columns."""
        if len(column):
            self._terms[term].append((column, value))

    def build(self, slots: Integers) -> Program:
        """The program in arrays."""
        columns = np.argsort(np.array(self._column_place), kind="stable")
        rows = np.argsort(np.array(self._row_place), kind="stable")
        column_at, row_at = np.empty_like(columns), np.empty_like(rows)
        column_at[columns] = np.arange(len(columns))
        row_at[rows] = np.arange(len(rows))
        row = row_at[np.array(self._row)]
        order = np.argsort(row, kind="stable")
        start = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=len(rows)), out=start[1:])
        terms: dict[Term, Floats] = {}
        for term, parts in self._terms.items():
            at = column_at[np.concatenate([column for column, _ in parts])]
            values = np.concatenate([value for _, value in parts])
            terms[term] = np.bincount(at, values, minlength=len(columns)).astype(np.float64)
        return Program(
            lower=np.array(self._lower)[columns],
            upper=np.array(self._upper)[columns],
            integer=np.array(self._integer, dtype=bool)[columns],
            owner=np.array(self._owner)[columns],
            row_start=start,
            columns=column_at[np.array(self._column)[order]],
            values=np.array(self._value)[order],
            row_lower=np.array(self._row_lower)[rows],
            row_upper=np.array(self._row_upper)[rows],
            requirements=tuple(map(self._requirements.__getitem__, rows.tolist())),
            slots=slots,
            terms=terms,
        )


def _extend(
    values: "array[float] | array[int]", more: NDArray[np.generic] | float, count: int
) -> None:
    """Append *more*, or one value *count* times."""
    values.frombytes(np.full(count, more, dtype=values.typecode).view(np.uint8).data)


def sum_of(columns: Sequence[int], value: float = 1.0) -> dict[int, float]:
    """The entries of a row that adds up *columns*, each times *value*."""
    return dict.fromkeys(columns, value)
