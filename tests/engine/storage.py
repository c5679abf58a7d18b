"""What an engine test of the storage plane works with: its settings, and a project of its own."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import yaml
from pulumi import automation as auto

from components import outputs
from components.catalogue import Installer
from components.settings import Mirror
from components.storage import grants
from components.storage.consumer import ConsumerArgs, StorageConsumer
from lab.engine import Workspace
from tests.unit.storage.plans import PLAN

Plain = dict[str, Any]
STACK = "auxiliary"

SPEC: Plain = {
    "cluster": PLAN["cluster"],
    "nodes": [
        {
            "name": f"storage-{index}",
            "devices": [{"path": f"/dev/disk/by-id/disk-{index}", "size": "4T"}],
        }
        for index in range(4)
    ],
    "pools": [
        {"name": "block", "kind": "block", "holds": "500Gi", "mirror": "1h", "residency": ["us"]},
        {"name": "cold", "kind": "block", "erasure": {"data": 2, "coding": 2}, "holds": "500Gi"},
        {"name": "files", "kind": "filesystem", "holds": "500Gi"},
        {"name": "objects", "kind": "objects", "holds": "500Gi"},
    ],
    "gateway": {"host": "s3.example.com", "certificate": "gateway-tls"},
    "buckets": [{"name": "models", "pool": "objects"}],
    "consumers": [
        {
            "name": "destroyer",
            "jurisdiction": "us",
            "roundTrip": {"milliseconds": "0.8", "source": "a test", "date": "2026-11-30"},
            "mounts": [{"pool": "block"}, {"pool": "cold"}, {"pool": "files"}],
            "buckets": [{"name": "models", "access": "write"}],
        },
        {"name": "aegis", "jurisdiction": "de", "buckets": [{"name": "models"}]},
    ],
    "cost": {"amount": "1200", "currency": "EUR"},
}
"""Four machines, a pool of each kind, and two consumers of which one is an ocean away."""


def changed(*changes: Callable[[Plain], object]) -> Plain:
    """The settings with some things changed."""
    spec: Plain = yaml.safe_load(yaml.safe_dump(SPEC))
    for change in changes:
        change(spec)
    return spec


def allowing(word: str) -> Callable[[Plain], object]:
    """The change that lets go of *word*."""
    return lambda spec: spec.update(allow=word)


def without(kind: str, name: str) -> Callable[[Plain], object]:
    """The change that takes *name* of *kind* away, and what consumers use of it."""
    used = {"pools": ("mounts", "pool"), "buckets": ("buckets", "name")}

    def change(spec: Plain) -> None:
        spec[kind] = [each for each in spec[kind] if each["name"] != name]
        if kind in used:
            what, key = used[kind]
            for consumer in spec["consumers"]:
                consumer[what] = [each for each in consumer.get(what, ()) if each[key] != name]

    return change


class Plane:
    """A project whose stack ``auxiliary`` is a storage plane.

    Args:
        folder: of the workspace.
        kubeconfig: of the plane's cluster.
        mirror: with the charts.
    """

    def __init__(self, folder: Path, kubeconfig: Path, mirror: Mirror) -> None:
        self._folder = folder
        self.workspace = Workspace(folder)
        self._file = self.workspace.project / f"Pulumi.{STACK}.yaml"
        self._mirror = mirror
        self.write(SPEC)
        self.stack = self.workspace.stack(STACK)
        self.workspace.set_secret(STACK, "federation:kubeconfig", kubeconfig.read_text("utf-8"))

    def write(self, spec: Plain) -> None:
        """Write the stack's file, as a user would."""
        content = yaml.safe_load(self._file.read_text("utf-8")) if self._file.exists() else {}
        ours = {"plane": "storage", "storage": spec, "mirror": {"charts": self._mirror.charts}}
        content.setdefault("config", {}).update(
            {f"federation:{key}": value for key, value in ours.items()}
        )
        self._file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def state(self) -> str:
        """The plane's state as it lies in the backend, with secrets encrypted."""
        (file,) = self._folder.glob(f"backend/.pulumi/stacks/federation/{STACK}.json")
        return file.read_text("utf-8")

    def original(self, name: str, pools: Sequence[str]) -> auto.Stack:
        """A stack that publishes *pools* as a storage plane does that others may mirror."""
        peers = {
            pool: {"headerPool": pool, "token": f"planted-{name}", "residency": []}
            for pool in pools
        }

        async def main() -> Mapping[str, Any]:
            storage = {"consumers": {}, "peers": peers}
            return outputs.publish("storage", "2026-11-30", [], {}, storage=storage)

        return self._stack(name, "storage", main)

    def consumer(self, name: str, kubeconfig: Path) -> auto.Stack:
        """A stack that is the consumer *name* and nothing else."""

        async def main() -> Mapping[str, Any]:
            published = (await outputs.read(STACK)).storage["consumers"]
            provider = kubernetes.Provider(
                name, kubeconfig=kubeconfig.read_text("utf-8"), cluster_identifier=name
            )
            grant = grants.read(STACK, name, published)
            installer = Installer(provider, self._mirror)
            made = StorageConsumer(name, ConsumerArgs(grant, provider, installer))
            return {"classes": list(made.classes)}

        return self._stack(name, "compute", main)

    def _stack(
        self, name: str, plane: str, main: Callable[[], Awaitable[Mapping[str, Any]]]
    ) -> auto.Stack:
        """A stack whose program is *main*."""
        file = self.workspace.project / f"Pulumi.{name}.yaml"
        if not file.exists():
            file.write_text(yaml.safe_dump({"config": {"federation:plane": plane}}), "utf-8")

        def program() -> None:
            pulumi.run(main)

        return self.workspace.stack(name, program)


def destroy(stack: auto.Stack, gone: list[str]) -> None:
    """Destroy *stack*; kinds and names of what was deleted go into *gone* in that order."""

    def note(event: auto.EngineEvent) -> None:
        done = event.res_outputs_event
        if done is None:
            return
        if str(getattr(done.metadata.op, "value", done.metadata.op)) == "delete":
            kind, name = done.metadata.urn.split("::")[2:4]
            gone.append(f"{kind.rsplit('$', 1)[-1].rsplit(':', 1)[-1]} {name}")

    stack.destroy(on_event=note)
