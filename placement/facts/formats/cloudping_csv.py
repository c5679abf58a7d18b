"""cloudping.co's measurements as a table (CSV): mean round trips between AWS regions by city.

Columns ``src``, ``dst`` and ``mean``, in ms. The file carries no date.

Source: https://github.com/rupc/aws-cross-region-latency.
"""

from pathlib import Path

from pydantic import Field

from placement.facts.given import Given
from placement.facts.read import Published, table
from placement.facts.rows import LatencyRow, Origin, Rows
from placement.federation.base import Amount


class _Row(Published):
    start: str = Field(alias="src")
    end: str = Field(alias="dst")
    mean: Amount | None = Field(default=None)


def read(path: Path, given: Given) -> Rows:
    """The mean round trip of each ordered pair; a blank one is unknown."""
    source = given.named("cloudping.co, table published in rupc/aws-cross-region-latency")
    day = given.day(None)
    return Rows(
        latency=tuple(
            LatencyRow(
                Origin(given.file, line, "mean", source, day), row.start, row.end, row.mean, "mean"
            )
            for line, row in table(path, _Row)
            if row.mean is not None
        )
    )
