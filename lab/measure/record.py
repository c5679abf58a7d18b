"""The committed results of measurements on the real Karmada.

Owns the form of a file in ``docs/measured``: one section for each thing that was measured, with
the versions and the date of its own run, so that a section can be measured again alone. It
measures nothing itself.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from lab.tools.catalogue import tool

FOLDER = Path(__file__).parents[2] / "docs" / "measured"

_GIBIBYTE = 1 << 30


def run(karmada: str) -> dict[str, Any]:
    """What every section says of its run: versions, date and machine."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {
            "karmada": karmada,
            "kubernetes": tool("kube-apiserver").version,
            "etcd": tool("etcd").version,
            "kwok": tool("kwok").version,
        },
        "machine": {
            "cores": psutil.cpu_count(),
            "memoryGiB": round(psutil.virtual_memory().total / _GIBIBYTE),
            "loadAverage": round(psutil.getloadavg()[0], 1),
        },
    }


def write(file: Path, section: str, content: Mapping[str, Any]) -> None:
    """Put *content* into *file* as *section*, and leave its other sections."""
    try:
        known: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        known = {}
    known[section] = dict(content)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", "utf-8")
