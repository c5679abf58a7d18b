"""What an engine test of a compute plane's software works with: its settings, and a project."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import Api, RefusedError
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts
from tests.engine.case import cluster, workload, write_federation

Plain = dict[str, Any]
STACK = "nuremberg"
MEMBER = "aegis"
CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
GPU = "nvidia.com/gpu"
TAINT = {"key": GPU, "effect": "NoSchedule"}
TOKEN = "planted-remote-write-token"

SOFTWARE: Plain = {
    "descheduler": {"underUsed": 20, "overUsed": 50},
    "accelerators": {"timeSlicing": {"interactive": 4}},
    "stateless": {"storageClasses": ["auxiliary-block"]},
    "namespaces": [
        {"name": "ml", "request": {"cpu": "250m", "memory": "64Mi"}, "quota": {"pods": "20"}}
    ],
    "metrics": {"remoteWrite": "https://metrics.example/api/v1/write"},
}


def aegis() -> Plain:
    """A cluster whose GPU nodes are kept apart, and one node for its own software."""
    plain = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    sliced = {"nvidia.com/device-plugin.config": "interactive"}
    classes = [
        {"name": "system", "count": 1, "allocatable": plain},
        {
            "name": "gpu",
            "count": 1,
            "allocatable": {**plain, GPU: "4"},
            "model": "L40S",
            "labels": sliced,
            "taints": [TAINT],
        },
    ]
    return cluster(MEMBER, nodeClasses=classes, taints=[TAINT])


SPEC: Plain = {
    "asOf": "2026-11-30",
    "clusters": [{**aegis(), "maker": "existing"}],
    "software": SOFTWARE,
}


class Plane:
    """A compute stack, whose cluster is a full member of a lab."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.member: Api = lab.api(MEMBER)
        names = ("descheduler", "gpu-operator", "kube-prometheus-stack")
        self._mirror = fixture_charts(folder / "mirror", *names)
        self._workspace = Workspace(folder)
        self.write(SPEC)
        tokyo = self._workspace.stack("tokyo")
        kubeconfig = lab.kubeconfig().read_text("utf-8")
        self._workspace.set_secret("tokyo", "federation:kubeconfig", kubeconfig)
        tokyo.up()
        self.stack = self._workspace.stack(STACK)
        self._own = lab.kubeconfig(MEMBER).read_text("utf-8")
        self.reach()
        self._workspace.set_secret(STACK, "federation:metricsToken", TOKEN)

    def reach(self, **hosts: str) -> None:
        """Set the kubeconfigs: the member's, and of others the same, by another name of its host.

        A preview tells clusters by their addresses.
        """
        found = {name: yaml.safe_load(self._own) for name in (MEMBER, *hosts)}
        for name, host in hosts.items():
            there = found[name]["clusters"][0]["cluster"]
            there["server"] = f"https://{host}:{there['server'].rsplit(':', 1)[-1]}"
        self._workspace.set_secret(STACK, "federation:kubeconfigs", yaml.safe_dump(found))

    def write(self, spec: Plain) -> None:
        """Write the stack's file, and keep its secrets."""
        path = self._workspace.project / f"Pulumi.{STACK}.yaml"
        content = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {"config": {}}
        mirror = self._mirror.model_dump(mode="json", by_alias=True, exclude_none=True)
        ours = {"plane": "compute", "stacks": {"carrier": "tokyo"}, "mirror": mirror}
        content["config"] |= {
            f"federation:{key}": value for key, value in {**ours, "compute": spec}.items()
        }
        path.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def values(self, release: str, namespace: str) -> Plain:
        """The values that a fixture chart was installed with."""
        found = self.member.get("v1", "ConfigMap", f"{release}-values", namespace)
        assert found is not None, release
        values: Plain = json.loads(found["data"]["values.json"])
        return values

    def refusal(self, manifest: Plain) -> str:
        """What the member says to *manifest*; empty where it takes it. Nothing is kept."""
        try:
            self.member.create(manifest, dry_run=True)
        except RefusedError as error:
            return str(error)
        return ""


@contextmanager
def standing(root: Path) -> Iterator[Plane]:
    """A plane that has never been up, and the lab with its cluster and a Karmada API.

    Skips the test where a part of a full member has not been built.
    """
    skip_without(*FULL_MEMBER)
    file = root / "federation.yaml"
    write_federation(file, [aegis()], workload("web", weights={MEMBER: 1}, tolerations=[TAINT]))
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "software") as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # members that answer take longer than a test
        lab.up(file, members=MEMBER)
        lab.api().delete(*CLUSTER, MEMBER)  # the lab's stand-in for what joins here
        yield Plane(lab, root / "workspace")
