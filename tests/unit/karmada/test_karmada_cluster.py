"""A cluster of the federation file becomes the Cluster object and the status that Karmada shows."""

from typing import Any

import pytest

from placement.federation.cluster import Api, Cluster, NodeClass, Taint
from placement.karmada.cluster import cluster_object, cluster_status

_NOW = "2026-01-31T12:00:00Z"


def _cluster(**changed: Any) -> Cluster:
    facts: dict[str, Any] = {
        "name": "fsn",
        "provider": "hetzner",
        "region": "eu-central",
        "continent": "europe",
        "zones": ("fsn1", "nbg1"),
        "labels": {"tier": "gold"},
        "taints": (Taint(key="example.com/gpu", effect="NoSchedule"),),
        "apis": (Api(group_version="apps/v1", kinds=("Deployment", "StatefulSet")),),
        "node_classes": (
            NodeClass(
                name="small",
                count=3,
                allocatable={"cpu": "1900m", "memory": "7Gi", "pods": "110"},
            ),
            NodeClass(
                name="gpu",
                count=2,
                allocatable={"cpu": "16", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "4"},
            ),
        ),
    }
    return Cluster(**facts | changed)


def test_the_object_is_a_push_member() -> None:
    """The object says where the cluster is, in wire form and in the order of the kind's fields."""
    assert list(cluster_object(_cluster(), endpoint="https://fsn.invalid:6443").items()) == [
        ("apiVersion", "cluster.karmada.io/v1alpha1"),
        ("kind", "Cluster"),
        ("metadata", {"name": "fsn", "labels": {"tier": "gold"}}),
        (
            "spec",
            {
                "syncMode": "Push",
                "apiEndpoint": "https://fsn.invalid:6443",
                "provider": "hetzner",
                "region": "eu-central",
                "zones": ["fsn1", "nbg1"],
                "taints": [{"key": "example.com/gpu", "effect": "NoSchedule"}],
            },
        ),
    ]


def test_capacity_is_the_sum_over_all_nodes() -> None:
    """Allocatable is counted per node and summed: 3 x 1900m and 2 x 16 cores are 37700m."""
    status = cluster_status(_cluster(), now=_NOW)
    assert status["resourceSummary"] == {
        "allocatable": {
            "cpu": "37700m",
            "memory": str((3 * 7 + 2 * 64) * 2**30),
            "nvidia.com/gpu": "8",
            "pods": "550",
        }
    }
    assert status["nodeSummary"] == {"totalNum": 5, "readyNum": 5}


@pytest.mark.parametrize(
    ("ready", "shown", "nodes"),
    [(True, "True", {"totalNum": 5, "readyNum": 5}), (False, "False", {"totalNum": 5})],
)
def test_readiness_is_a_condition(*, ready: bool, shown: str, nodes: dict[str, int]) -> None:
    """Ready follows the fact, the APIs are complete, and the time is the one that was given."""
    status = cluster_status(_cluster(ready=ready), now=_NOW)
    assert [
        (each["type"], each["status"], each["lastTransitionTime"]) for each in status["conditions"]
    ] == [("Ready", shown, _NOW), ("CompleteAPIEnablements", "True", _NOW)]
    assert status["nodeSummary"] == nodes


@pytest.mark.parametrize(
    ("kind", "resource"),
    [
        ("Deployment", "deployments"),
        ("Ingress", "ingresses"),
        ("NetworkPolicy", "networkpolicies"),
        ("Gateway", "gateways"),
        ("Endpoints", "endpoints"),
    ],
)
def test_served_kinds_are_listed_with_their_resource(kind: str, resource: str) -> None:
    """The scheduler asks by kind; the resource is named as Kubernetes names it."""
    apis = (Api(group_version="example.com/v1", kinds=(kind,)),)
    status = cluster_status(_cluster(apis=apis), now=_NOW, kubernetes_version="v1.30.0")
    assert status["apiEnablements"] == [
        {"groupVersion": "example.com/v1", "resources": [{"name": resource, "kind": kind}]}
    ]
    assert status["kubernetesVersion"] == "v1.30.0"
