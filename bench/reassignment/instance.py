"""An instance of the machine reassignment problem, and the reader of its published format.

Owns the data alone; what an assignment costs and may not do is ``judge.py``'s.

Source: Google ROADEF/EURO challenge 2011-2012, problem definition v1: two files of whole numbers,
the model and the assignment at the start.
"""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from placement.faults import BadInputError, Fault

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Balance:
    """For every unit of resource *have* that is free, *target* units of *want* should be free."""

    have: int
    want: int
    target: int
    weight: int


@dataclass(frozen=True)
class Instance:
    """Machines, services and processes; all indices count from 0.

    Attributes:
        name: as published, such as ``a1_1``.
        transient: [resource] whether a process that moves also uses it where it was.
        load_weight: [resource] the price of a unit above the safety capacity.
        neighbourhood, location: [machine] its group.
        capacity, safety: [machine, resource].
        move_cost: [machine, machine] of a move from the first to the second.
        spread: [service] the least number of locations with a process of it.
        depends: [service] the services without which it may be in no neighbourhood.
        service: [process] its service.
        requirement: [process, resource].
        process_cost: [process] of any move of it.
        balances: the pairs of resources that should be free together.
        process_weight, service_weight, machine_weight: of the three move costs.
        start: [process] its machine before.
    """

    name: str
    transient: NDArray[np.bool_]
    load_weight: Numbers
    neighbourhood: Numbers
    location: Numbers
    capacity: Numbers
    safety: Numbers
    move_cost: Numbers
    spread: Numbers
    depends: tuple[tuple[int, ...], ...]
    service: Numbers
    requirement: Numbers
    process_cost: Numbers
    balances: tuple[Balance, ...]
    process_weight: int
    service_weight: int
    machine_weight: int
    start: Numbers


def read(folder: Path, name: str) -> Instance:
    """The instance *name* from ``model_NAME.txt.gz`` and ``assignment_NAME.txt.gz`` of *folder*.

    Raises:
        BadInputError: a file is missing, or holds something else than the format's numbers.
    """
    model = _Tokens(folder / f"model_{name}.txt.gz")
    resources = [(model.one("resource"), model.one("resource")) for _ in model.count("resources")]
    machines = [
        (
            model.one("machine"),
            model.one("machine"),
            model.some("capacity", len(resources)),
            model.some("safety capacity", len(resources)),
            model.some("move cost", many),
        )
        for many in model.repeated("machines")
    ]
    services = [
        (model.one("spread"), tuple(model.some("dependency", model.one("dependencies")).tolist()))
        for _ in model.count("services")
    ]
    processes = [
        (model.one("service"), model.some("requirement", len(resources)), model.one("move cost"))
        for _ in model.count("processes")
    ]
    balances = [Balance(*model.some("balance", 4).tolist()) for _ in model.count("balances")]
    weights = model.some("weight", 3).tolist()
    model.end()
    assignment = _Tokens(folder / f"assignment_{name}.txt.gz")
    start = assignment.some("machine", len(processes))
    assignment.end()
    width = len(resources)
    return Instance(
        name=name,
        transient=np.array([transient for transient, _ in resources], dtype=bool),
        load_weight=np.array([weight for _, weight in resources]),
        neighbourhood=np.array([m[0] for m in machines]),
        location=np.array([m[1] for m in machines]),
        capacity=np.array([m[2] for m in machines]).reshape(-1, width),
        safety=np.array([m[3] for m in machines]).reshape(-1, width),
        move_cost=np.array([m[4] for m in machines]),
        spread=np.array([s[0] for s in services]),
        depends=tuple(s[1] for s in services),
        service=np.array([p[0] for p in processes]),
        requirement=np.array([p[1] for p in processes]).reshape(-1, width),
        process_cost=np.array([p[2] for p in processes]),
        balances=tuple(balances),
        process_weight=weights[0],
        service_weight=weights[1],
        machine_weight=weights[2],
        start=start,
    )


class _Tokens:
    """The whole numbers of a file, taken from its beginning on."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._at = 0
        try:
            words = gzip.decompress(file.read_bytes()).split()
            self._all = np.array(words, dtype=np.int64)
        except (OSError, ValueError) as error:
            raise self._bad("(file)", f"{error}; allowed a gzip file of whole numbers") from error

    def one(self, what: str) -> int:
        """The next number, 0 or more."""
        return int(self.some(what, 1)[0])

    def some(self, what: str, count: int) -> Numbers:
        """The next *count* numbers, each 0 or more."""
        found = self._all[self._at : self._at + count]
        if len(found) < count:
            raise self._bad(what, f"read the end of the file; allowed {count} numbers")
        if (found < 0).any():
            raise self._bad(what, f"read {found.min()}; allowed 0 or more")
        self._at += count
        return found

    def count(self, what: str) -> range:
        """As many as the next number says."""
        return range(self.one(what))

    def repeated(self, what: str) -> Iterator[int]:
        """The next number, as many times as it says."""
        many = self.one(what)
        return iter([many] * many)

    def end(self) -> None:
        """Raise where something is left."""
        left = len(self._all) - self._at
        if left:
            raise self._bad("(file)", f"read {left} numbers after the last; allowed none")

    def _bad(self, what: str, message: str) -> BadInputError:
        return BadInputError(Fault(str(self._file), 0, f"number {self._at + 1}, {what}", message))
