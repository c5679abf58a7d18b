"""Azure's table of round trips between its regions (Markdown).

Each table's first row names the regions measured to, each further row one measured from. Cells may
be blank, the diagonal always is: blank is unknown, not 0. The two ways of a pair may differ. Names
become region codes as Azure builds them: "Germany West Central" is ``germanywestcentral``.

Source: https://learn.microsoft.com/azure/networking/azure-network-latency.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

from placement.facts.given import Given
from placement.facts.rows import LatencyRow, Origin, Rows
from placement.faults import BadInputError, Fault
from placement.reader import read_text

_PERCENTILE = re.compile(r"\bP(\d{2})\b")
_RULE = re.compile(r"[-:\s]+")
_MARKUP = re.compile(r"<[^>]*>|[*`]")


def read(path: Path, given: Given) -> Rows:
    """The round trip of each ordered pair that a cell states."""
    text = read_text(path)
    percentile = _PERCENTILE.search(text)
    statistic = f"p{percentile[1]}" if percentile else "not stated"
    source = given.named(f"Microsoft, Azure network round-trip latency statistics, {statistic}")
    day = given.day(None)
    rows = [
        LatencyRow(
            Origin(given.file, line, f"{start} to {end}", source, day), start, end, ms, statistic
        )
        for line, start, end, ms in _cells(given.file, text)
    ]
    if not rows:
        message = "read no round trip; allowed a Markdown table with regions in both directions"
        raise BadInputError(Fault(given.file, 0, "(file)", message))
    return Rows(latency=tuple(rows))


def _cells(file: str, text: str) -> Iterator[tuple[int, str, str, Decimal]]:
    """Line, region measured from, region measured to, milliseconds."""
    header: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.lstrip().startswith("|"):
            header = []
            continue
        cells = [_MARKUP.sub(" ", c).strip() for c in line.strip().strip("|").split("|")]
        if not header:
            header = [_code(cell) for cell in cells]
        elif not all(_RULE.fullmatch(cell) for cell in cells if cell):
            for end, cell in zip(header[1:], cells[1:], strict=False):
                if cell:
                    yield number, _code(cells[0]), end, _milliseconds(file, number, end, cell)


def _code(name: str) -> str:
    return re.sub(r"\W", "", name).lower()


def _milliseconds(file: str, line: int, column: str, cell: str) -> Decimal:
    try:
        value = Decimal(cell)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or value < 0:
        message = f"read {cell!r}; allowed milliseconds, or blank where unknown"
        raise BadInputError(Fault(file, line, column, message))
    return value
