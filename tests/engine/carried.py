"""What a test of the carrier works with: a cluster that exists, and the stack ``tokyo`` on it."""

import base64
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from pulumi import automation as auto

from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import Api
from tests.engine.case import cluster, workload, write_federation

Plain = dict[str, Any]
HOST = "east"
"""The lab's full member that is the carrier's cluster."""

ZONES = ("one", "two", "three")
SECRETS = {"accessKey": "planted-access-key", "secretKey": "planted-secret-key"}
FOUNDATION_CHARTS = (
    "longhorn",
    "cert-manager",
    "cloudnative-pg",
    "plugin-barman-cloud",
    "keycloak-operator",
    "rancher",
)
CHARTS = (*FOUNDATION_CHARTS, "karmada-operator", "kube-prometheus-stack")


def unused_port() -> int:
    """A port far from those that labs choose: it is taken minutes later."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def federation(folder: Path) -> Path:
    """The file of a federation whose one member has four nodes: enough for three of everything."""
    node = {"cpu": "32", "memory": "128Gi", "pods": "110"}
    classes = [{"name": "node", "count": 4, "allocatable": node}]
    return write_federation(
        folder / "federation.yaml",
        [cluster(HOST, nodeClasses=classes)],
        workload("web", weights={HOST: 1}),
    )


def whole(endpoint: str) -> Plain:
    """The settings of everything that a carrier can have."""
    return {
        "longhorn": {},
        "certManager": {},
        "postgres": {},
        "keycloak": {"hostname": "login.example.com"},
        "rancher": {"hostname": "rancher.example.com", "ingressClass": "traefik"},
        "karmada": {"endpoint": endpoint, "evictionRate": 20},
        "monitoring": {"grafana": {"hostname": "grafana.example.com", "ingressClass": "traefik"}},
        "backup": {
            "store": {
                "endpoint": "https://s3.example.com",
                "bucket": "backups",
                "region": "eu-central",
            }
        },
    }


class Carried:
    """The stack ``tokyo`` of a project of its own, on a member of *lab*.

    Args:
        folder: of the workspace.
        lab: whose member is the cluster.
        charts: the mirror's folder.
        attach: the doubles, as the engine is told of them.
    """

    def __init__(self, folder: Path, lab: Lab, charts: str, attach: str) -> None:
        self.workspace = Workspace(folder)
        self.workspace.environment["PULUMI_DEBUG_PROVIDERS"] = attach
        self._file = self.workspace.project / "Pulumi.tokyo.yaml"
        self._charts = charts
        self._kubeconfig = lab.kubeconfig(HOST)
        self._discovery = folder / "discovery"
        self.stack = self.workspace.stack("tokyo")
        kubeconfig = self._kubeconfig.read_text("utf-8")
        self.workspace.set_secret("tokyo", "federation:kubeconfig", kubeconfig)
        self.workspace.set_secret("tokyo", "federation:backup", yaml.safe_dump(SECRETS))

    def configure(self, software: Plain | None, **keys: str) -> None:
        """Write into the stack's file what is installed, and other *keys* under ``federation:``."""
        content = yaml.safe_load(self._file.read_text("utf-8"))
        config = content["config"]
        config["federation:mirror"] = {"charts": self._charts}
        config["federation:carrier"].pop("software", None)
        if software is not None:
            config["federation:carrier"]["software"] = software
        config.pop("federation:rotate", None)
        config.update({f"federation:{key}": value for key, value in keys.items()})
        self._file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    @property
    def api(self) -> Api:
        """The cluster, as its administrator sees it."""
        return Api(self._kubeconfig, self._discovery)

    def get(self, version: str, kind: str, name: str, namespace: str | None = None) -> Plain:
        """An object that must be there."""
        found = self.api.get(version, kind, name, namespace)
        assert found is not None, (kind, name)
        return found

    def secret(self, name: str, namespace: str) -> dict[str, str]:
        """The data of a Secret, in clear."""
        data = self.get("v1", "Secret", name, namespace)["data"]
        return {key: base64.b64decode(text).decode() for key, text in data.items()}

    def values(self, release: str, namespace: str) -> Plain:
        """The values with which Helm rendered a fixture's chart."""
        stored = self.get("v1", "ConfigMap", f"{release}-values", namespace)
        found: Plain = yaml.safe_load(stored["data"]["values.json"])
        return found


def noted(steps: list[tuple[str, str]]) -> Callable[[auto.EngineEvent], None]:
    """Write down each step that has ended and changed something: operation and name.

    Components do nothing: they are left out.
    """

    def note(event: auto.EngineEvent) -> None:
        ended = event.res_outputs_event
        if ended is None or ended.metadata.type.startswith(("federation:", "pulumi:")):
            return
        operation = str(getattr(ended.metadata.op, "value", ended.metadata.op))
        if operation not in ("same", "read", "refresh"):
            steps.append((operation, ended.metadata.urn.rsplit("::", 1)[-1]))

    return note
