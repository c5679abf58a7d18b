"""Settings of the software of a compute plane: what is accepted, and what a user reads else."""

from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from components.compute import descheduler, gpu_operator, metrics, namespaces
from components.settings import StackSettings
from components.settings.compute import (
    Accelerators,
    ComputeSettings,
    Descheduler,
    Metrics,
    NamespaceDefaults,
)
from placement.document import describe
from placement.emit.standing import PRIORITIES
from tests.unit.federations import cluster, node_class

Plain = dict[str, Any]
GPU = "nvidia.com/gpu"
TAINT = {"key": GPU, "effect": "NoSchedule"}


def gpu_cluster(*classes: Plain, **changes: Any) -> Plain:
    """A cluster that exists, whose nodes have GPUs, in the form of a stack's file."""
    made = cluster("aegis", *classes, taints=[TAINT], **changes)["cluster"]
    return {"maker": "existing", **made}


def compute(*clusters: Plain, **software: Any) -> Plain:
    """A compute plane with *software*, in the form of a stack's file."""
    return {"asOf": "2026-11-30", "clusters": list(clusters), "software": software}


def faults(plane: Plain) -> list[str]:
    """What a user reads of a wrong plane: messages."""
    plain = {"plane": "compute", "stacks": {"carrier": "tokyo"}, "compute": plane}
    try:
        StackSettings.model_validate(plain, by_alias=True, by_name=False)
    except ValidationError as error:
        return [message for _, message in describe(error, StackSettings)]
    return []


def gpus(count: int = 8, **changes: Any) -> Plain:
    """Nodes with *count* GPUs, kept apart by a taint."""
    return node_class("h100", **{"gpu": count, "taints": [TAINT], **changes})


def labelled(**labels: str) -> Plain:
    """The labels of a node by the last part of their keys."""
    keys = {"sharing": "nvidia.com/device-plugin.config", "mig": "nvidia.com/mig.config"}
    return {keys[name]: value for name, value in labels.items()}


MIG = {"inference": {"1g.10gb": 4, "3g.40gb": 1}}


def partitioned() -> Plain:
    """Nodes of one GPU each, in the partitions of ``inference``."""
    made = node_class("mig", taints=[TAINT], labels=labelled(mig="inference"))
    made["allocatable"] |= {"nvidia.com/mig-1g.10gb": "4", "nvidia.com/mig-3g.40gb": "1"}
    return made


def test_a_plane_as_users_write_it() -> None:
    """Whole GPUs, time slices and partitions side by side, with all the rest."""
    sliced = gpus(32, labels=labelled(sharing="interactive"))
    sliced["name"] = "sliced"
    plane = compute(
        gpu_cluster(gpus(), sliced, partitioned()),
        accelerators={"timeSlicing": {"interactive": 4}, "mig": MIG},
        descheduler={"intervalMinutes": 10, "underUsed": 20, "overUsed": 50},
        stateless={"storageClasses": ["auxiliary-block"]},
        namespaces=[{"name": "ml", "request": {"cpu": "100m"}, "quota": {"pods": "500"}}],
        metrics={"remoteWrite": "https://metrics.example/api/v1/write"},
        systemNamespaces=["calico-system"],
    )
    assert faults(plane) == []


@pytest.mark.parametrize(
    ("plane", "said"),
    [
        (
            compute(gpu_cluster(gpus(taints=[])), accelerators={}),
            "read no taints; allowed one, such as nvidia.com/gpu: NoSchedule",
        ),
        (
            compute({**gpu_cluster(gpus()), "taints": []}, accelerators={}),
            "read cluster aegis without taints; allowed one",
        ),
        (
            compute(gpu_cluster(node_class("p")), accelerators={}),
            "none of whose node classes has any",
        ),
        (
            compute(gpu_cluster(gpus(labels=labelled(sharing="fast"))), accelerators={}),
            "read label nvidia.com/device-plugin.config: fast; allowed whole",
        ),
        (
            compute(
                gpu_cluster(gpus(6, labels=labelled(sharing="fast"))),
                accelerators={"timeSlicing": {"fast": 4}},
            ),
            "read nvidia.com/gpu: 6 beside nvidia.com/device-plugin.config: fast; allowed a",
        ),
        (
            compute(gpu_cluster(gpus(labels=labelled(mig="inference"))), accelerators={"mig": MIG}),
            "read no MIG resource beside nvidia.com/mig.config: inference; allowed nvidia.com/mig-",
        ),
        (
            compute(gpu_cluster(gpus()), accelerators={"mig": {"x": {"3g.40gb": 3}}}),
            "read 9 compute slices; allowed 7",
        ),
        (
            compute(gpu_cluster(gpus()), accelerators={"mig": {"x": {"half": 2}}}),
            "read MIG profile 'half'; allowed one such as 1g.10gb",
        ),
        (
            compute(gpu_cluster(gpus()), accelerators={"timeSlicing": {"whole": 2}}),
            "read timeSlicing.whole, which is what holds without one",
        ),
        (
            compute(gpu_cluster(gpus()), descheduler={"underUsed": 60, "overUsed": 60}),
            "read underUsed 60 beside overUsed 60; allowed less",
        ),
        (
            compute(
                gpu_cluster(gpus()),
                namespaces=[{"name": "ml", "request": {"cpu": "2"}, "limit": {"cpu": "1"}}],
            ),
            "read request.cpu 2 over limit.cpu 1; allowed a request within the limit",
        ),
        (
            compute(
                gpu_cluster(gpus()),
                namespaces=[{"name": "ml", "request": {"cpu": "1"}}],
                systemNamespaces=["ml"],
            ),
            "read ml in namespaces and in systemNamespaces; allowed one of them",
        ),
        (
            compute(gpu_cluster(gpus()), metrics={"remoteWrite": "http://metrics.example"}),
            "https://",
        ),
    ],
)
def test_what_does_not_agree_is_refused(plane: Plain, said: str) -> None:
    """One message, which says what was read and what is allowed."""
    (message,) = faults(plane)
    assert said in message


