"""Hetzner's CSI driver: volumes that outlive their node, and follow a pod within a location.

Owns the name of the class. It is no default: a claim that names no class finds none, so that state
on disposable clusters is always somebody's decision.

Source: hetznercloud/csi-driver 2.22.1, ``cmd/main.go``: a node learns its number from the metadata
address alone, which only the host may reach.
"""

from typing import Any

from components.cluster.hetzner.add_ons.cloud_controller import ON_SERVERS
from components.cluster.hetzner.balancers import CLUSTER
from components.settings import HetznerCluster

ENTRY = "hcloud-csi"
CLASS = "hcloud-volumes"


def values(spec: HetznerCluster) -> dict[str, Any]:
    """Values of the driver. Each volume is labelled with its cluster, so that it can be found."""
    return {
        "controller": {
            "replicaCount": 2,
            "nodeSelector": ON_SERVERS,
            "tolerations": [{"key": key, "operator": "Exists"} for key in ON_SERVERS],
            "hcloudVolumeDefaultLocation": spec.locations[0],
            "volumeExtraLabels": {CLUSTER: spec.name},
        },
        "node": {"hostNetwork": True},
        "storageClasses": [
            {"name": CLASS, "defaultStorageClass": False, "reclaimPolicy": "Delete"}
        ],
    }
