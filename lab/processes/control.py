"""One process of a lab: how it is started, known again, waited for and ended.

Owns everything that touches the system's processes. Which processes a lab has is in ``lab.plan``;
what is remembered of them is in ``state``.
"""

import http
import http.client
import signal
import ssl
import subprocess
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from tenacity import (
    Retrying,
    retry_if_exception_type,
    retry_if_result,
    stop_after_delay,
    wait_fixed,
)

from lab.processes.state import Running
from placement.faults import FederationError

READY_SECONDS = 90
"""How long a process may take until it is ready; a busy machine needs a fifth of it."""
_PROBE_SECONDS = 10
"""How long an answer may take that only says whether the process is ready."""
END_SECONDS = 20
"""How long a process may take to end by itself."""
_POLL_SECONDS = 0.1
_LOG_LINES = 15
_START_TOLERANCE_SECONDS = 1.0
"""The start time is counted from the boot time, which moves a little when the clock is set."""

_children: dict[int, "subprocess.Popen[bytes]"] = {}
"""What this very program started: it alone can reap them, else they stay as zombies."""


@dataclass(frozen=True)
class Process:
    """A process that a lab has.

    Attributes:
        name: its name in the lab, and of its log.
        argv: the program and its arguments.
        ports: the ports on 127.0.0.1 that it listens on.
        ready: the address that answers 200 when it is ready.
    """

    name: str
    argv: tuple[str, ...]
    ports: tuple[int, ...]
    ready: str


class EndedError(FederationError):
    """A process ended while it was waited for."""


class _NotReadyError(Exception):
    """A process that lives and does not answer yet."""


def start(process: Process, log: Path, folder: Path) -> Running:
    """Start *process* in *folder*, its output added to *log*.

    It has its own session, so that a Ctrl-C in the terminal does not end it behind our back.

    Raises:
        FederationError: the program cannot be started.
    """
    try:
        with log.open("ab") as output:
            child = subprocess.Popen(
                process.argv,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        raise FederationError(f"{process.name} cannot be started: {error}") from error
    _children[child.pid] = child
    # A child that ended at once still has its start time: it is not reaped before.
    begun = psutil.Process(child.pid).create_time()
    return Running(process.name, child.pid, begun, process.ports, process.argv)


def find(running: Running) -> psutil.Process | None:
    """The living process that *running* tells of; None where it ended.

    A process that has its pid but another start time is somebody else's.
    """
    try:
        process = psutil.Process(running.pid)
        same = abs(process.create_time() - running.start_time) <= _START_TOLERANCE_SECONDS
        if same and (process.status() != psutil.STATUS_ZOMBIE or not _reaped(running.pid)):
            return process
    except psutil.NoSuchProcess:
        pass  # it ended
    _reaped(running.pid)
    return None


def _reaped(pid: int) -> bool:
    """Whether nothing is left of the ended process *pid* that this program has to wait for.

    A program of several threads looks like a zombie while the last of them still end.
    """
    child = _children.get(pid)
    if child is None:
        return True
    if child.poll() is None:
        return False
    del _children[pid]
    return True


def wait_ready(process: Process, running: Running, log: Path, tls: ssl.SSLContext) -> None:
    """Wait until *process* says that it is ready.

    Args:
        process: the process.
        running: what is known of its start.
        log: its log, whose end is shown where it fails.
        tls: how to know the lab's servers.

    Raises:
        EndedError: it ended.
        FederationError: it was not ready in time.
    """
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(_NotReadyError),
            stop=stop_after_delay(READY_SECONDS),
            wait=wait_fixed(_POLL_SECONDS),
            reraise=True,
        ):
            with attempt:
                _probe(process, running, tls, log)
    except _NotReadyError as error:
        raise FederationError(
            f"{process.name} (pid {running.pid}) was not ready in {READY_SECONDS} s: {error}"
            f"{_end_of(log)}"
        ) from error


def _probe(process: Process, running: Running, tls: ssl.SSLContext, log: Path) -> None:
    if find(running) is None:
        raise EndedError(f"{process.name} (pid {running.pid}) ended{_end_of(log)}")
    try:
        status, answer = _answer(process.ready, tls)
    except (OSError, http.client.HTTPException) as error:
        raise _NotReadyError(f"{process.ready}: {error}") from error
    if status != http.HTTPStatus.OK:
        raise _NotReadyError(f"{process.ready}: {status} {answer.decode('utf-8', 'replace')}")


def _answer(url: str, tls: ssl.SSLContext) -> tuple[int, bytes]:
    """The status and the body that *url* answers with.

    Raises:
        OSError: the server is not reached.
        http.client.HTTPException: what it says is not HTTP.
    """
    parts = urllib.parse.urlsplit(url)
    connection = (
        http.client.HTTPSConnection(parts.netloc, context=tls, timeout=_PROBE_SECONDS)
        if parts.scheme == "https"
        else http.client.HTTPConnection(parts.netloc, timeout=_PROBE_SECONDS)
    )
    try:
        connection.request("GET", parts.path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _end_of(log: Path) -> str:
    """The last lines of *log*, for the end of a message."""
    lines = log.read_text("utf-8", "replace").splitlines()[-_LOG_LINES:]
    return "\n".join(["; the end of its log:", *lines, f"the whole log: {log}"])


def stop(running: Sequence[Running]) -> None:
    """End those processes that still live; the first of them is asked first.

    Raises:
        FederationError: one of them cannot be ended.
    """
    for number in (signal.SIGTERM, signal.SIGKILL):
        for known in running:
            _send(known, number)
        left = _wait_ended(running)
        if not left:
            return
    pids = ", ".join(f"{known.name} (pid {known.pid})" for known in left)
    raise FederationError(f"these processes do not end: {pids}")


def _wait_ended(running: Sequence[Running]) -> list[Running]:
    """Those of *running* that still live after the time that they have to end."""
    wait = Retrying(
        retry=retry_if_result(bool),
        stop=stop_after_delay(END_SECONDS),
        wait=wait_fixed(_POLL_SECONDS),
        retry_error_callback=lambda _: None,
    )
    wait(lambda: any(find(known) for known in running))
    return [known for known in running if find(known) is not None]


def _send(running: Running, number: signal.Signals) -> None:
    process = find(running)
    if process is None:
        return
    try:
        # psutil looks at the start time once more: a pid that was given away is not met.
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise FederationError(f"{running.name} (pid {running.pid}) is not ours to end") from error
