"""Files as publishers write them, small; and the rows and fragments that come of them."""

import json
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from placement.__main__ import placement
from placement.facts.formats import FORMATS
from placement.facts.given import Given
from placement.facts.rows import Rows

SERVER_TYPES = {
    "server_types": [
        {
            "name": name,
            "prices": [
                {
                    "location": location,
                    "price_hourly": {"net": "0.0", "gross": "0.0"},
                    "price_monthly": {"net": net, "gross": gross},
                }
            ],
        }
        for name, location, net, gross in (
            ("ccx13", "fsn1", "43.4900000000", "51.7531000000"),
            ("cpx32", "fsn1", "35.9900000000", "42.8281000000"),
            ("cx23", "fsn1", "5.9900000000", "7.1281000000"),
        )
    ]
}
"""Hetzner's prices of three types after 15 June 2026."""

CARBON = """\
Google Cloud Region,Location,Google CFE,Grid carbon intensity (gCO2eq / kWh)
europe-north1,Finland,0.98,39.32
europe-west3,Frankfurt,0.68,275.82
us-east4,Northern Virginia,0.62,323.05
"""

AZURE = """\
The monthly P95 round-trip times for the 30 days ending on July 30, 2026:

| Source | Germany West Central | West Europe | East US |
|--------|----------------------|-------------|---------|
| Germany West Central | | 14 | 97 |
| West Europe | 12 | | 84 |
| East US | 97 | | |
"""


def read(format_: str, path: Path, **given: Any) -> Rows:
    """The rows of a file, with what the user states of it."""
    return FORMATS[format_](path, Given(str(path), **given))


def write(path: Path, content: Any) -> Path:
    """*content* at *path*: text as it is, all else as JSON."""
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def fragment(*arguments: object) -> dict[str, Any]:
    """What ``python -m placement facts`` prints, which must succeed."""
    result = CliRunner().invoke(
        placement, ["facts", *map(str, arguments)], catch_exceptions=False, standalone_mode=False
    )
    plain: dict[str, Any] = yaml.safe_load(result.stdout)
    return plain
