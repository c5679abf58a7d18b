"""A lab as a whole: brought up, looked at, taken down.

Owns the order of things and the promise behind each command: ``up`` mends and leaves nothing half
started, ``down`` ends what ``up`` started and nothing else. What is started and applied, and in
which order, is in ``plan``.
"""

import re
import shutil
import ssl
import time
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Self

from lab import shape as shapes
from lab.alone import alone
from lab.karmada import agent, estimation, installation
from lab.kubernetes import access, authority, pki
from lab.kubernetes.client import Api
from lab.kubernetes.control_plane import ETCD
from lab.plan import Plan
from lab.plan import ports as needed_ports
from lab.processes import allotment, control, health, state
from lab.processes.health import ProcessStatus
from lab.processes.runner import Report, Runner, stop
from lab.processes.state import State
from lab.shape import Shape
from lab.site import KARMADA, Site
from placement import federation
from placement.faults import BadInputError, Fault, FederationError

ROOT = Path(__file__).parent.parent / ".lab"
"""Where labs are: a git-ignored folder of this checkout."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


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

    def __exit__(self, *_: object) -> None:
        self.down()

    def kubeconfig(self, cluster: str = "karmada") -> Path:
        """The kubeconfig of the administrator of *cluster*.

        Raises:
            FederationError: the lab is not up, or has no such cluster.
        """
        file = self._site.kubeconfig(cluster)
        if not file.exists():
            raise FederationError(f"lab {self.name!r} has no kubeconfig {file}: bring it up first")
        return file

    def up(
        self,
        file: Path,
        *,
        members: str | None = None,
        bare: bool = False,
        high_availability: bool = False,
        estimators: bool = False,
        joined: bool = True,
        port_base: int | None = None,
        report: Report = _silent,
    ) -> None:
        """Bring the lab up, or mend it: what runs is kept, what does not is started.

        Where ``KARMADA_DIR`` names one, the real Karmada runs in it. What this call started is
        ended again if it fails or is interrupted.

        Args:
            file: the federation file.
            members: which of its clusters answer: ``all``, ``none``, or names with commas between
                them; by default what the lab has already, and none in a new one.
            bare: whether members have no scheduler and no kubelets, so that no pod ever runs.
            high_availability: whether a new lab has three of each part of its control plane.
            estimators: whether Karmada's scheduler estimators and descheduler run, too; they stay.
            joined: whether a new lab lets its members join; else a stack of the user's does.
            port_base: the first of fixed ports for a new lab; free ones by default.
            report: called with a line for each step that is done.

        Raises:
            BadInputError: the federation file is wrong, or a member is not in it.
            FederationError: a tool is missing, a port is in use, a process fails.
        """
        found = federation.load(file)
        real = installation.find()
        with self._alone(report):
            wanted = Shape(
                real.version if real else "",
                bare=bare,
                high_availability=high_availability,
                estimators=estimators,
                joined=joined,
            )
            known = self._shaped(members, wanted, found)
            if self._shape(known).estimators and real is not None:
                real.need(estimation.PROGRAMS, "--estimators")
            names = needed_ports(self._shape(known))
            known = allotment.allot(known, names, port_base, self._root)
            plan = Plan(self._site_of(known), self._shape(known), found, real)
            phases = plan.phases()
            planned = tuple(process for phase in phases for process in phase.processes)
            known = replace(known, planned=tuple(process.name for process in planned))
            allotment.check(known, planned)
            for folder in (self._folder, self._folder / "logs", plan.site.data):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            pki.ensure(plan.site.pki.folder)
            tls = self._tls(plan.site, plan.shape)
            plan.write_files()
            state.save(known, self._state_file)
            runner = Runner(plan.site, self._state_file, tls, report)
            try:
                for phase in phases:
                    runner.start(phase.processes)
                    begun = time.monotonic()
                    phase.then()
                    if phase.title:
                        report(f"{phase.title} in {time.monotonic() - begun:.1f} s")
            except BaseException:
                stop(runner.started, self._state_file, last=ETCD)
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
                stop(known.processes, self._state_file, last=ETCD)
            if not keep_data:
                shutil.rmtree(self._folder)
        return True

    def kill(self, name: str) -> None:
        """End the process *name* at once, as the loss of its machine would.

        Raises:
            FederationError: there is no such lab, or no such process that runs.
        """
        running = self._known().process(name)
        process = control.find(running) if running is not None else None
        if process is None:
            raise FederationError(f"lab {self.name!r} has no process {name} that runs")
        process.kill()
        process.wait(control.END_SECONDS)

    def advance_authority(self, member: str) -> str:
        """Take the next step of a rotation of the authority of *member*; its name.

        The next `up` makes it so for what reads the member's files; its scheduler and KWOK know
        their kubeconfigs from their start, and are to be killed before.

        Raises:
            FederationError: all steps are taken.
        """
        return authority.advance(self._site, member)

    def run_agent(self, member: str, report: Report = _silent) -> None:
        """Run the agent of *member* that its stack put there, with what stands there now.

        It is ended by `down`; `up` does not start it again.

        Raises:
            FederationError: the lab is not up, has no real Karmada, or the member no agent.
        """
        with self._alone(report):
            process = agent.process(self._site, installation.required(), member, self.api(member))
            known = state.load(self._state_file) or State(self.name)
            tls = self._tls(self._site, self._shape(known))
            Runner(self._site, self._state_file, tls, report).start([process])

    def start(self, file: Path, name: str) -> None:
        """Start the process *name* again, and wait until it is ready; nothing else is looked at.

        Args:
            file: the federation file with which the lab was brought up.
            name: of the process.

        Raises:
            FederationError: there is no such lab or process, or it was not ready in time.
        """
        with self._alone(_silent):
            known = self._known()
            shape, found = self._shape(known), federation.load(file)
            plan = Plan(self._site_of(known), shape, found, installation.find())
            processes = [p for phase in plan.phases() for p in phase.processes if p.name == name]
            if not processes:
                raise FederationError(f"lab {self.name!r} has no process {name}")
            tls = self._tls(plan.site, shape)
            Runner(plan.site, self._state_file, tls, _silent).start(processes)

    def status(self) -> tuple[ProcessStatus, ...]:
        """How each process of the lab is, in the order of their start.

        Raises:
            FederationError: there is no such lab, or its state is unreadable.
        """
        known = self._known()
        return tuple(health.of(name, known.process(name)) for name in known.planned)

    def endpoints(self) -> tuple[str, ...]:
        """The addresses of the Karmada API: of all its servers as one, then of each where several.

        Raises:
            FederationError: there is no such lab, or its state is unreadable.
        """
        self.status()
        site = self._site
        each = (site.url(f"{KARMADA}{at}") for at in site.instances)
        return (site.url(), *(each if site.replicated else ()))

    def api(self, cluster: str = KARMADA) -> Api:
        """A client of the administrator of *cluster*.

        Raises:
            FederationError: the lab is not up, or has no such cluster.
        """
        return Api(self.kubeconfig(cluster), self._site.discovery(cluster))

    def _known(self) -> State:
        """What the lab remembers.

        Raises:
            FederationError: there is no such lab, or its state is unreadable.
        """
        known = state.load(self._state_file)
        if known is None:
            raise FederationError(
                f"there is no lab {self.name!r} in {self._root}: bring it up by `python -m lab up`"
            )
        return known

    @property
    def _site(self) -> Site:
        return self._site_of(state.load(self._state_file) or State(self.name))

    def _site_of(self, known: State) -> Site:
        return Site(self._folder, known.ports, self._shape(known).instances)

    def _shaped(self, members: str | None, wanted: Shape, found: federation.Federation) -> State:
        """The lab's state, with the shape that it has or now gets."""
        known = state.load(self._state_file) or State(self.name)
        before = known.shape
        if before is not None:
            wanted = replace(
                wanted,
                bare=wanted.bare if members else before.bare,
                high_availability=wanted.high_availability or before.high_availability,
                estimators=wanted.estimators or before.estimators,
                joined=wanted.joined and before.joined,
            )
            members = members or ",".join(before.members)
        names = shapes.chosen(members or "none", [cluster.name for cluster in found.clusters])
        shape = replace(wanted, members=names)
        if before is not None:
            shape = shapes.changed(self.name, before, shape)
        return replace(known, shape=shapes.sound(shape))

    @staticmethod
    def _tls(site: Site, shape: Shape) -> ssl.SSLContext:
        """TLS to the servers of the lab."""
        return access.context(site.pki, (authority.trust(site, m).root for m in shape.members))

    @staticmethod
    def _shape(known: State) -> Shape:
        return known.shape or Shape()

    def _alone(self, report: Report) -> AbstractContextManager[None]:
        """Hold the right to change labs under this root: one command at a time chooses ports."""
        return alone(self._root, lambda: report("another lab command is running; waiting for it"))
