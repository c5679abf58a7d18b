"""Plain ``pulumi`` commands on the lab's own language host, as a user types them."""

import os
import subprocess
from pathlib import Path

import pytest

from lab import tools
from lab.engine.language_host import NAME, install
from tests.engine.case import Case


def pulumi(case: Case, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the lab's CLI in the project of *case*."""
    command = tools.path("pulumi")
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    return subprocess.run(
        [command, *arguments, "--non-interactive"],
        cwd=case.workspace.project,
        env={**os.environ, **case.workspace.environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_stack_that_is_up_has_nothing_to_change(case: Case) -> None:
    """The host runs the project's own program: what the inline one made is what it would make."""
    install()
    done = pulumi(case, "preview", "--stack", "tokyo", "--expect-no-changes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 unchanged" in done.stdout


def test_a_fault_is_said_once_and_without_a_traceback(case: Case) -> None:
    """The user reads file, line, key and what is allowed, and nothing of the program's inside."""
    install()
    case.stack()  # made, never up
    case.configure(enviroment="production")
    done = pulumi(case, "preview", "--stack", "federation")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert text.count("unknown key, did you mean environment?") == 1
    assert "Traceback" not in text


def test_the_official_host_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the official host is on the PATH, the lab takes its own away."""
    ours = tmp_path / "tools"
    (ours / "bin").mkdir(parents=True)
    (ours / "bin" / NAME).write_text("ours")
    official = tmp_path / "official" / NAME
    official.parent.mkdir()
    official.write_text("#!/bin/sh\n")
    official.chmod(0o755)
    monkeypatch.setattr(tools, "ROOT", ours)
    monkeypatch.setenv("PATH", str(official.parent))
    assert install() is None
    assert not (ours / "bin" / NAME).exists()
