"""No data on the disks of a compute plane: what makes its nodes disposable.

Owns the rules: no pod mounts a node's disk, no PersistentVolume is one, and every claim is of a
class that the storage plane stands behind. ``emptyDir`` lives and dies with its pod and is allowed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.admission.policy import Namespaces, Policy, declare


@dataclass(frozen=True)
class NoLocalVolumesArgs:
    """What is declared, and where.

    Attributes:
        provider: of the cluster.
        namespaces: of the cluster's own software, whose agents read the node.
        classes: the StorageClasses of the storage plane; none: no claim is admitted.
    """

    provider: kubernetes.Provider
    namespaces: Namespaces
    classes: tuple[str, ...] = ()


class NoLocalVolumes(pulumi.ComponentResource):
    """Volumes on a node's own disk are refused."""

    def __init__(
        self, name: str, args: NoLocalVolumesArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {"namespaces": list(args.namespaces.names), "classes": list(args.classes)}
        super().__init__("federation:admission:NoLocalVolumes", name, props, opts)
        declare(self, name, args.provider, list(policies(args.namespaces, args.classes)))
        self.register_outputs({})


def policies(namespaces: Namespaces, classes: tuple[str, ...]) -> Iterator[Policy]:
    """The rules for pods, for claims and for volumes."""
    outside = f"!{namespaces.contain('request.namespace')}"
    names = json.dumps(sorted(classes))
    allowed = f"StorageClass {' or '.join(sorted(classes))}" if classes else "none"
    ours = f"spec.?storageClassName.orValue('') in {names}"
    yield Policy(
        name="federation-no-host-paths",
        resources=["pods"],
        when=outside,
        variables={"paths": "object.spec.?volumes.orValue([]).filter(v, has(v.hostPath))"},
        requires="variables.paths.size() == 0",
        message=(
            "'read hostPath in volume ' + variables.paths[0].name + '; allowed none: nodes of a "
            "compute plane come and go with all that is on them'"
        ),
    )
    # Also those that a StatefulSet or an ephemeral volume asks for.
    yield Policy(
        name="federation-no-local-claims",
        resources=["persistentvolumeclaims"],
        when=outside,
        requires=f"object.{ours}",
        message=(
            "'read storageClassName \"' + object.spec.?storageClassName.orValue('') + '\"; allowed "
            f"{allowed}: data of a compute plane is kept by the storage plane'"
        ),
    )
    yield Policy(
        name="federation-no-local-volumes",
        resources=["persistentvolumes"],
        requires="!has(object.spec.local) && !has(object.spec.hostPath)",
        message=(
            "'read a volume on a disk of a node; allowed none: nodes of a compute plane come and "
            "go with all that is on them'"
        ),
    )
