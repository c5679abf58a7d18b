"""What a test of memberships works with: two members that answer, and a plane that joins them.

Owns the plane's file, and the stand-ins for what no Karmada does here: controllers that take a
Lease when it has been given away, and some that approve certificates.
"""

import base64
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from kubernetes import client, config
from pulumi import automation as auto

from components.compute.membership.hand_over import HOLDER
from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import Api
from tests.engine.case import cluster
from tests.engine.repeating import repeating

Plain = dict[str, Any]
NAMES = ("east", "west")
CREDENTIALS = "karmada-cluster"
CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
LEASE = ("coordination.k8s.io/v1", "Lease")
_STACK = "members"
_CONTROLLERS, _SYSTEM = "karmada-controller-manager", "karmada-system"


class Hidden(str):
    """A secret that no failure of a test shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "(hidden)"


class Plane:
    """A compute plane of a test's own.

    Args:
        lab: its Karmada API, and the members.
        folder: of the workspace.
        attach: what ``PULUMI_DEBUG_PROVIDERS`` is to be, where doubles are attached.
        names: of its members.
    """

    def __init__(
        self, lab: Lab, folder: Path, attach: str = "", names: Sequence[str] = NAMES
    ) -> None:
        self.lab = lab
        self._workspace = Workspace(folder)
        if attach:
            self._workspace.environment["PULUMI_DEBUG_PROVIDERS"] = attach
        tokyo = self._workspace.stack("tokyo")
        self._workspace.set_secret(
            "tokyo", "federation:kubeconfig", lab.kubeconfig().read_text("utf-8")
        )
        tokyo.up()
        self._file = self._workspace.project / f"Pulumi.{_STACK}.yaml"
        self.stack: auto.Stack = self._workspace.stack(_STACK)
        self.write(*map(cluster, names))
        self.reach({name: self.kubeconfig(name) for name in names})

    def write(self, *clusters: Plain, **settings: str) -> None:
        """Write the plane's clusters, and other keys under ``federation:``."""
        content = yaml.safe_load(self._file.read_text("utf-8")) if self._file.exists() else {}
        config_ = {
            key: value
            for key, value in (content.get("config") or {}).items()
            if key == "federation:kubeconfigs"
        }
        there = [{"maker": "existing", **each} for each in clusters]
        ours = {
            "plane": "compute",
            "stacks": {"carrier": "tokyo"},
            "compute": {"asOf": "2026-11-30", "clusters": there},
            **settings,
        }
        config_ |= {f"federation:{key}": value for key, value in ours.items()}
        self._file.write_text(yaml.safe_dump({**content, "config": config_}), "utf-8")

    def reach(self, kubeconfigs: Plain) -> None:
        """Set the secret with the kubeconfigs by cluster."""
        self._workspace.set_secret(_STACK, "federation:kubeconfigs", yaml.safe_dump(kubeconfigs))

    def kubeconfig(self, name: str, host: str = "127.0.0.1", port: int | None = None) -> Plain:
        """The kubeconfig of a member, by another host or port."""
        content: Plain = yaml.safe_load(self.lab.kubeconfig(name).read_text("utf-8"))
        there = content["clusters"][0]["cluster"]
        own = there["server"].rsplit(":", 1)[-1]
        there["server"] = f"https://{host}:{port or own}"
        return content

    def secret(self, cluster_: str, key: str) -> "Hidden":
        """What Karmada's Secret of a member has under *key*; nothing where there is none."""
        found = self.lab.api().get("v1", "Secret", cluster_, CREDENTIALS)
        return Hidden(base64.b64decode(found["data"][key]).decode() if found else "")

    def tokens(self, member: str) -> list[str]:
        """The names of the token Secrets in a member."""
        found = self.lab.api(member).list("v1", "Secret", CREDENTIALS)
        return sorted(
            item["metadata"]["name"]
            for item in found
            if item["type"] == "kubernetes.io/service-account-token"
        )


class Controllers:
    """A stand-in for Karmada's controller managers: it takes the Lease when it has been given away.

    Attributes:
        seen: what held when it took the Lease; read by the test.
    """

    def __init__(self, api: Api, look: Any) -> None:
        self.seen: list[Any] = []
        self._api = api
        self._look = look
        self._stop = threading.Event()
        self.hold("one")

    def hold(self, holder: str) -> None:
        """Make *holder* the leader."""
        spec = {"holderIdentity": holder, "leaseDurationSeconds": 15}
        metadata = {"name": _CONTROLLERS, "namespace": _SYSTEM}
        version, kind = LEASE
        self._api.apply({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec})

    def holder(self) -> str:
        """Who leads."""
        found = self._api.get(*LEASE, _CONTROLLERS, _SYSTEM)
        return str(found["spec"]["holderIdentity"]) if found else ""

    def __enter__(self) -> "Controllers":
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._api.delete(*LEASE, _CONTROLLERS, _SYSTEM)

    def _run(self) -> None:
        while not self._stop.wait(0.3):
            if self.holder() == HOLDER:
                self.seen.append(self._look())
                self.hold("two")


@contextmanager
def approver(kubeconfig: Path) -> Iterator[None]:
    """Approve every request for a certificate, as Karmada's ``agentcsrapproving`` does agents'."""
    api = client.CertificatesV1Api(config.new_client_from_config(str(kubeconfig)))

    def look() -> None:
        for found in api.list_certificate_signing_request().items:
            assert found.status is not None
            assert found.metadata is not None
            if not found.status.conditions:
                found.status.conditions = [
                    client.V1CertificateSigningRequestCondition(
                        type="Approved", status="True", reason="Test"
                    )
                ]
                api.replace_certificate_signing_request_approval(str(found.metadata.name), found)

    with repeating(look):
        yield
