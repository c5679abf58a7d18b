"""The ``CephCluster``: daemons, devices, encryption, and what keeps them alive.

Owns what its object says. What a plan survives is counted in ``components/settings/storage``; pools
stand in ``pools``.

Source: Rook 1.20, "CephCluster CRD"; Ceph, "Configuration Reference".
"""

from typing import Any

from components.settings.storage import StorageSettings
from components.storage.names import NAMESPACE, TAINT, TOLERATIONS

ERASE = "yes-really-destroy-data"
"""What Rook wants to read before it wipes disks."""

_ZONE = "topology.kubernetes.io/zone"
_HOST = "kubernetes.io/hostname"

_WEEK = 7 * 24 * 3600


def ceph_cluster(spec: StorageSettings, image: str, *, erase: bool) -> dict[str, Any]:
    """The object.

    Args:
        spec: the plane's settings.
        image: of Ceph's daemons.
        erase: whether its deletion wipes the disks.
    """
    content: dict[str, Any] = {
        "cephVersion": {"image": image, "allowUnsupported": False},
        "dataDirHostPath": "/var/lib/rook",
        "mon": _monitors(spec),
        "mgr": {"count": 2, "allowMultiplePerNode": False},
        "network": {
            # Consumers reach every daemon: the addresses of pods end at the cluster's border.
            "provider": "host",
            "connections": {"encryption": {"enabled": True}, "requireMsgr2": True},
        },
        # Kernels before 7.0 know no other, and consumers' nodes are theirs to choose.
        "security": {"cephx": {"csi": {"keyType": "aes"}}},
        "storage": _storage(spec),
        "cephConfig": _CONFIG,
        "resources": _RESOURCES,
        "priorityClassNames": {
            "mon": "system-node-critical",
            "osd": "system-node-critical",
            "mgr": "system-cluster-critical",
        },
        "placement": {"all": placement(spec)},
        "disruptionManagement": {"managePodBudgets": True, "osdMaintenanceTimeout": 30},
        # What is gone for a while may come back: a person says when it will not.
        "removeOSDsIfOutAndSafeToRemove": False,
        "skipUpgradeChecks": False,
        "continueUpgradeAfterChecksEvenIfNotHealthy": False,
        "upgradeOSDRequiresHealthyPGs": True,
        "dashboard": {"enabled": True, "ssl": True},
        "monitoring": {"enabled": spec.alerts},
        "crashCollector": {"disable": False, "daysToRetain": 30},
        "cleanupPolicy": {
            "confirmation": ERASE if erase else "",
            "allowUninstallWithVolumes": False,
        },
    }
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": "CephCluster",
        "metadata": {"name": NAMESPACE, "namespace": NAMESPACE},
        "spec": content,
    }


def placement(spec: StorageSettings, app: str | None = None) -> dict[str, Any]:
    """On the plane's own nodes alone; with *app*, pods of that label each on a node of its own."""
    names = {"key": _HOST, "operator": "In", "values": [node.name for node in spec.nodes]}
    own: dict[str, Any] = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [names]}]
            }
        },
        "tolerations": list(TOLERATIONS),
    }
    if app is None:
        return own
    apart = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": _HOST}
    return {
        **own,
        "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]},
    }


def node_labels() -> dict[str, str]:
    """The labels of the plane's nodes."""
    return {TAINT: "true"}


def _monitors(spec: StorageSettings) -> dict[str, Any]:
    count: dict[str, Any] = {"count": spec.monitors, "allowMultiplePerNode": False}
    if spec.failure_domain == "host":
        return count
    # Rook puts one monitor into each zone named, and takes no more zones than monitors.
    zones = sorted(spec.domains())[: spec.monitors]
    return {**count, "failureDomainLabel": _ZONE, "zones": [{"name": name} for name in zones]}


def _storage(spec: StorageSettings) -> dict[str, Any]:
    return {
        # Else Rook would take every empty disk that it finds, also the next one that is plugged in.
        "useAllNodes": False,
        "useAllDevices": False,
        "config": {"encryptedDevice": "true", "osdsPerDevice": "1"},
        "nodes": [
            {"name": node.name, "devices": [{"name": device.path} for device in node.devices]}
            for node in spec.nodes
        ],
        "nearFullRatio": 0.85,
        "backfillFullRatio": 0.90,
        "fullRatio": 0.95,
        # An OSD that dies again and again is left down: it would take its neighbours along.
        "flappingRestartIntervalHours": 24,
    }


_CONFIG = {
    "global": {
        # No pool of fewer copies by hand either.
        "mon_allow_pool_size_one": "false",
        "osd_pool_default_size": "3",
        "osd_pool_default_min_size": "2",
    },
    "osd": {
        # Every object is read and compared once a week; what is found is mended from the others.
        "osd_scrub_min_interval": str(_WEEK // 7),
        "osd_scrub_max_interval": str(_WEEK),
        "osd_deep_scrub_interval": str(_WEEK),
        "osd_scrub_auto_repair": "true",
    },
}

_RESOURCES: dict[str, Any] = {
    # No limit of CPU: an OSD that is held back misses heartbeats and is marked down, which gives
    # the others more to do. Memory is asked for in full, and Rook tells the OSD to stay below.
    "osd": {"requests": {"cpu": "1", "memory": "5Gi"}, "limits": {"memory": "5Gi"}},
    "mon": {"requests": {"cpu": "500m", "memory": "2Gi"}, "limits": {"memory": "2Gi"}},
    "mgr": {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
    # Without a limit: it ends with the disk, and an end half-way leaves the disk half made.
    "prepareosd": {"requests": {"cpu": "500m", "memory": "50Mi"}},
}
