"""The planes are drawn in the README as the program declares them."""

import os
import subprocess
import sys

import pytest

from lab.engine import CHECKOUT


@pytest.mark.skipif("REFERENCE_DIR" not in os.environ, reason="REFERENCE_DIR is not set")
def test_the_readme_draws_the_planes_as_they_are() -> None:
    """The picture is the program's own graph: a component or a reference more is a line more."""
    run = subprocess.run(  # a process of its own: mocks stay in the one that they were set in
        [sys.executable, "-m", "tests.drawing"], cwd=CHECKOUT, capture_output=True, check=False
    )
    drawn = run.stdout.decode()
    assert run.returncode == 0, run.stderr.decode()
    assert drawn.startswith("flowchart")
    assert f"```mermaid\n{drawn}```" in (CHECKOUT / "README.md").read_text("utf-8")
