"""The software of a compute plane through the real engine, from a stack's file to the server."""

import json
from collections.abc import Iterator

import pytest

from placement.emit.standing import PRIORITIES
from tests.engine.case import changes, refused
from tests.engine.compute import GPU, MEMBER, SOFTWARE, SPEC, TOKEN, Plain, Plane, standing


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """The plane, up."""
    with standing(tmp_path_factory.mktemp("software")) as made:
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
    plane.write(
        {**SPEC, "software": {**SOFTWARE, "descheduler": {"underUsed": 20, "overUsed": 70}}}
    )
    found = changes(plane.stack.up())
    assert not {"replace", "delete", "create"} & set(found)
    (profile,) = plane.values("descheduler", "descheduler")["deschedulerPolicy"]["profiles"]
    args = {each["name"]: each.get("args") for each in profile["pluginConfig"]}
    assert args["LowNodeUtilization"]["targetThresholds"]["cpu"] == 70


def test_settings_that_the_nodes_contradict_are_refused(plane: Plane) -> None:
    """A way of sharing that a node asks for and nobody says: file, line, and nothing done."""
    plane.write({**SPEC, "software": {**SOFTWARE, "accelerators": {}}})
    said = refused(plane.stack.preview)
    assert "Pulumi.nuremberg.yaml:" in said
    assert "read label nvidia.com/device-plugin.config: interactive; allowed whole" in said
    plane.write(SPEC)


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
