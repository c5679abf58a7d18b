"""Why there is no placement: which requirements are short, and by how much.

Owns the elastic program: every business row may be broken, at a price for each unit of its
shortfall relative to its size; the cheapest way to break them names what stands in the way
(Chinneck, Feasibility and Infeasibility in Optimization, 2008, chapter 6). The rows that only
define variables stay hard.
"""

import numpy as np

from placement.program import Floats, Program
from placement.solve import Level, solve


def shortfalls(program: Program, effort: int) -> list[str]:
    """One line for each requirement of the cheapest way out: what is short, and by how much."""
    elastic, rows = _elastic(program)
    solution = solve(elastic, [Level("shortfall", {"churn": 1.0})], effort)
    if solution is None:
        return ["no placement meets the requirements"]
    first = len(program.lower)
    lines: list[str] = []
    for offset, row in enumerate(rows):
        below, above = solution.columns[first + 2 * offset : first + 2 * offset + 2]
        amount = max(float(below), float(above))
        requirement = program.requirements[row]
        if amount > 1e-6 and requirement is not None:
            lines.append(
                f"{requirement.subject}: {requirement.rule}: short by {_number(amount)} "
                f"{requirement.unit}"
            )
    return lines


def _number(amount: float) -> str:
    return f"{amount:.0f}" if abs(amount - round(amount)) < 1e-6 else f"{amount:.2f}"


def _elastic(program: Program) -> tuple[Program, list[int]]:
    """The program with two columns, short and over, for each row that is a requirement."""
    rows = [i for i, requirement in enumerate(program.requirements) if requirement is not None]
    width, count = len(program.lower), len(rows)
    row_of = np.repeat(np.arange(len(program.row_lower)), np.diff(program.row_start))
    extra_rows = np.repeat(np.array(rows, dtype=np.int64), 2)
    extra_columns = np.arange(width, width + 2 * count)
    extra_values = np.tile([1.0, -1.0], count)
    order = np.argsort(np.concatenate([row_of, extra_rows]), kind="stable")
    start = np.zeros(len(program.row_lower) + 1, dtype=np.int64)
    np.add.at(start, np.concatenate([row_of, extra_rows]) + 1, 1)
    bound = np.where(np.isfinite(program.row_upper), program.row_upper, program.row_lower)
    price: Floats = np.zeros(width + 2 * count)
    price[width:] = np.repeat(1.0 / np.maximum(1.0, np.abs(bound[rows])), 2)
    return (
        Program(
            lower=np.concatenate([program.lower, np.zeros(2 * count)]),
            upper=np.concatenate([program.upper, np.full(2 * count, np.inf)]),
            integer=np.concatenate([program.integer, np.zeros(2 * count, dtype=bool)]),
            owner=np.concatenate([program.owner, np.full(2 * count, -1)]),
            row_start=np.cumsum(start),
            columns=np.concatenate([program.columns, extra_columns])[order],
            values=np.concatenate([program.values, extra_values])[order],
            row_lower=program.row_lower,
            row_upper=program.row_upper,
            requirements=program.requirements,
            slots=program.slots,
            terms={"churn": price},
        ),
        rows,
    )
