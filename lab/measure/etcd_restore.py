"""A rehearsal of etcd's restore: the carrier's members, lost and brought back from a snapshot.

Owns the steps of ``docs/carrier.md``, with the members' own flags, and what must hold afterwards.
``etcdctl`` and ``etcdutl`` are no tools of the lab: whoever rehearses has them.
"""

import hashlib
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from components.carrier.etcd import members
from components.settings.carrier import Etcd
from lab.kubernetes import pki
from lab.kubernetes.etcd_members import EtcdMembers
from lab.measure import record
from lab.tools.catalogue import tool

_KEYS, _BATCHES = 200, 10
_BUMP = 1_000_000_000
_STATE = "ETCD_INITIAL_CLUSTER_STATE"


class Rehearsal:
    """Three members, and the tools to look after them."""

    def __init__(self, tools: Path, folder: Path) -> None:
        self._tools, self._folder = tools, folder
        made, given = pki.ensure(folder / "pki"), folder / "given"
        given.mkdir()
        shutil.copy(made.ca.public, given / "ca.crt")
        shutil.copy(made.server.public, given / "tls.crt")
        shutil.copy(made.server.key, given / "tls.key")
        names = [f"{members.NAME}-{index}" for index in range(members.MEMBERS)]
        self.members = EtcdMembers.of(members.arguments(Etcd()), names, given, folder)
        self._tls = [
            f"--cacert={given / 'ca.crt'}",
            f"--cert={given / 'tls.crt'}",
            f"--key={given / 'tls.key'}",
        ]
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, state: str, *names: str) -> None:
        """Start members; an empty one founds (``new``) or joins (``existing``)."""
        for name in names or self.members.names:
            with (self._folder / f"{name}.log").open("ab") as log:
                self._running[name] = subprocess.Popen(
                    self.members.argv(name), stdout=log, stderr=log, env={_STATE: state}
                )

    def stop(self, *names: str) -> None:
        """End members, and lose their data."""
        for name in names or tuple(self._running):
            process = self._running.pop(name)
            process.terminate()
            process.wait()
            shutil.rmtree(self._folder / name)

    def call(self, member: int, *arguments: str, given: str | None = None) -> str:
        """What etcdctl says of a member, once it answers."""
        url = self.members.url(self.members.names[member])
        patience = Retrying(
            retry=retry_if_exception_type(subprocess.CalledProcessError),
            stop=stop_after_delay(60),
            wait=wait_fixed(1),
            reraise=True,
        )
        command = [str(self._tools / "etcdctl"), *self._tls, f"--endpoints={url}", *arguments]
        return patience(_said, command, given)

    def content(self, member: int) -> str:
        """A digest of every key and value that a member has."""
        return hashlib.sha256(self.call(member, "get", "", "--prefix").encode()).hexdigest()

    def revision(self) -> int:
        """The revision of the store."""
        (status,) = json.loads(self.call(0, "endpoint", "status", "--write-out=json"))
        return int(status["Status"]["header"]["revision"])

    def fill(self) -> None:
        """Write keys, some at a time."""
        share = _KEYS // _BATCHES
        for batch in range(_BATCHES):
            puts = "".join(f"put /registry/{batch}/{key} value-{key}\n" for key in range(share))
            self.call(0, "txn", given=f"\n{puts}\n\n")

    def restore(self, snapshot: Path) -> None:
        """Make every member's data from *snapshot*."""
        peers = {name: self.members.url(name, 2380) for name in self.members.names}
        for name, url in peers.items():
            _said(
                [
                    *(str(self._tools / "etcdutl"), "snapshot", "restore", str(snapshot)),
                    f"--name={name}",
                    f"--data-dir={self._folder / name / 'data'}",
                    f"--initial-cluster={','.join(f'{n}={u}' for n, u in peers.items())}",
                    f"--initial-cluster-token={members.TOKEN}",
                    f"--initial-advertise-peer-urls={url}",
                    f"--bump-revision={_BUMP}",
                    "--mark-compacted",
                ]
            )

    def replace(self) -> None:
        """Lose the first member's volume, and let an empty one join in its place."""
        first = self.members.names[0]
        found = json.loads(self.call(1, "member", "list", "--write-out=json"))["members"]
        (identity,) = [each["ID"] for each in found if each["name"] == first]
        self.stop(first)
        self.call(1, "member", "remove", f"{identity:x}")
        self.call(1, "member", "add", first, f"--peer-urls={self.members.url(first, 2380)}")
        self.start("existing", first)

    def compacted(self, revision: int) -> bool:
        """Whether a watch from *revision* on would be told to start anew."""
        url = self.members.url(self.members.names[0])
        command = [str(self._tools / "etcdctl"), *self._tls, f"--endpoints={url}"]
        command += ["get", "/registry/0/0", f"--rev={revision}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return "compacted" in done.stderr


def rehearse(tools: Path, folder: Path) -> dict[str, Any]:
    """Lose everything and bring it back; what held.

    Args:
        tools: the folder with ``etcdctl`` and ``etcdutl``.
        folder: for certificates, data and logs.
    """
    with _running(Rehearsal(tools, folder)) as found:
        found.start("new")
        found.fill()
        before, revision = found.content(1), found.revision()
        found.call(0, "snapshot", "save", str(folder / "snapshot.db"))
        found.call(0, "put", "/registry/after-the-snapshot", "lost")
        found.stop()
        begun = time.monotonic()
        found.restore(folder / "snapshot.db")
        found.start("existing")
        after = {found.content(index) for index in range(members.MEMBERS)}
        seconds = round(time.monotonic() - begun, 1)
        result: dict[str, Any] = {
            "keys": _KEYS,
            "sameOnEveryMember": after == {before},
            "revision": {"before": revision, "after": found.revision()},
            "watchesStartAnew": found.compacted(revision),
            "secondsUntilServed": seconds,
        }
        found.replace()
        result["replacedMemberHasAll"] = found.content(0) == before
    return result


@contextmanager
def _running(rehearsal: Rehearsal) -> Iterator[Rehearsal]:
    try:
        yield rehearsal
    finally:
        rehearsal.stop()


def _said(command: list[str], given: str | None = None) -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return done.stdout


@click.command(help=__doc__)
@click.option(
    "--tools",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="The folder with etcdctl and etcdutl.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=record.FOLDER / "etcd-restore.json",
    show_default="docs/measured/etcd-restore.json",
)
def main(tools: Path, output: Path) -> None:
    """Rehearse, and write down what held; exit code 1 where something did not."""
    with tempfile.TemporaryDirectory(prefix="federation-restore-") as folder:
        found = rehearse(tools, Path(folder))
    shown = _said([str(tools / "etcdutl"), "version"]).split("\n", 1)[0]
    versions = {"etcd": tool("etcd").version, "etcdutl": shown.rpartition(" ")[2]}
    record.write(output, "restore", {**record.run(""), "versions": versions, **found})
    click.echo(json.dumps(found, indent=2))
    held = ("sameOnEveryMember", "watchesStartAnew", "replacedMemberHasAll")
    raise SystemExit(0 if all(found[key] for key in held) else 1)


if __name__ == "__main__":
    main()
