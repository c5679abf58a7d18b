"""cloudping.co's API (JSON): round trips between AWS regions at a percentile.

``metadata`` says percentile, time frame and unit, ``data`` holds a row of milliseconds for each
region measured from. The answer carries no date.

Source: https://www.cloudping.co, ``/latencies``.
"""

from pathlib import Path
from typing import Literal

from placement.document import Document
from placement.facts.given import Given
from placement.facts.read import Published
from placement.facts.rows import LatencyRow, Origin, Rows
from placement.faults import shown
from placement.federation.base import Amount


class _Metadata(Published):
    percentile: str
    timeframe: str
    unit: Literal["ms", "milliseconds"]


class _Answer(Published):
    metadata: _Metadata
    data: dict[str, dict[str, Amount | None]]


def read(path: Path, given: Given) -> Rows:
    """The round trip of each ordered pair; a pair without a figure is unknown."""
    document = Document(path)
    answer = document.validate(_Answer)
    percentile = answer.metadata.percentile.replace("_", "").lower()
    source = given.named(f"cloudping.co, {percentile} over {answer.metadata.timeframe}")
    day = given.day(None)
    rows = []
    for start, ends in answer.data.items():
        for end, milliseconds in ends.items():
            if milliseconds is not None:
                where = ("data", start, end)
                line = document.fault(where, "").line
                origin = Origin(given.file, line, shown(where), source, day)
                rows.append(LatencyRow(origin, start, end, milliseconds, percentile))
    return Rows(latency=tuple(rows))