def test_no_software_is_what_it_was() -> None:
    """A plane without the new key is read as before, and installs nothing."""
    plain = {"asOf": "2026-11-30", "clusters": [gpu_cluster(gpus())]}
    assert ComputeSettings.model_validate(plain).software is None


def test_the_descheduler_never_takes_critical_pods() -> None:
    """Its threshold is the priority that the federation plane gives to critical workloads."""
    policy = descheduler.policy(Descheduler())
    (profile,) = policy["profiles"]
    args = {each["name"]: each.get("args") for each in profile["pluginConfig"]}
    enabled = [name for each in profile["plugins"].values() for name in each["enabled"]]
    assert set(enabled) < set(args), "the descheduler ends at a plugin that it is not told of"
    evictor = args["DefaultEvictor"]
    assert evictor["priorityThreshold"] == {"value": PRIORITIES["critical"]}
    assert evictor["podProtections"]["extraEnabled"] == ["PodsWithPVC"]
    assert args["LowNodeUtilization"]["targetThresholds"] == {"cpu": 60, "memory": 60, "pods": 60}


def test_gpus_are_shared_as_the_settings_say() -> None:
    """The device plugin is told of each way by its name, the MIG manager of each partition."""
    spec = Accelerators.model_validate({"timeSlicing": {"interactive": 4}, "mig": MIG})
    values = gpu_operator.values(spec, [{"key": GPU, "operator": "Exists"}])
    config = values["devicePlugin"]["config"]
    assert config["default"] == "whole"
    assert "sharing" not in yaml.safe_load(config["data"]["whole"])
    (sliced,) = yaml.safe_load(config["data"]["interactive"])["sharing"]["timeSlicing"]["resources"]
    assert sliced == {"name": GPU, "replicas": 4}
    parted = yaml.safe_load(values["migManager"]["config"]["data"]["config.yaml"])["mig-configs"]
    assert parted["all-disabled"] == [{"devices": "all", "mig-enabled": False}]
    assert parted["inference"][0]["mig-devices"] == MIG["inference"]
    assert "migManager" not in gpu_operator.values(Accelerators(), [])


def test_the_token_of_metrics_is_named_and_not_told() -> None:
    """The chart is given the name of a Secret; without a token, none."""
    spec = Metrics.model_validate({"remoteWrite": "https://metrics.example/write"})
    (receiver,) = metrics.values(spec, "a", with_token=True)["prometheus"]["prometheusSpec"][
        "remoteWrite"
    ]
    assert receiver["authorization"]["credentials"]["name"] == metrics.TOKEN_SECRET
    (open_,) = metrics.values(spec, "a", with_token=False)["prometheus"]["prometheusSpec"][
        "remoteWrite"
    ]
    assert "authorization" not in open_


def test_defaults_of_a_namespace() -> None:
    """A LimitRange always, a quota where one is asked for."""
    spec = NamespaceDefaults.model_validate({"name": "ml", "request": {"cpu": "100m"}})
    (limits,) = namespaces.manifests(spec)
    assert limits["kind"] == "LimitRange"
    assert limits["spec"]["limits"] == [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]
    limited = spec.model_copy(update={"quota": {"pods": "5"}, "limit": {"cpu": "1"}})
    limits, quota = namespaces.manifests(limited)
    assert limits["spec"]["limits"][0]["default"] == {"cpu": "1"}
    assert quota["spec"] == {"hard": {"pods": "5"}}
