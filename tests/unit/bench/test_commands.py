"""What a command used is measured with its children, and a failure says why."""

import os
import sys
from pathlib import Path

import pytest

from bench.commands import used
from placement.faults import FederationError

_CHILD = "bytearray(150 << 20); t = 0\nwhile __import__('time').process_time() < 0.3: t += 1"


def test_a_child_counts(tmp_path: Path) -> None:
    """Time and memory of a process that the command starts and waits for are the command's."""
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {_CHILD!r}])"
    found = used((sys.executable, "-c", parent), tmp_path, os.environ)
    assert found.cpu >= 0.3
    assert found.wall >= 0.15  # no more than two of these processes run at once
    assert found.peak >= 150


def test_a_failure_says_why(tmp_path: Path) -> None:
    """Another code than an expected one is an error with the command's last words."""
    command = (sys.executable, "-c", "import sys; sys.exit('no such stack')")
    with pytest.raises(FederationError, match="ended with 1:\nno such stack"):
        used(command, tmp_path, os.environ)
    used(command, tmp_path, os.environ, expected=(1,))
