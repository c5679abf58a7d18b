"""What an engine test works with: a project of its own, an API server, and small federations.

Owns the short ways to write a federation file, to run a stack and to look into the API server.
What must hold is said in the tests.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes import client, config
from kubernetes.dynamic import DynamicClient
from pulumi import automation as auto

from lab import Lab
from lab.engine import Workspace
from placement.decision import Decision, read

Plain = dict[str, Any]
FILE = "federation.yaml"
POLICY = ("policy.karmada.io/v1alpha1", "PropagationPolicy")
MEMBER = ("cluster.karmada.io/v1alpha1", "Cluster")

CLUSTERS = {"east": "europe", "west": "north-america", "late": "asia"}


def cluster(name: str, **changes: Any) -> Plain:
    """A cluster of two nodes with eight cores, in a region of its own."""
    node = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    return {
        "name": name,
        "provider": "example",
        "region": f"region-{name}",
        "continent": CLUSTERS.get(name, "europe"),
        "nodeClasses": [{"name": "node", "count": 2, "allocatable": node}],
        **changes,
    }


def workload(name: str, replicas: int = 4, **changes: Any) -> Plain:
    """A Deployment of the user's with small replicas, divided three to one over east and west."""
    own = {} if "manifest" in changes else {"template": template("Deployment", name)}
    return {
        "name": name,
        "replicas": replicas,
        "request": {"cpu": "100m", "memory": "128Mi"},
        "weights": {"east": 3, "west": 1},
        **own,
        **changes,
    }


def template(kind: str, name: str) -> Plain:
    """The reference to an object of the user's."""
    version = "batch/v1" if kind == "Job" else "apps/v1"
    return {"apiVersion": version, "kind": kind, "name": name}


def manifest(kind: str, name: str, namespace: str, replicas: int) -> Plain:
    """An object that asks for *replicas*."""
    labels = {"app": name}
    container = {"name": "main", "image": "registry.invalid/main:1"}
    pod: Plain = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec: Plain = {"selector": {"matchLabels": labels}, "replicas": replicas, "template": pod}
    if kind == "StatefulSet":
        spec["serviceName"] = name
    if kind == "Job":
        pod["spec"]["restartPolicy"] = "Never"
        spec = {"parallelism": replicas, "completions": replicas, "template": pod}
    version = "batch/v1" if kind == "Job" else "apps/v1"
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


def write_federation(file: Path, clusters: Iterable[Plain], *workloads: Plain, **top: Any) -> Path:
    """Write a federation file; the objective asks for no facts."""
    content = {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": list(clusters),
        "workloads": list(workloads),
        **top,
    }
    file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")
    return file


class Server:
    """A lab's API server, as a test looks into it."""

    def __init__(self, lab: Lab, cache: Path) -> None:
        self.kubeconfig = lab.kubeconfig().read_text("utf-8")
        api = config.new_client_from_config(str(lab.kubeconfig()))
        self._core = client.CoreV1Api(api)
        self._dynamic = DynamicClient(api, cache_file=str(cache))

    def make_namespace(self, name: str) -> None:
        """Make the namespace *name*."""
        self._core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=name)))

    def objects(self, namespace: str, kind: tuple[str, str] = POLICY) -> dict[str, Plain]:
        """The objects of *kind* in *namespace*, by name."""
        found = self._kind(kind).get(namespace=namespace).to_dict()["items"]
        return {item["metadata"]["name"]: item for item in found}

    def apply(self, content: Plain) -> None:
        """Apply *content* server side, as a GitOps controller does."""
        metadata = content["metadata"]
        self._dynamic.server_side_apply(
            self._kind((content["apiVersion"], content["kind"])),
            body=content,
            name=metadata["name"],
            namespace=metadata.get("namespace"),
            field_manager="gitops",
            force_conflicts=True,
        )

    def delete(self, namespace: str, kind: tuple[str, str], name: str) -> None:
        """Delete one object."""
        self._kind(kind).delete(namespace=namespace, name=name)

    def set_ready(self, name: str, ready: bool) -> None:
        """Say that the member *name* is Ready, or that it is not, as Karmada would."""
        members = self._kind(MEMBER)
        status = members.get(name=name).to_dict()["status"]
        for condition in status["conditions"]:
            if condition["type"] == "Ready":
                condition["status"] = "True" if ready else "False"
                condition["message"] = "cluster is healthy" if ready else "cluster is not reachable"
        members.status.patch(
            body={"status": status}, name=name, content_type="application/merge-patch+json"
        )

    def taint(self, name: str, *taints: Plain) -> None:
        """Give the member *name* exactly *taints*, as somebody does by hand."""
        self._kind(MEMBER).patch(
            body={"spec": {"taints": list(taints)}},
            name=name,
            content_type="application/merge-patch+json",
        )

    def patch(self, namespace: str | None, kind: tuple[str, str], name: str, body: Plain) -> None:
        """Change one object as another client does (JSON merge patch)."""
        self._kind(kind).patch(
            body=body, name=name, namespace=namespace, content_type="application/merge-patch+json"
        )

    def _kind(self, kind: tuple[str, str]) -> Any:
        version, name = kind
        return self._dynamic.resources.get(api_version=version, kind=name)


