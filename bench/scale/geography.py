"""Where the regions of a generated federation are, and how far from each other.

Owns the sphere: regions around the middles of six continents, and round trips by great circle.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Plain = dict[str, Any]

FACT = {"source": "generated for the scale benchmark", "date": "2026-01-01"}
"""What every generated fact of the outside world says of itself."""

_CONTINENTS = {
    "europe": (50.0, 9.0),
    "north-america": (40.0, -95.0),
    "asia": (28.0, 110.0),
    "south-america": (-18.0, -55.0),
    "oceania": (-30.0, 145.0),
    "africa": (-5.0, 25.0),
}
"""The middle of each continent: latitude and longitude in degrees."""


@dataclass(frozen=True)
class Region:
    """A region: its name, continent, and place in degrees."""

    name: str
    continent: str
    latitude: float
    longitude: float


def make_regions(random: Random, count: int) -> list[Region]:
    """Regions around the middles of the continents, each continent at least one."""
    names = list(_CONTINENTS)
    weights = (8, 8, 7, 2, 2, 1)
    regions = []
    for number in range(count):
        in_turn = number < len(names)
        continent = names[number] if in_turn else random.choices(names, weights)[0]
        latitude, longitude = _CONTINENTS[continent]
        regions.append(
            Region(
                f"r{number:03d}",
                continent,
                latitude + random.gauss(0, 9),
                longitude + random.gauss(0, 14),
            )
        )
    return regions


def latency(regions: Sequence[Region]) -> Plain:
    """Round trips: 3 ms, and 1 ms for each 75 km on the sphere (light in fibre, detours)."""
    return {
        **FACT,
        "statistic": "mean",
        "sites": {r.name: {"site": r.name} for r in regions},
        "roundTrip": {
            a.name: {b.name: round(3 + kilometres(a, b) / 75, 1) for b in regions} for a in regions
        },
    }


def kilometres(a: Region, b: Region) -> float:
    """The great circle between two regions (haversine formula)."""
    phi1, phi2 = math.radians(a.latitude), math.radians(b.latitude)
    half = (
        math.sin((phi2 - phi1) / 2) ** 2
        + math.cos(phi1)
        * math.cos(phi2)
        * math.sin(math.radians(b.longitude - a.longitude) / 2) ** 2
    )
    return 2 * 6371.0 * math.asin(math.sqrt(min(1.0, half)))
