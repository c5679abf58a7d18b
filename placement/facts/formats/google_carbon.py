"""Google's carbon data by cloud region (CSV), one file a year.

Read is the intensity of the grid: a yearly average, location based. The year stands in the file's
name alone, so the user states the date.

Source: https://github.com/GoogleCloudPlatform/region-carbon-info.
"""

from pathlib import Path

from pydantic import Field

from placement.facts.given import Given
from placement.facts.read import Published, table
from placement.facts.rows import CarbonRow, Origin, Rows
from placement.federation.base import Amount

_COLUMN = "Grid carbon intensity (gCO2eq / kWh)"


class _Row(Published):
    region: str = Field(alias="Google Cloud Region")
    grams: Amount = Field(alias="Grid carbon intensity (gCO2eq / kWh)")


def read(path: Path, given: Given) -> Rows:
    """The yearly mean of each region's grid."""
    day = given.day(None)
    source = given.named(f"GoogleCloudPlatform/region-carbon-info, yearly mean {day.year}")
    return Rows(
        carbon=tuple(
            CarbonRow(
                origin=Origin(given.file, line, _COLUMN, source, day),
                zone=row.region,
                grams=row.grams,
                basis="average",
                accounting="location",
            )
            for line, row in table(path, _Row)
        )
    )
