"""The formats of publishers, one module each: a file in, rows out.

A format is a function from a path and what the user states of it (``Given``) to ``Rows``. It reads
no other file, no network and no clock.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from placement.facts.formats import (
    azure_latency,
    cloud_prices,
    cloudping,
    cloudping_csv,
    electricity_maps,
    focus,
    google_carbon,
    hetzner,
    opencost_csv,
    opencost_json,
    sky,
)
from placement.facts.given import Given
from placement.facts.rows import Rows

Format = Callable[[Path, Given], Rows]

FORMATS: Mapping[str, Format] = {
    "azure-latency": azure_latency.read,
    "cloud-prices": cloud_prices.read,
    "cloudping": cloudping.read,
    "cloudping-csv": cloudping_csv.read,
    "electricity-maps": electricity_maps.read,
    "focus": focus.read,
    "google-carbon": google_carbon.read,
    "hetzner": hetzner.read,
    "opencost-csv": opencost_csv.read,
    "opencost-json": opencost_json.read,
    "sky": sky.read,
}
"""By the name that the command line knows them by."""
