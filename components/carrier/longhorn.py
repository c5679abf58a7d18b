"""Longhorn, and the two classes of its volumes.

Owns which data is copied by Longhorn and which is not. What a database copies itself (etcd by raft,
PostgreSQL by streaming) lies on one replica, on the node of its pod: three more copies of each of
three members would be nine, each write would wait for the network twice, and etcd elects a new
leader when its log is not on the disk in time. ``docs/carrier-foundations.md`` has the reasons.
"""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.catalogue import Installer
from components.settings.carrier.longhorn import Longhorn as LonghornSettings

NAMESPACE = "longhorn-system"
COPIED_BY_LONGHORN = "longhorn"
"""The class for data that nothing else copies; the chart makes it, under this name."""
COPIED_BY_DATABASE = "longhorn-strict-local"
"""The class for data that its database copies: one replica, on the node of the pod."""


@dataclass(frozen=True)
class LonghornArgs:
    """What Longhorn is made from.

    Attributes:
        spec: its settings.
        provider: of the cluster.
        installer: of the cluster.
    """

    spec: LonghornSettings
    provider: kubernetes.Provider
    installer: Installer


class Longhorn(pulumi.ComponentResource):
    """Longhorn on the carrier's cluster.

    Attributes:
        ready: what a volume of either class waits for.
    """

    ready: list[pulumi.Resource]

    def __init__(
        self, name: str, args: LonghornArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Longhorn", name, props, opts)
        namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={
                "name": NAMESPACE,
                # Its managers mount the nodes' disks.
                "labels": {"pod-security.kubernetes.io/enforce": "privileged"},
            },
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider),
        )
        release = args.installer.install(
            "longhorn",
            namespace=NAMESPACE,
            values=values(args.spec),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        local = kubernetes.storage.v1.StorageClass(
            f"{name}-{COPIED_BY_DATABASE}",
            metadata={"name": COPIED_BY_DATABASE},
            provisioner="driver.longhorn.io",
            parameters={
                "numberOfReplicas": "1",
                "dataLocality": "strict-local",
                "staleReplicaTimeout": "30",
                "fsType": "ext4",
            },
            # Only then is the replica made where the pod is.
            volume_binding_mode="WaitForFirstConsumer",
            reclaim_policy="Retain",
            allow_volume_expansion=True,
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider, depends_on=[release]),
        )
        self.ready = [release, local]
        self.register_outputs({})


def values(spec: LonghornSettings) -> dict[str, Any]:
    """The chart's values."""
    return {
        "persistence": {
            "createStorageClass": True,
            # A cluster that exists may have a default of its own; what is made here names its own.
            "defaultClass": False,
            "defaultClassReplicaCount": spec.replicas,
            "defaultDataLocality": "best-effort",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
        "defaultSettings": {
            "defaultDataPath": spec.data_path,
            "storageReservedPercentageForDefaultDisk": str(spec.reserved_percent),
            "defaultReplicaCount": str(spec.replicas),
            "replicaSoftAntiAffinity": "false",
            "replicaZoneSoftAntiAffinity": "true",
            # By default the pod of a lost node holds its volume until somebody deletes it.
            "nodeDownPodDeletionPolicy": "delete-both-statefulset-and-deployment-pod",
            # By default the drain of a node with the only replica of a volume never ends.
            "nodeDrainPolicy": "allow-if-replica-is-stopped",
            "allowVolumeCreationWithDegradedAvailability": "false",
            "upgradeChecker": "false",
            "deletingConfirmationFlag": str(spec.may_be_removed).lower(),
        },
        "longhornUI": {"replicas": 2, "podDisruptionBudget": {"enabled": True}},
    }
