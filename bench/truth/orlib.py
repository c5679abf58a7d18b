"""The capacitated warehouse location problems of the OR-Library, as far as a folder holds them.

Three files (``cap71``, ``cap101``, ``cap131``) hold the costs of all 37 small problems, which
differ in the capacity of every warehouse and in the fixed cost alone, as Beasley's table says.

Source: J. E. Beasley, An algorithm for solving large capacitated warehouse location problems, EJOR
33 (1988), table 1; optima: ``capopt`` of the OR-Library
(https://people.brunel.ac.uk/~mastjjb/jeb/orlib/capinfo.html), read 2026-11-30. The large problems
(100 warehouses, 1,000 customers) are not in it.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from bench.truth.location import Problem
from placement.faults import BadInputError, Fault
from placement.reader import read_text

_ANY = 58_268
"""The demand of all customers: a capacity that never binds."""

_FIXED = (7_500, 12_500, 17_500, 25_000)

SETS: dict[str, tuple[str, int, tuple[float, ...]]] = {
    "cap4": ("cap71", 5_000, (1040444.375, 1098000.450, 1153000.450, 1235500.450)),
    "cap6": ("cap71", 15_000, (932615.750, 977799.400, 1014062.050, 1045650.250)),
    "cap7": ("cap71", _ANY, (932615.750, 977799.400, 1010641.450, 1034976.975)),
    "cap8": ("cap101", 5_000, (838499.288, 910889.563, 975889.563, 1069369.525)),
    "cap9": ("cap101", 15_000, (796648.438, 855733.500, 896617.538, 946051.325)),
    "cap10": ("cap101", _ANY, (796648.437, 854704.200, 893782.112, 928941.750)),
    "cap11": ("cap131", 5_000, (826124.713, 901377.213, 970567.750, 1063356.488)),
    "cap12": ("cap131", 15_000, (793439.563, 852524.625, 895302.325, 946051.325)),
    "cap13": ("cap131", _ANY, (793439.562, 851495.325, 893076.712, 928941.750)),
}
"""By set: the file with its costs, the capacity, and the optima by rising fixed cost. ``cap51``
stands alone: capacity 10,000 and the third fixed cost."""

CAP51 = ("cap71", 10_000, 17_500, 1025208.225)


def problems(folder: Path) -> Iterator[tuple[Problem, float]]:
    """The 37 problems with their optima.

    Args:
        folder: that holds ``cap71.txt``, ``cap101.txt`` and ``cap131.txt``, at any depth.

    Raises:
        BadInputError: a file is missing or not of the format.
    """
    for name, (file, capacity, optima) in SETS.items():
        for number, (fixed, optimum) in enumerate(zip(_FIXED, optima, strict=True), start=1):
            yield _problem(folder, file, f"{name}{number}", capacity, fixed), optimum
    file, capacity, fixed, optimum = CAP51
    yield _problem(folder, file, "cap51", capacity, fixed), optimum


def _problem(folder: Path, file: str, name: str, capacity: int, fixed: int) -> Problem:
    found = sorted(folder.rglob(f"{file}.txt"))
    if not found:
        message = f"no {file}.txt; allowed a folder with the OR-Library's files"
        raise BadInputError(Fault(str(folder), 0, "(folder)", message))
    try:
        numbers = [Decimal(word) for word in read_text(found[0]).split()]
        warehouses, customers = int(numbers[0]), int(numbers[1])
        stated = numbers[3 : 2 + 2 * warehouses : 2]
        rest = numbers[2 + 2 * warehouses :]
        rows = [rest[i * (warehouses + 1) :][: warehouses + 1] for i in range(customers)]
        return Problem(
            name=name,
            capacity=(capacity,) * warehouses,
            # One warehouse stands already: its fixed cost is 0 in every problem.
            fixed=[Decimal(fixed) if cost else Decimal(0) for cost in stated],
            demand=[int(row[0]) for row in rows],
            serving=[row[1:] for row in rows],
        )
    except (ArithmeticError, IndexError, ValueError):
        message = "read no warehouse location problem; allowed the OR-Library's format"
        raise BadInputError(Fault(str(found[0]), 0, "(file)", message)) from None
