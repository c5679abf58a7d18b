"""Rook's operator and the CSI drivers, on the plane and on its consumers.

Owns the values of their charts. Since Rook 1.20 the drivers are a chart of their own
(``ceph-csi-drivers``), whose names of drivers must be those in the StorageClasses.
"""

from typing import Any

import pulumi

from components.catalogue import Installer
from components.storage.names import CEPHFS, NAMESPACE, RBD, TOLERATIONS


def rook_values(*, monitored: bool) -> dict[str, Any]:
    """Values of the chart ``rook-ceph``."""
    return {
        "crds": {"enabled": True},
        "tolerations": list(TOLERATIONS),
        "priorityClassName": "system-cluster-critical",
        # Only this program makes claims here; it has to say who may read a bucket.
        "obcAllowAdditionalConfigFields": "maxObjects,maxSize,bucketPolicy",
        "enableDiscoveryDaemon": False,
        "monitoring": {"enabled": monitored},
    }


def csi_values() -> dict[str, Any]:
    """Values of the chart ``ceph-csi-drivers``: block and file, nothing else."""
    return {
        "operatorConfig": {
            "namespace": NAMESPACE,
            "driverSpecDefaults": {
                "imageSet": {"name": "rook-csi-operator-image-set-configmap"},
                "nodePlugin": {"priorityClassName": "system-node-critical"},
                "controllerPlugin": {"priorityClassName": "system-cluster-critical"},
            },
        },
        "drivers": {
            "rbd": {"enabled": True, "name": RBD},
            "cephfs": {"enabled": True, "name": CEPHFS},
            "nfs": {"enabled": False},
            "nvmeof": {"enabled": False},
        },
    }


def install(
    installer: Installer,
    parent: pulumi.Resource,
    after: list[pulumi.Resource],
    *,
    monitored: bool,
) -> list[pulumi.Resource]:
    """The operator, then the drivers, which are objects of kinds that it brings."""

    def options(*first: pulumi.Resource) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions(parent=parent, depends_on=[*after, *first])

    operator = installer.install(
        "rook-ceph",
        namespace=NAMESPACE,
        values=rook_values(monitored=monitored),
        opts=options(),
    )
    drivers = installer.install(
        "ceph-csi-drivers", namespace=NAMESPACE, values=csi_values(), opts=options(operator)
    )
    return [operator, drivers]
