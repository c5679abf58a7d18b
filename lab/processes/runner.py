"""The processes of a lab, started and ended with what the lab remembers of them.

Owns the rule that nothing is started that is not remembered before anything else happens, so that
a crash leaves no process that nobody knows. How one process is started is in ``control``, which
there are in ``plan``.
"""

import ssl
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from lab.processes import control, state
from lab.processes.control import Process
from lab.processes.state import Running, State
from lab.site import Site
from placement.faults import FederationError

Report: TypeAlias = Callable[[str], None]
"""Called with a line for each step that is done."""


class Runner:
    """Starts processes of one lab.

    Args:
        site: where the lab is.
        state_file: where it remembers; the file is there.
        tls: how to know the lab's servers.
        report: called with a line for each process that is ready.

    Attributes:
        started: what was started by this runner, in that order.
    """

    def __init__(self, site: Site, state_file: Path, tls: ssl.SSLContext, report: Report) -> None:
        self.started: list[Running] = []
        self._site = site
        self._state_file = state_file
        self._tls = tls
        self._report = report

    def start(self, planned: Sequence[Process]) -> None:
        """Start what of *planned* does not run so, and wait for all.

        Raises:
            FederationError: one cannot be started, ended, or was not ready in time.
        """
        begun = time.monotonic()
        kept = {process.name for process in planned if self._runs(process)}
        for process in planned:
            if process.name not in kept:
                self._begin(process)
        for process in planned:
            try:
                running = self._wait_ready(process)
            except control.EndedError:
                if process.name not in kept:
                    raise
                # It was about to end when we met it, as an API server that was asked to end.
                kept.remove(process.name)
                self._begin(process)
                running = self._wait_ready(process)
            took = time.monotonic() - begun
            how = "runs" if process.name in kept else f"ready after {took:.1f} s"
            where = ", ".join(map(str, process.ports))
            self._report(f"{process.name}: {how} (pid {running.pid}, port {where})")

    def _runs(self, process: Process) -> bool:
        """Whether *process* runs as it is now planned; one with other flags is ended."""
        running = _known(self._state_file).process(process.name)
        if running is not None and running.command != process.argv:
            control.stop([running])  # of an earlier checkout, or a lab with fewer parts
        return running is not None and control.find(running) is not None

    def _begin(self, process: Process) -> None:
        """Start *process* and remember it."""
        log = self._site.log(process.name)
        running = control.start(process, log, self._site.folder)
        self.started.append(running)
        state.save(_known(self._state_file).with_process(running), self._state_file)

    def _wait_ready(self, process: Process) -> Running:
        """Wait for *process*, which was started by this runner or an earlier one."""
        running = _known(self._state_file).process(process.name)
        if running is None:
            raise FederationError(f"{self._state_file} no longer knows {process.name}")
        control.wait_ready(process, running, self._site.log(process.name), self._tls)
        return running


def stop(running: Sequence[Running], state_file: Path, *, last: str) -> None:
    """End the processes *running* and forget them.

    Args:
        running: the processes.
        state_file: where they are remembered.
        last: what the names of those begin with that all others write to.

    Raises:
        FederationError: one of them cannot be ended.
    """
    stores = [process for process in running if process.name.startswith(last)]
    others = [process for process in running if not process.name.startswith(last)]
    for group in (others, stores):
        control.stop(group)
        known = state.load(state_file)
        if known is not None:
            state.save(known.without(*(process.name for process in group)), state_file)


def _known(state_file: Path) -> State:
    known = state.load(state_file)
    if known is None:
        raise FederationError(f"{state_file} is gone: another command took the lab down")
    return known
