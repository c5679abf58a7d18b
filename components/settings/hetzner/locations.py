"""The locations of Hetzner Cloud, and which of them stands in for a place that it does not serve.

Source: Hetzner Cloud documentation, "Locations", read 2026-08.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from placement.federation.base import Continent


@dataclass(frozen=True)
class Location:
    """A place where servers can be ordered.

    Attributes:
        city: the nearest city.
        zone: the network zone; a private network reaches no further.
        continent: where it lies.
        jurisdiction: whose law data there are under.
    """

    city: str
    zone: str
    continent: Continent
    jurisdiction: str


LOCATIONS = {
    "fsn1": Location("Falkenstein", "eu-central", "europe", "eu"),
    "nbg1": Location("Nuremberg", "eu-central", "europe", "eu"),
    "hel1": Location("Helsinki", "eu-central", "europe", "eu"),
    "ash": Location("Ashburn", "us-east", "north-america", "us"),
    "hil": Location("Hillsboro", "us-west", "north-america", "us"),
    "sin": Location("Singapore", "ap-southeast", "asia", "sg"),
}

_STAND_INS = {
    "tokyo": ("Tokyo", "sin"),
    "newyork": ("New York", "ash"),
}
"""What the planes of the federation ask for and Hetzner Cloud has not: the nearest that it has."""


def _known(name: str) -> str:
    if name in LOCATIONS:
        return name
    allowed = ", ".join(f"{key} ({place.city})" for key, place in LOCATIONS.items())
    for key, (city, nearest) in _STAND_INS.items():
        if key in "".join(letter for letter in name.lower() if letter.isalpha()):
            raise ValueError(
                f"read {name!r}: Hetzner Cloud has no location in {city}; allowed {nearest} "
                f"({LOCATIONS[nearest].city}) as its stand-in, or maker existing for a cluster "
                f"in {city} itself"
            )
    raise ValueError(f"read {name!r}; allowed {allowed}")


LocationName = Annotated[
    str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": list(LOCATIONS)})
]
"""The name of a location."""
