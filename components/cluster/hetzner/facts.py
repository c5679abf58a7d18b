"""What the federation is told of a cluster: where it is, and what its nodes leave to pods.

The capacity of a node is computed here, not read from it, since a plan must not need the cluster:
what the server type has, less what the kernel keeps and what ``user_data.py`` reserves.
"""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from components.cluster.hetzner.hardware import labelled
from components.cluster.hetzner.tuning import pods
from components.settings import HetznerCluster
from components.settings.hetzner import LOCATIONS, ServerType, server_types
from placement.federation import Cluster
from placement.federation.cluster import NodeClass

RESERVED_CPU = 200
"""Thousandths of a core that the kubelet keeps for the system and for itself."""

RESERVED_MEMORY = 500
"""MiB that it keeps likewise."""

EVICTION = 100
"""MiB of free memory below which the kubelet evicts."""

_KERNEL = Decimal("0.06")
"""The part of the memory sold that the kernel does not hand on, rounded up."""


def place(spec: HetznerCluster) -> dict[str, Any]:
    """Where the cluster is, in the form of the federation file."""
    location = LOCATIONS[spec.locations[0]]
    return {
        "name": spec.name,
        "provider": "hetzner",
        "region": spec.region,
        "continent": location.continent,
        "zones": list(spec.locations) if len(spec.locations) > 1 else [],
        "jurisdiction": location.jurisdiction,
    }


def cluster(spec: HetznerCluster, chosen: Mapping[str, str]) -> Cluster:
    """The cluster as one that Karmada may fill.

    Args:
        spec: its settings.
        chosen: the server type of each node by name.
    """
    classes = []
    for pool in spec.pools:
        kinds = Counter(chosen[node.name] for node in spec.agents() if node.pool == pool.name)
        classes += [
            NodeClass(
                name=f"{pool.name}-{kind}",
                count=count,
                allocatable=allocatable(server_types()[kind], pods(pool)),
                labels=labelled(pool, kind).labels,
                taints=pool.taints,
            )
            for kind, count in sorted(kinds.items())
        ]
    return Cluster.model_validate({**place(spec), "node_classes": classes})


def allocatable(kind: ServerType, most: int) -> dict[str, str]:
    """What pods may use of one node of type *kind* that takes *most* of them."""
    seen = int(kind.memory * 1024 * (1 - _KERNEL))
    return {
        "cpu": f"{kind.cores * 1000 - RESERVED_CPU}m",
        "memory": f"{seen - RESERVED_MEMORY - EVICTION}Mi",
        "pods": str(most),
    }
