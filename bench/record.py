"""What every recorded measurement says of its run: day, versions, machine, effort."""

import os
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from placement import __version__


def run(effort: int) -> dict[str, Any]:
    """The run that is going on."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {
            "engine": __version__,
            "highspy": version("highspy"),
            "ortools": version("ortools"),
        },
        "cores": os.cpu_count(),
        "effort": effort,
    }
