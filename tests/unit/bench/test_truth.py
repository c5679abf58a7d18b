"""Published optima, through the engine's whole path."""

from decimal import Decimal
from pathlib import Path

import pytest

from bench.truth import csplib, orlib
from bench.truth.command import solved
from bench.truth.location import Problem
from placement.faults import BadInputError


def test_csplib_034_is_383() -> None:
    """CSPLib's warehouse location problem has the published optimum, proven."""
    row = solved(csplib.PROBLEM, csplib.OPTIMUM, effort=4)
    assert (row["value"], row["bound"], row["status"]) == (383, 383, "optimal")
    assert row["equal"]


def test_another_optimum_is_not_called_equal() -> None:
    """Where every store costs one more, the optimum is ten more, and said to be another."""
    serving = [[cost + 1 for cost in costs] for costs in csplib.PROBLEM.serving]
    problem = Problem("dearer", csplib.PROBLEM.capacity, csplib.PROBLEM.fixed, (1,) * 10, serving)
    row = solved(problem, csplib.OPTIMUM, effort=4)
    assert row["value"] == 393
    assert not row["equal"]


def test_demand_is_divided_where_that_is_cheaper() -> None:
    """A customer of three units is served by the near warehouse of two and by a second one."""
    problem = Problem("two", (2, 2), (Decimal(1), Decimal(5)), (3,), [[Decimal(3), Decimal(9)]])
    row = solved(problem, 2 * 1 + 1 * 3 + 6, effort=4)
    assert row["equal"], row["value"]


def test_the_orlib_format_is_read(tmp_path: Path) -> None:
    """Warehouses with capacity and cost, then customers with demand and costs, make a problem."""
    text = "2 2\n10 7500.\n10 0.\n3\n1.5 2.5\n4\n8 9\n"
    for name in ("cap71", "cap101", "cap131"):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    found = {p.name: p for p, _ in orlib.problems(tmp_path)}
    assert len(found) == 37
    cap42 = found["cap42"]
    assert cap42.capacity == (5000, 5000)
    assert cap42.fixed == [Decimal(12_500), Decimal(0)]
    assert cap42.demand == [3, 4]
    assert cap42.serving == [[Decimal("1.5"), Decimal("2.5")], [Decimal(8), Decimal(9)]]


def test_a_folder_without_the_files_is_named(tmp_path: Path) -> None:
    """What is missing is said, with the folder."""
    with pytest.raises(BadInputError, match=r"no cap71\.txt"):
        list(orlib.problems(tmp_path))