class Case:
    """A project of a test's own, whose stack ``tokyo`` is up, and a namespace of its own.

    Args:
        folder: of the workspace.
        server: the API server.
        namespace: of the workloads.
    """

    def __init__(self, folder: Path, server: Server, namespace: str) -> None:
        self.folder = folder
        self.workspace = Workspace(folder)
        self.server = server
        self.namespace = namespace
        self.file = self.workspace.project / FILE
        self._stacks: dict[str, auto.Stack] = {}

    def write(self, *workloads: Plain, clusters: Sequence[Plain] | None = None, **top: Any) -> None:
        """Write the federation file; the objective asks for no facts."""
        places = [{"namespace": self.namespace, **w} for w in workloads]
        write_federation(self.file, clusters or (cluster("east"), cluster("west")), *places, **top)

    def configure(self, stack: str = "federation", **settings: Any) -> None:
        """Write the federation stack's file, as a user would; *settings* in Pulumi's form."""
        values: Plain = {
            "plane": "federation",
            "file": FILE,
            "stacks": {"carrier": "tokyo"},
            "federation": {"readinessTimeout": 2},
            **settings,
        }
        path = self.workspace.project / f"Pulumi.{stack}.yaml"
        content = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
        content["config"] = {f"federation:{key}": value for key, value in values.items()}
        path.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def stack(self, name: str = "federation") -> auto.Stack:
        """The stack *name* with this checkout's program."""
        if name not in self._stacks:
            self._stacks[name] = self.workspace.stack(name)
        return self._stacks[name]

    def decision(self) -> Decision:
        """What the federation stack exported as its decision."""
        return read(self.stack().outputs()["decision"].value)


def changes(result: auto.UpResult) -> dict[str, int]:
    """How many resources an ``up`` changed, by operation; reading other stacks does not count."""
    found: Mapping[Any, int] = result.summary.resource_changes or {}
    named = {str(getattr(name, "value", name)): count for name, count in found.items()}
    return {name: count for name, count in named.items() if name != "read"}


_STOPPED = "resource monitor shut down"


def refused(run: Callable[[], object]) -> str:
    """What a user sees of a run that is refused: messages, and no traceback.

    Where a provider refuses, the engine stops while other resources are being registered, and
    Pulumi itself may print where: that is none of the program's.
    """
    with pytest.raises(auto.CommandError) as caught:
        run()
    text = str(caught.value)
    if _STOPPED not in text:
        assert "Traceback" not in text
        assert "Exception" not in text
    return text


@dataclass(frozen=True)
class Kept:
    """What a stack's state holds.

    Attributes:
        objects: the names of the Kubernetes objects.
        exports: the stack's own outputs.
    """

    objects: list[str]
    exports: Plain


def kept(stack: auto.Stack) -> Kept:
    """What is in the state of *stack*, which must be whole."""
    deployment = stack.export_stack().deployment or {}
    assert not deployment.get("pending_operations")
    resources = deployment.get("resources", ())
    found = [r for r in resources if r["type"].startswith("kubernetes:")]
    assert all(r.get("id") for r in found)
    exports: Plain = {}
    for resource in resources:
        if resource["type"] == "pulumi:pulumi:Stack":
            exports = resource.get("outputs", {})
    return Kept([r["urn"].rsplit("::", 1)[-1] for r in found], exports)


def copied(base: Path, folder: Path) -> Path:
    """A copy of a workspace, with its state: quicker than to bring it up again."""
    shutil.copytree(base, folder, symlinks=True)
    return folder


def spec(content: Plain) -> str:
    """The part of an object that a user writes, for comparison."""
    metadata = content["metadata"]
    ours = {key: metadata.get(key) for key in ("name", "namespace", "labels", "annotations")}
    return json.dumps({"metadata": ours, "spec": content["spec"]}, sort_keys=True)
