"""Nothing that decides or declares reads a clock: a preview a year later is the same preview."""

import ast
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parents[2]
_CLOCKS = {"now", "utcnow", "today", "time", "time_ns", "gmtime", "localtime"}
_OWNERS = {"datetime", "date", "time"}


def _readings(source: str) -> list[int]:
    """The lines that ask a clock, such as ``datetime.now()`` or ``time.time()``."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and node.attr in _CLOCKS
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr) in _OWNERS
    ]


@pytest.mark.parametrize("folder", ["placement", "components", "policies"])
def test_no_module_reads_a_clock(folder: str) -> None:
    """The engine, the planes and the policies take the day as an argument or not at all."""
    files = sorted((_REPOSITORY / folder).rglob("*.py"))
    found = {str(f): lines for f in files if (lines := _readings(f.read_text("utf-8")))}
    assert files
    assert not found


def test_a_reading_is_seen() -> None:
    """The search itself sees the usual ways to ask."""
    source = "datetime.now(UTC)\ndatetime.datetime.utcnow()\ntime.time()\nevent.time()\n"
    assert _readings(source) == [1, 2, 3]
