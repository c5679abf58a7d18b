"""The hash of a decision made by decomposition, in a process whose environment the caller sets."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.scale.generate import Size, generate
from placement.federation import Federation
from placement.plan import plan
from placement.solve import lexicographic

_REPOSITORY = Path(__file__).parents[2]


def fingerprint(environment: Mapping[str, str]) -> str:
    """What a fresh process prints under *environment* added to this one's."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.fingerprint"],
        cwd=_REPOSITORY,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _main() -> None:
    lexicographic._WHOLE = 0  # by decomposition, whatever the size
    document, present = generate(Size(10, 16, load=0.5), 2)
    decision = plan(Federation.model_validate(document), effort=3, present=present)
    print(hashlib.sha256(decision.json().encode()).hexdigest(), decision.status)


if __name__ == "__main__":
    _main()
