"""Electricity Maps: the answers of ``carbon-intensity/latest``, ``/history`` and ``/past-range``.

One object, or rows under ``history`` or ``data``. Of a row every key but ``datetime`` may be
missing, as the free tier and older versions leave them out; rows without an intensity say nothing.
Several rows of a zone become their mean. A forecast is no fact and refused.

Source: https://portal.electricitymaps.com/developer-hub/api/reference.
"""

from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import Field

from placement.document import Document
from placement.facts.given import Given
from placement.facts.read import Day, Published
from placement.facts.rows import CarbonRow, Origin, Rows
from placement.faults import BadInputError, Location, shown
from placement.federation.base import Amount

_YEAR = 8000
"""Hourly rows from which a mean counts as a year's: some 11 months."""


class _Reading(Published):
    datetime: Day
    zone: str | None = None
    carbon_intensity: Amount | None = Field(default=None, alias="carbonIntensity")
    factor: Literal["lifecycle", "direct"] | None = Field(default=None, alias="emissionFactorType")
    estimated: bool = Field(default=False, alias="isEstimated")


class _Answer(Published):
    zone: str | None = None
    datetime: Day | None = None
    history: tuple[_Reading, ...] = ()
    data: tuple[_Reading, ...] = ()
    forecast: tuple[object, ...] = ()


def read(path: Path, given: Given) -> Rows:
    """The intensity of each zone: flow-traced average, location based."""
    document = Document(path)
    answer = document.validate(_Answer)
    if answer.forecast:
        message = "read a forecast; allowed readings, since a forecast is no fact"
        raise BadInputError(document.fault(("forecast",), message))
    readings: list[tuple[Location, _Reading]] = [
        ((key, i), reading)
        for key, rows in (("history", answer.history), ("data", answer.data))
        for i, reading in enumerate(rows)
    ]
    if answer.datetime is not None:
        readings.append(((), document.validate(_Reading)))
    by_zone: dict[str, list[tuple[Location, _Reading]]] = {}
    for where, reading in readings:
        if reading.carbon_intensity is not None:
            # What neither a row nor the answer says, the user said by the name of the file.
            zone = reading.zone or answer.zone or path.stem
            by_zone.setdefault(zone, []).append((where, reading))
    if not by_zone:
        message = "read no carbonIntensity; allowed at least one reading"
        raise BadInputError(document.fault((), message))
    return Rows(
        carbon=tuple(_mean(document, given, zone, found) for zone, found in sorted(by_zone.items()))
    )


def _mean(
    document: Document, given: Given, zone: str, found: list[tuple[Location, _Reading]]
) -> CarbonRow:
    where, first = found[0]
    factors = {reading.factor for _, reading in found}
    if len(factors) > 1:
        message = f"read lifecycle beside direct in zone {zone}; allowed one emissionFactorType"
        raise BadInputError(document.fault((*where, "emissionFactorType"), message))
    amounts = [r.carbon_intensity for _, r in found if r.carbon_intensity is not None]
    estimated = sum(reading.estimated for _, reading in found)
    published = f"Electricity Maps, zone {zone}, {first.factor or 'factor type not stated'}"
    if len(found) > 1:
        published += f", mean of {len(found)} readings"
    if estimated:
        published += f", {estimated} estimated"
    mean = sum(amounts, Decimal(0)) / len(amounts)
    key = (*where, "carbonIntensity")
    day = given.day(max(reading.datetime for _, reading in found))
    line = document.fault(key, "").line
    return CarbonRow(
        origin=Origin(given.file, line, shown(key), given.named(published), day),
        zone=zone,
        grams=mean.quantize(Decimal("0.01")),
        basis="average",
        accounting="location",
        factor=first.factor,
        reading=len(found) < _YEAR,
    )
