"""How a process is known again, waited for and ended: only our own, and surely."""

import os
import ssl
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab.processes import control
from lab.processes.control import Process
from lab.processes.state import Running
from placement.faults import FederationError

NOWHERE = "https://127.0.0.1:1/readyz"
"""An address where nobody listens."""


def script(text: str) -> Process:
    """A process that runs *text* in a shell."""
    return Process("script", ("/bin/sh", "-c", text), (), NOWHERE)


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Running]:
    """A process that does nothing for a minute."""
    running = control.start(script("exec sleep 60"), tmp_path / "log", tmp_path)
    yield running
    control.stop([running])


def test_a_started_process_is_found_and_ended(sleeper: Running) -> None:
    """What was started is alive until it is stopped, and gone then."""
    assert control.find(sleeper) is not None
    control.stop([sleeper])
    assert control.find(sleeper) is None


def test_a_reused_pid_is_not_ours(sleeper: Running) -> None:
    """After a reboot our pid may be somebody else's, told by its start time: it is left alone."""
    forerunner = replace(sleeper, start_time=sleeper.start_time - 3600)
    assert control.find(forerunner) is None
    control.stop([forerunner])
    assert control.find(sleeper) is not None


def test_a_process_has_its_own_session(sleeper: Running) -> None:
    """A Ctrl-C in the terminal does not reach what was started."""
    assert os.getsid(sleeper.pid) == sleeper.pid


def test_a_process_that_ended_is_not_alive(tmp_path: Path) -> None:
    """A child that ended and was not waited for, a zombie, does not count as alive."""
    running = control.start(script("exit 3"), tmp_path / "log", tmp_path)
    deadline = time.monotonic() + 10
    while control.find(running) is not None:
        assert time.monotonic() < deadline, "the process never ended"


def test_a_process_that_ignores_the_request_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does not end by itself in its time is killed."""
    monkeypatch.setattr(control, "END_SECONDS", 0.3)
    log = tmp_path / "log"
    stubborn = control.start(
        script("trap '' TERM; echo deaf; while :; do sleep 1; done"), log, tmp_path
    )
    deadline = time.monotonic() + 10
    while "deaf" not in log.read_text("utf-8"):
        assert time.monotonic() < deadline, "the script never began"
    control.stop([stubborn])
    assert control.find(stubborn) is None


def test_a_process_that_dies_is_told_with_the_end_of_its_log(tmp_path: Path) -> None:
    """The wait ends at once when the process does, and the message shows what it said last."""
    log = tmp_path / "log"
    process = script("echo cannot bind; exit 1")
    running = control.start(process, log, tmp_path)
    with pytest.raises(
        FederationError, match=r"script \(pid \d+\) ended[\s\S]*cannot bind"
    ) as told:
        control.wait_ready(process, running, log, ssl.create_default_context())
    assert str(log) in str(told.value)


def test_a_process_that_never_answers_is_told_after_its_time(
    tmp_path: Path, sleeper: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that lives and never gets ready is an error that says what was asked."""
    monkeypatch.setattr(control, "READY_SECONDS", 0.3)
    with pytest.raises(FederationError, match=r"was not ready in 0\.3 s: https://127\.0\.0\.1:1/"):
        control.wait_ready(script(""), sleeper, tmp_path / "log", ssl.create_default_context())


def test_a_missing_program_is_a_message(tmp_path: Path) -> None:
    """A program that is not there is told by the process's name."""
    process = Process("etcd", (str(tmp_path / "none"),), (), NOWHERE)
    with pytest.raises(FederationError, match="etcd cannot be started"):
        control.start(process, tmp_path / "log", tmp_path)
