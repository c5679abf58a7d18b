"""An interrupted run and a killed one: what is left, and how the user goes on."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lab.engine import CHECKOUT
from tests.engine.case import Case, cluster, refused, workload

PATIENCE = 60
"""Seconds after which a process that should have ended hangs."""


def locks(case: Case) -> list[Path]:
    """The locks in the backend."""
    return list((case.folder / "backend" / ".pulumi" / "locks").rglob("*.json"))


def session(leader: int) -> list[psutil.Process]:
    """The processes of the session that *leader* began; those that ended do not count."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@pytest.fixture
def waiting(case: Case) -> Iterator[subprocess.Popen[str]]:
    """An `up` in a session of its own, which waits for a member that will not come."""
    case.configure(federation={"readinessTimeout": 600})
    case.write(workload("web", weights={}), clusters=[cluster("nobody")])
    command = [sys.executable, "-m", "tests.engine.run_up", str(case.folder)]
    with subprocess.Popen(
        command,
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        # Were it silent for ever, the test would be too.
        watch = threading.Timer(PATIENCE, process.kill)
        watch.start()
        try:
            assert process.stdout is not None
            assert any("waiting for members" in line for line in process.stdout)
            assert len(locks(case)) == 1
            yield process
        finally:
            watch.cancel()
            for left in session(process.pid):
                left.kill()


def mended(case: Case) -> None:
    """The user's next run, with a federation file that can be met, goes through."""
    case.configure()
    case.write(workload("web"))
    case.stack().up()
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}


def test_an_interrupted_run_leaves_nothing(case: Case, waiting: subprocess.Popen[str]) -> None:
    """Ctrl-C while a run waits for members ends it: no lock, no process, and the next one runs."""
    os.killpg(waiting.pid, signal.SIGINT)
    said, _ = waiting.communicate(timeout=PATIENCE)
    assert waiting.returncode != 0
    assert "cancel" in said
    assert session(waiting.pid) == []
    assert locks(case) == []
    assert case.server.objects(case.namespace) == {}
    mended(case)


def test_a_killed_run_leaves_a_lock_that_says_how_it_is_cleared(
    case: Case, waiting: subprocess.Popen[str]
) -> None:
    """After a kill the next run is refused, with the lock and `pulumi cancel`; then it goes on."""
    (cli,) = (p for p in psutil.Process(waiting.pid).children() if p.name() == "pulumi")
    cli.kill()
    waiting.communicate(timeout=PATIENCE)
    (lock,) = locks(case)
    case.configure()
    case.write(workload("web"))
    stack = case.stack()
    text = refused(stack.up)
    assert "the stack is currently locked by 1 lock(s)" in text
    assert "`pulumi cancel`" in text
    assert lock.name in text
    assert session(waiting.pid) == []
    stack.cancel()
    mended(case)
