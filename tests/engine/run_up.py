"""``python -m tests.engine.run_up FOLDER``: a user's `up` in a process of its own, to be hurt."""

import sys
from pathlib import Path

from lab.engine import Workspace


def shown(line: str) -> None:
    """Pass a line of the CLI's on."""
    print(line, flush=True)


if __name__ == "__main__":
    Workspace(Path(sys.argv[1])).stack("federation").up(on_output=shown)
