"""The nodes of a member, from the node classes of the federation file.

Owns their names, labels, taints and capacity; accelerators are extended resources. Nobody runs
behind them: in a full member KWOK answers for them, in a bare one they only add up.
"""

from collections.abc import Iterator
from typing import Any

from lab.kubernetes.client import Api
from placement.federation import Cluster
from placement.federation.cluster import NodeClass

MODEL_LABEL = "federation/accelerator-model"
"""The label of a node with the model of its accelerators."""

_CONDITIONS = (
    ("Ready", "True", "KubeletReady"),
    ("MemoryPressure", "False", "KubeletHasSufficientMemory"),
    ("DiskPressure", "False", "KubeletHasNoDiskPressure"),
    ("PIDPressure", "False", "KubeletHasSufficientPID"),
    ("NetworkUnavailable", "False", "RouteCreated"),
)


def create(api: Api, cluster: Cluster) -> int:
    """Create those nodes of *cluster* that are not there; how many there should be.

    A node is created with its status, which an applied object would lose.

    Raises:
        FederationError: the API server is not reached, or refuses.
    """
    there = {node["metadata"]["name"] for node in api.list("v1", "Node")}
    wanted = list(nodes(cluster))
    for node in wanted:
        if node["metadata"]["name"] not in there:
            api.create(node)
    return len(wanted)


def nodes(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """The Node objects of *cluster*, whose zones they take turns in."""
    number = 0
    for node_class in cluster.node_classes:
        for index in range(node_class.count):
            zone = cluster.zones[number % len(cluster.zones)] if cluster.zones else ""
            yield _node(cluster, node_class, f"{node_class.name}-{index}", zone)
            number += 1


def _node(cluster: Cluster, node_class: NodeClass, name: str, zone: str) -> dict[str, Any]:
    labels = {
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": node_class.name,
        "topology.kubernetes.io/region": cluster.region,
        **({"topology.kubernetes.io/zone": zone} if zone else {}),
        **({MODEL_LABEL: node_class.model} if node_class.model else {}),
        **node_class.labels,
    }
    taints = [
        {"key": taint.key, "value": taint.value or "", "effect": taint.effect}
        for taint in node_class.taints
    ]
    amounts = dict(node_class.allocatable)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": taints} if taints else {},
        "status": {
            "allocatable": amounts,
            "capacity": amounts,
            "addresses": [
                {"type": "InternalIP", "address": "127.0.0.1"},
                {"type": "Hostname", "address": name},
            ],
            "conditions": [
                {"type": kind, "status": status, "reason": reason, "message": "a node of the lab"}
                for kind, status, reason in _CONDITIONS
            ],
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": "",
                "containerRuntimeVersion": "kwok",
                "kernelVersion": "kwok",
                "kubeProxyVersion": "",
                "kubeletVersion": "kwok",
                "machineID": "",
                "operatingSystem": "linux",
                "osImage": "kwok",
                "systemUUID": "",
            },
        },
    }
