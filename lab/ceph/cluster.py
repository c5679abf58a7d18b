"""One monitor, one manager and some OSDs as ordinary processes on 127.0.0.1.

Owns the files that they begin with, their start and their end. Every OSD is a failure domain of its
own, BlueStore on a file; messages are encrypted, as the storage plane demands of everybody.

Source: Ceph, "Manual Deployment".
"""

import json
import shutil
import signal
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from lab.ceph import configuration
from lab.kubernetes.waiting import NotYetError, wait
from lab.processes.ports import free
from placement.faults import FederationError

PROGRAMS = (
    "ceph",
    "ceph-authtool",
    "ceph-mgr",
    "ceph-mon",
    "ceph-objectstore-tool",
    "ceph-osd",
    "monmaptool",
    "rados",
    "rbd",
)
HOST = "127.0.0.1"

_START_SECONDS = 180
_COMMAND_SECONDS = 120
_CLEAN_SECONDS = 300
_END_SECONDS = 15


def missing() -> list[str]:
    """Those of Ceph's programs that the PATH lacks."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


class Ceph:
    """A Ceph cluster that lives as long as the context.

    Args:
        folder: for everything; short, since a socket's path may have 107 characters.
        osds: how many.
        size: bytes of each OSD's file, which is sparse.

    Raises:
        FederationError: a program is missing, or a daemon does not start.
    """

    def __init__(self, folder: Path, osds: int = 4, size: int = 4 << 30) -> None:
        if lacking := missing():
            raise FederationError(f"{', '.join(lacking)}: not on the PATH; install Ceph's packages")
        self.folder = folder
        self.osds = tuple(range(osds))
        self._size = size
        self._config = folder / "ceph.conf"
        self._fsid = str(uuid.uuid4())
        self._commands: dict[str, tuple[str, ...]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        try:
            self._found()
            for number in self.osds:
                self._add(number)
            self.wait_clean()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def argv(self, program: str, *arguments: str, user: str = "client.admin") -> list[str]:
        """The command *program* as *user* of this cluster."""
        return [program, "--conf", str(self._config), "--name", user, *arguments]

    def run(
        self, program: str, *arguments: str, user: str = "client.admin", given: str | None = None
    ) -> str:
        """What *program* says.

        Raises:
            FederationError: it fails, or takes longer than a minute.
        """
        code, said, wrong = self.tried(program, *arguments, user=user, given=given)
        if code:
            raise FederationError(f"{program} {' '.join(arguments)}: {wrong.strip()}")
        return said

    def tried(
        self, program: str, *arguments: str, user: str = "client.admin", given: str | None = None
    ) -> tuple[int, str, str]:
        """The exit code, output and errors of *program*."""
        done = subprocess.run(
            self.argv(program, *arguments, user=user),
            input=given,
            capture_output=True,
            text=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def asked(self, *arguments: str) -> Any:
        """What the administrator is answered, read from JSON."""
        return json.loads(self.run("ceph", *arguments, "--format", "json"))

    def let_in(self, name: str, caps: Mapping[str, str]) -> str:
        """Make the user *name* with *caps*; how commands call it."""
        user = f"client.{name}"
        pairs = [text for pair in caps.items() for text in pair]
        keyring = self.run("ceph", "auth", "get-or-create", user, *pairs)
        (self.folder / f"{user}.keyring").write_text(keyring, "utf-8")
        return user

    def start_mirror(self) -> None:
        """Start an rbd-mirror, which fetches from the peers of this cluster's pools."""
        user = self.let_in("rbd-mirror.a", {"mon": "profile rbd-mirror", "osd": "profile rbd"})
        self._start(user, "rbd-mirror", "--name", user)

    def lose(self) -> None:
        """End every daemon at once, as the loss of the whole place would."""
        self._end()

    def bring_back(self) -> None:
        """Start every daemon again that was lost."""
        for name, command in self._commands.items():
            self._start(name, *command)
        wait(self._answers, _START_SECONDS, "the monitor does not answer")
        self.wait_clean()

    def kill_osd(self, number: int) -> None:
        """End an OSD at once, as the loss of its machine would."""
        process = self._running.pop(f"osd.{number}")
        process.kill()
        process.wait(_END_SECONDS)

    def freeze_osd(self, number: int) -> None:
        """Stop an OSD where it is: it keeps what it holds and answers nobody."""
        self._running[f"osd.{number}"].send_signal(signal.SIGSTOP)

    def thaw_osd(self, number: int) -> None:
        """Let it go on."""
        self._running[f"osd.{number}"].send_signal(signal.SIGCONT)

    def start_osd(self, number: int) -> None:
        """Start an OSD that is known already."""
        self._start(f"osd.{number}", "ceph-osd", "-i", str(number))

    def change_copy(self, number: int, group: str, name: str, file: Path) -> None:
        """Change the copy of an object on an OSD that does not run, behind Ceph's back."""
        data = str(self.folder / f"osd.{number}")
        store = ("ceph-objectstore-tool", "--no-mon-config", "--data-path", data, "--pgid", group)
        listed = _tool(*store, "--op", "list", name)
        _tool(*store, listed.strip(), "set-bytes", str(file))

    def wait_down(self, number: int) -> None:
        """Wait until the monitor has noticed that an OSD is gone."""

        def look() -> None:
            up = {osd["osd"] for osd in self.asked("osd", "dump")["osds"] if osd["up"]}
            if number in up:
                raise NotYetError(f"osd.{number} counts as up")

        wait(look, _START_SECONDS, "the loss is not noticed")

    def wait_clean(self) -> None:
        """Wait until every OSD is up and every placement group has all its copies."""

        def look() -> None:
            osds = self.asked("osd", "dump")["osds"]
            if not all(osd["up"] for osd in osds):
                raise NotYetError("an OSD is down")
            groups = self.asked("pg", "stat")["pg_summary"]
            states = [each["name"] for each in groups["num_pg_by_state"]]
            if any(not state.startswith("active+clean") for state in states):
                raise NotYetError(f"placement groups are {', '.join(states)}")

        wait(look, _CLEAN_SECONDS, "the cluster does not become clean")

    def _found(self) -> None:
        """The monitor and the manager."""
        for name in ("run", "log", "crash", "mon.a", "mgr.a"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        port = free(["monitor"], ())["monitor"]
        text = configuration.text(self._fsid, HOST, port, self.folder, self._size)
        self._config.write_text(text, "utf-8")
        admin, keyring = self.folder / "client.admin.keyring", self.folder / "mon.a.keyring"
        everything = [text for kind in ("mon", "mgr", "osd", "mds") for text in
                      ("--cap", kind, "allow *")]  # fmt: skip
        _tool("ceph-authtool", str(admin), "-C", "-g", "-n", "client.admin", *everything)
        _tool("ceph-authtool", str(keyring), "-C", "-g", "-n", "mon.", "--cap", "mon", "allow *")
        _tool("ceph-authtool", str(keyring), "--import-keyring", str(admin))
        monitors = str(self.folder / "monmap")
        address = f"[v2:{HOST}:{port}]"
        _tool("monmaptool", "--create", "--fsid", self._fsid, "--addv", "a", address, monitors)
        given = ("--monmap", monitors, "--keyring", str(keyring))
        _tool("ceph-mon", "--conf", str(self._config), "--mkfs", "-i", "a", *given)
        self._start("mon.a", "ceph-mon", "-i", "a")
        wait(self._answers, _START_SECONDS, "the monitor does not answer")
        caps = ("mon", "allow profile mgr", "osd", "allow *", "mds", "allow *")
        key = self.run("ceph", "auth", "get-or-create", "mgr.a", *caps)
        (self.folder / "mgr.a.keyring").write_text(key, "utf-8")
        self._start("mgr.a", "ceph-mgr", "-i", "a")
        wait(self._managed, _START_SECONDS, "the manager does not begin")

    def _managed(self) -> None:
        if not self.asked("status")["mgrmap"]["available"]:
            raise NotYetError("no manager is active")

    def _answers(self) -> None:
        try:
            self.run("ceph", "--connect-timeout", "3", "quorum_status")
        except (FederationError, subprocess.TimeoutExpired) as error:
            raise NotYetError(str(error)) from None

    def _add(self, number: int) -> None:
        name, own = f"osd.{number}", str(uuid.uuid4())
        (self.folder / name).mkdir()
        self.run("ceph", "osd", "new", own, str(number))
        caps = ("osd", "allow *", "mon", "allow profile osd", "mgr", "allow profile osd")
        keyring = self.run("ceph", "auth", "get-or-create", name, *caps)
        (self.folder / f"{name}.keyring").write_text(keyring, "utf-8")
        given = ("--mkfs", "--osd-uuid", own, "-i", str(number))
        _tool("ceph-osd", "--conf", str(self._config), *given)
        self.start_osd(number)

    def _start(self, name: str, program: str, *arguments: str) -> None:
        self._commands[name] = (program, *arguments)
        with (self.folder / "log" / f"{name}.out").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [program, "--conf", str(self._config), "-f", *arguments],
                # rbd-mirror looks for its own cluster's ceph.conf there, whatever --conf says.
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _end(self) -> None:
        for process in reversed(self._running.values()):
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait(_END_SECONDS)
        self._running.clear()


def _tool(*argv: str) -> str:
    """What the program says.

    Raises:
        FederationError: it fails.
    """
    done = subprocess.run(
        list(argv), capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=False
    )
    if done.returncode:
        raise FederationError(f"{' '.join(argv)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def version() -> str:
    """The version of Ceph on the PATH."""
    command: Sequence[str] = ("ceph", "--version")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[2]
