"""``python -m lab.ceph``: measure, and write ``docs/measured/ceph.json``."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import psutil

from lab.ceph import Ceph, measure, mirroring
from lab.measure.record import FOLDER, write
from placement.faults import FederationError

FILE = FOLDER / "ceph.json"


def main() -> int:
    """Measure all of it; the exit code."""
    sections: dict[str, Callable[[Ceph], dict[str, Any]]] = {
        "identities": measure.identities,
        "damage": measure.damage,
        "losses": partial(measure.losses, report=_tell),
        "mirroring": partial(mirroring.mirroring, report=_tell),
    }
    try:
        with measure.started() as ceph:
            _tell("the cluster is clean")
            for name, measured in sections.items():
                content = measured(ceph)
                write(FILE, name, {**content, "run": _run()})
                _tell(f"{name}: {json.dumps(content)}")
    except FederationError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)
    return 0


def _run() -> dict[str, Any]:
    """What every section says of its run."""
    load = round(psutil.getloadavg()[0], 1)
    date = datetime.now(UTC).date().isoformat()
    return {"date": date, "cores": psutil.cpu_count(), "loadAverage": load, **measure.about()}


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
