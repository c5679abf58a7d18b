"""A lab as a whole: brought up, looked at, taken down.

Owns the order of things and the promise behind each command: ``up`` mends and leaves nothing half
started, ``down`` ends what ``up`` started and nothing else. What is started is in
``control_plane``, what is applied in ``objects``.
"""

import contextlib
import fcntl
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

from lab import access, control_plane, health, objects, pki, ports, processes, state
from lab.health import ProcessStatus
from lab.processes import Process
from lab.state import Running, State
from placement.faults import BadInputError, Fault, FederationError

ROOT = Path(__file__).parent.parent / ".lab"
"""Where labs are: a git-ignored folder of this checkout."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

Report: TypeAlias = Callable[[str], None]
"""Called with a line for each step that is done."""


def _silent(_: str) -> None:
    """Report nothing."""


class Lab:
    """A real federation on this machine, of ordinary processes on 127.0.0.1.

    As a context manager it is taken down at the end.

    Args:
        root: the folder of all labs.
        name: the lab's name; labs of different names never meet.

    Raises:
        BadInputError: the name cannot name a folder.
    """

    def __init__(self, root: Path = ROOT, name: str = "default") -> None:
        if not _NAME.fullmatch(name):
            allowed = "allowed lower-case letters, digits and inner hyphens, at most 63"
            raise BadInputError(Fault("lab", 0, "name", f"read {name!r}; {allowed}"))
        self.name = name
        self._root = root.resolve()
        self._folder = self._root / name
        self._state_file = self._folder / "state.json"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.down()

    def kubeconfig(self, cluster: str = "karmada") -> Path:
        """The kubeconfig of the administrator of *cluster*.

        Raises:
            FederationError: the lab is not up, or has no such cluster.
        """
        file = self._kubeconfig(cluster)
        if not file.exists():
            raise FederationError(f"lab {self.name!r} has no kubeconfig {file}: bring it up first")
        return file

    def up(self, file: Path, *, port_base: int | None = None, report: Report = _silent) -> None:
        """Bring the lab up, or mend it: what runs is kept, what does not is started.

        What this call started is ended again if it fails or is interrupted.

        Args:
            file: the federation file, whose clusters become members.
            port_base: the first of fixed ports for a new lab; free ones by default.
            report: called with a line for each step that is done.

        Raises:
            BadInputError: the federation file is wrong.
            FederationError: a tool is missing, a port is in use, a process fails.
        """
        wanted = objects.of_federation(file)
        with self._alone(report):
            known = self._with_ports(port_base)
            certificates = self._folder / "pki"
            plan = control_plane.processes(
                known.ports,
                pki.Pki(certificates),
                self._kubeconfig("karmada"),
                self._folder / "data",
            )
            self._check_ports(known, plan)
            for folder in (self._folder, self._folder / "logs", self._folder / "data"):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            keys = pki.ensure(certificates)
            server = control_plane.server(known.ports)
            access.write_kubeconfig(self._kubeconfig("karmada"), "karmada", server, keys)
            state.save(known, self._state_file)
            started: list[Running] = []
            try:
                self._start(known, plan, keys, started, report)
                begun = time.monotonic()
                objects.apply(wanted, access.Api(server, access.context(keys)))
                report(
                    f"{len(wanted.kinds)} kinds and {len(wanted.members)} clusters applied "
                    f"in {time.monotonic() - begun:.1f} s"
                )
            except BaseException:
                self._stop(started)
                raise

    def down(self, *, keep_data: bool = False, report: Report = _silent) -> bool:
        """End what ``up`` started and remove the lab's folder.

        Args:
            keep_data: leave the folder, so that the next ``up`` finds data and ports as they are.
            report: called if another command has to be waited for.

        Returns:
            Whether there was such a lab.

        Raises:
            FederationError: the lab's state is unreadable, or a process cannot be ended.
        """
        if not self._folder.exists():
            return False
        with self._alone(report):
            known = state.load(self._state_file)
            if known is not None:
                self._stop(known.processes)
            if not keep_data:
                shutil.rmtree(self._folder)
        return True

    def status(self) -> tuple[ProcessStatus, ...]:
        """How each process of the lab is, in the order of their start.

        Raises:
            FederationError: there is no such lab, or its state is unreadable.
        """
        known = state.load(self._state_file)
        if known is None:
            raise FederationError(
                f"there is no lab {self.name!r} in {self._root}: bring it up by `python -m lab up`"
            )
        return tuple(health.of(name, known.process(name)) for name in control_plane.PROCESSES)

    def _kubeconfig(self, cluster: str) -> Path:
        return self._folder / "kubeconfig" / f"{cluster}.yaml"

    def _log(self, process: str) -> Path:
        return self._folder / "logs" / f"{process}.log"

    @contextlib.contextmanager
    def _alone(self, report: Report) -> Iterator[None]:
        """Hold the right to change labs under this root: one command at a time chooses ports."""
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                report("another lab command is running; waiting for it")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _with_ports(self, port_base: int | None) -> State:
        """The lab's state, with the ports that it has or now gets."""
        known = state.load(self._state_file) or State(self.name)
        names = control_plane.PORTS
        if port_base is not None:
            fixed = ports.fixed(names, port_base)
            if known.ports and known.ports != fixed:
                raise FederationError(
                    f"lab {self.name!r} has other ports, from {min(known.ports.values())} on: "
                    "take it down before it gets new ones"
                )
            return replace(known, ports=fixed)
        # A lab of an earlier checkout may lack ports that this one needs.
        missing = [name for name in names if name not in known.ports]
        return replace(known, ports={**known.ports, **ports.free(missing, self._taken())})

    def _taken(self) -> set[int]:
        """The ports of every lab under this root, also of those that are down."""
        labs = (state.load(file) for file in self._root.glob("*/state.json"))
        return {port for known in labs if known is not None for port in known.ports.values()}

    def _check_ports(self, known: State, plan: tuple[Process, ...]) -> None:
        """See that nobody else has a port that this lab is about to use."""
        ours = {
            port
            for running in known.processes
            if processes.find(running) is not None
            for port in running.ports
        }
        ports.check_free(port for process in plan for port in process.ports if port not in ours)

    def _start(
        self,
        known: State,
        plan: tuple[Process, ...],
        keys: pki.Pki,
        started: list[Running],
        report: Report,
    ) -> None:
        """Start each process of *plan* that does not run as planned, and add it to *started*."""
        tls = access.context(keys)
        for process in plan:
            begun = time.monotonic()
            log = self._log(process.name)
            running = known.process(process.name)
            if running is not None and running.command != process.argv:
                processes.stop([running])  # its flags are of an earlier checkout
            kept = running is not None and processes.find(running) is not None
            if running is None or not kept:
                running = processes.start(process, log, self._folder)
                started.append(running)
                known = known.with_process(running)
                state.save(known, self._state_file)
            processes.wait_ready(process, running, log, tls)
            how = "runs" if kept else f"ready in {time.monotonic() - begun:.1f} s"
            where = ", ".join(map(str, process.ports))
            report(f"{process.name}: {how} (pid {running.pid}, port {where})")

    def _stop(self, running: Sequence[Running]) -> None:
        """End the processes *running* and forget them; etcd last, since all others write to it."""
        stores = [process for process in running if process.name == control_plane.ETCD]
        clients = [process for process in running if process.name != control_plane.ETCD]
        for group in (clients, stores):
            processes.stop(group)
            known = state.load(self._state_file)
            if known is not None:
                gone = known.without(*(process.name for process in group))
                state.save(gone, self._state_file)
