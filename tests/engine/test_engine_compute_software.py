"""The software of a compute plane through the real engine, from a stack's file to the server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import Api, RefusedError
from placement.emit.standing import PRIORITIES
from tests.built import skip_without
from tests.charts import fixture_charts
from tests.engine.case import changes, cluster, refused, workload

Plain = dict[str, Any]
MEMBER = "aegis"
CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
NEEDED = ("pulumi", "pulumi-resource-kubernetes", "kube-apiserver", "kube-scheduler", "kwok")
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


class Plane:
    """A compute stack, whose cluster is a full member of a lab."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.member: Api = lab.api(MEMBER)
        names = ("descheduler", "gpu-operator", "kube-prometheus-stack")
        self._mirror = fixture_charts(folder / "mirror", *names)
        self._workspace = Workspace(folder)
        self.configure(SOFTWARE)
        tokyo = self._workspace.stack("tokyo")
        kubeconfig = lab.kubeconfig().read_text("utf-8")
        self._workspace.set_secret("tokyo", "federation:kubeconfig", kubeconfig)
        tokyo.up()
        self.stack = self._workspace.stack("nuremberg")
        one = yaml.safe_load(lab.kubeconfig(MEMBER).read_text("utf-8"))
        text = yaml.safe_dump({MEMBER: one})
        self._workspace.set_secret("nuremberg", "federation:kubeconfigs", text)
        self._workspace.set_secret("nuremberg", "federation:metricsToken", TOKEN)

    def configure(self, software: Plain) -> None:
        """Write the stack's file with *software*, and keep its secrets."""
        path = self._workspace.project / "Pulumi.nuremberg.yaml"
        content = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {"config": {}}
        facts = {**aegis(), "maker": "existing"}
        content["config"] |= {
            "federation:plane": "compute",
            "federation:stacks": {"carrier": "tokyo"},
            "federation:mirror": self._mirror.model_dump(
                mode="json", by_alias=True, exclude_none=True
            ),
            "federation:compute": {
                "asOf": "2026-11-30",
                "clusters": [facts],
                "software": software,
            },
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


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """The plane, up."""
    skip_without(*NEEDED)
    root = tmp_path_factory.mktemp("software")
    file = root / "federation.yaml"
    content = {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": [aegis()],
        "workloads": [workload("web", weights={MEMBER: 1}, tolerations=[TAINT])],
    }
    file.write_text(yaml.safe_dump(content), "utf-8")
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "software") as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # members that answer take longer than a test
        lab.up(file, members=MEMBER)
        lab.api().delete(*CLUSTER, MEMBER)  # the lab's stand-in for what joins here
        made = Plane(lab, root / "workspace")
        made.stack.up()
        yield made


def pod(limits: Plain | None = None) -> Plain:
    """A pod of a user's."""
    resources = {} if limits is None else {"resources": {"limits": limits}}
    container = {"name": "main", "image": "registry.invalid/main:1", **resources}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "one", "namespace": "ml"},
        "spec": {"containers": [container]},
    }


def test_everything_is_installed_as_the_settings_say(plane: Plane) -> None:
    """Each chart got the values of its settings; nothing changes at a second preview."""
    (profile,) = plane.values("descheduler", "descheduler")["deschedulerPolicy"]["profiles"]
    args = {each["name"]: each.get("args") for each in profile["pluginConfig"]}
    assert args["DefaultEvictor"]["priorityThreshold"]["value"] == PRIORITIES["critical"]
    assert args["LowNodeUtilization"]["thresholds"] == {"cpu": 20, "memory": 20, "pods": 20}
    operator = plane.values("gpu-operator", "gpu-operator")
    assert set(operator["devicePlugin"]["config"]["data"]) == {"whole", "interactive"}
    tolerated = [{"key": GPU, "operator": "Exists", "effect": "NoSchedule"}]
    assert operator["daemonsets"]["tolerations"] == tolerated
    prometheus = plane.values("kube-prometheus-stack", "monitoring")["prometheus"]
    assert prometheus["agentMode"] is True
    assert prometheus["prometheusSpec"]["externalLabels"] == {"cluster": MEMBER}
    plane.stack.preview(expect_no_changes=True)


def test_the_plane_takes_what_it_is_for(plane: Plane) -> None:
    """A GPU pod is admitted with the defaults of its namespace; others are refused."""
    assert "without an accelerator" in plane.refusal(pod())
    assert plane.refusal(pod({GPU: "1"})) == ""
    assert plane.member.get("v1", "ResourceQuota", "federation-defaults", "ml") is not None
    made = plane.member.create({**pod({GPU: "1"})})
    assert made is not None
    assert made["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "250m"
    plane.member.delete("v1", "Pod", "one", "ml")
    host = {**pod({GPU: "1"})}
    host["spec"] = {**host["spec"], "volumes": [{"name": "d", "hostPath": {"path": "/d"}}]}
    assert "hostPath" in plane.refusal(host)


def test_the_token_is_in_its_secret_alone(plane: Plane) -> None:
    """Neither the values of the chart nor the state hold it in clear."""
    found = plane.member.get("v1", "Secret", "federation-remote-write", "monitoring")
    assert found is not None
    assert TOKEN not in json.dumps(plane.values("kube-prometheus-stack", "monitoring"))
    assert TOKEN not in json.dumps(plane.stack.export_stack().deployment)


def test_a_changed_setting_changes_what_it_is_of(plane: Plane) -> None:
    """Another threshold updates one release in place, and nothing is replaced."""
    plane.configure({**SOFTWARE, "descheduler": {"underUsed": 20, "overUsed": 70}})
    found = changes(plane.stack.up())
    assert not {"replace", "delete", "create"} & set(found)
    (profile,) = plane.values("descheduler", "descheduler")["deschedulerPolicy"]["profiles"]
    args = {each["name"]: each.get("args") for each in profile["pluginConfig"]}
    assert args["LowNodeUtilization"]["targetThresholds"]["cpu"] == 70


def test_settings_that_the_nodes_contradict_are_refused(plane: Plane) -> None:
    """A way of sharing that a node asks for and nobody says: file, line, and nothing done."""
    plane.configure({**SOFTWARE, "accelerators": {}})
    said = refused(plane.stack.preview)
    assert "Pulumi.nuremberg.yaml:" in said
    assert "read label nvidia.com/device-plugin.config: interactive; allowed whole" in said
    plane.configure(SOFTWARE)


def test_what_goes_leaves_users_alone(plane: Plane) -> None:
    """After a destroy nothing of the software is left, and the users' namespace stays."""
    plane.stack.destroy()
    for name in ("descheduler", "gpu-operator", "monitoring"):
        assert plane.member.get("v1", "Namespace", name) is None
    left = plane.member.list("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")
    assert left == []
    assert plane.member.get("v1", "Namespace", "ml") is not None
    assert plane.member.get("v1", "LimitRange", "federation-defaults", "ml") is None
    assert plane.refusal(pod()) == ""
