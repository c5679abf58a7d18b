"""The storage plane as a consumer's cluster sees it: Rook in external mode, classes, and keys.

Owns what stands in the consumer's cluster. It is made from what the plane published for this
consumer and from nothing else, and holds no identity that could reach another's part. A consumer of
buckets alone gets their Secret and no Rook.

Source: Rook 1.20, "External Storage Cluster", ``import-external-cluster.sh``.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components import outputs
from components.catalogue import Installer
from components.storage import identities, operator
from components.storage.grants import Grant, MountGrant, Reach, StoreGrant, read
from components.storage.names import CEPHFS, EXTERNAL, NAMESPACE, RBD
from components.storage.objects import Objects


@dataclass(frozen=True)
class ConsumerArgs:
    """What a consumer's side is made from.

    Attributes:
        grant: what the plane published for it.
        provider: of the consumer's cluster.
        installer: of the same.
    """

    grant: Grant
    provider: kubernetes.Provider
    installer: Installer


class StorageConsumer(pulumi.ComponentResource):
    """A cluster's access to a storage plane.

    Attributes:
        classes: the StorageClasses that claims may name.
    """

    classes: tuple[str, ...]

    def __init__(
        self, name: str, args: ConsumerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        grant = args.grant
        self.classes = tuple(class_name(grant, mount) for mount in grant.mounts if _writes(mount))
        props = {"plane": grant.plane, "storageClasses": list(self.classes)}
        super().__init__("federation:storage:Consumer", name, props, opts)
        self._args = args
        self._objects = Objects(self, args.provider, name)
        outside = self._objects.make(_namespace(EXTERNAL))
        for store in grant.stores:
            self._bucket_keys(store, outside)
        if grant.reach is not None:
            self._mounts(grant, grant.reach, outside)
        self.register_outputs({})

    def _bucket_keys(self, store: StoreGrant, after: pulumi.Resource) -> None:
        """The keys of an object store, in the form that S3 clients read from their environment."""
        data: dict[str, pulumi.Input[str]] = {
            "AWS_ACCESS_KEY_ID": store.key.name,
            "AWS_SECRET_ACCESS_KEY": store.key.secret,
            "AWS_ENDPOINT_URL_S3": store.endpoint,
        }
        self._objects.secret(f"{store.pool}-buckets", EXTERNAL, data, after=[after])

    def _mounts(self, grant: Grant, reach: Reach, outside: pulumi.Resource) -> None:
        inside = self._objects.make(_namespace(NAMESPACE))
        ready = operator.install(self._args.installer, self, [inside], monitored=False)
        snapshots = self._args.installer.install(
            "snapshot-controller",
            namespace="kube-system",
            opts=pulumi.ResourceOptions(parent=self),
        )
        first = [*ready, outside, *self._reach(grant, reach, outside)]
        plane = self._objects.make(_external(), after=first, phase="Connected")
        for mount in grant.mounts:
            keys = [
                self._objects.secret(
                    _secret(mount, role),
                    EXTERNAL,
                    {"userID": key.name, "userKey": key.secret},
                    after=[outside],
                )
                for role, key in mount.keys.items()
            ]
            part = identities.part(
                mount.kind,
                mount.pool,
                mount.header_pool,
                mount.part,
                EXTERNAL,
                clusterID=_cluster_id(grant, mount),
            )
            known = self._objects.make(part, after=[plane, *keys])
            for content in _classes(grant, mount):
                self._objects.make(content, after=[known, snapshots])

    def _reach(self, grant: Grant, reach: Reach, after: pulumi.Resource) -> list[pulumi.Resource]:
        """The two objects from which Rook learns where the plane is and who asks."""
        keys: dict[str, pulumi.Input[str]] = {
            "cluster-name": grant.plane,
            "fsid": reach.fsid,
            # Rook wants both words here where the administrator's keys are not given.
            "admin-secret": "admin-secret",
            "mon-secret": "mon-secret",
            "ceph-username": pulumi.Output.concat("client.", reach.key.name),
            "ceph-secret": reach.key.secret,
        }
        where = {"data": reach.monitors, "mapping": "{}", "maxMonId": reach.last_monitor}
        return [
            self._objects.secret("rook-ceph-mon", EXTERNAL, keys, after=[after]),
            self._objects.make(
                {
                    "apiVersion": "v1",
                    "kind": "ConfigMap",
                    "metadata": {"name": "rook-ceph-mon-endpoints", "namespace": EXTERNAL},
                    "data": where,
                },
                after=[after],
            ),
        ]


async def granted(stack: str | None, clusters: Sequence[str]) -> dict[str, Grant]:
    """What the storage stack *stack* grants to those of *clusters* that it knows as consumers.

    Raises:
        FederationError: the stack has not been brought up, or speaks another schema.
    """
    if stack is None:
        return {}
    published = (await outputs.read(stack)).storage.get("consumers", {})
    return {name: read(stack, name, published) for name in clusters if name in published}


def class_name(grant: Grant, mount: MountGrant) -> str:
    """The StorageClass of a mount."""
    return f"{grant.plane}-{mount.pool}"


def _writes(mount: MountGrant) -> bool:
    return "provisioner" in mount.keys


def _cluster_id(grant: Grant, mount: MountGrant) -> str:
    """By which the CSI drivers know a part of a pool: given, so that classes need not wait for it.

    Rook allows 36 characters.
    """
    text = f"{grant.plane}/{mount.pool}/{mount.part}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _external() -> dict[str, Any]:
    content = {
        "external": {"enable": True},
        "dataDirHostPath": "/var/lib/rook",
        "crashCollector": {"disable": True},
        # The plane answers no other.
        "network": {"connections": {"encryption": {"enabled": True}, "requireMsgr2": True}},
        "healthCheck": {"daemonHealth": {"mon": {"disabled": False, "interval": "45s"}}},
    }
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": "CephCluster",
        "metadata": {"name": EXTERNAL, "namespace": EXTERNAL},
        "spec": content,
    }


def _classes(grant: Grant, mount: MountGrant) -> Iterator[dict[str, Any]]:
    """The StorageClass and the VolumeSnapshotClass of a mount; none where it only reads."""
    if not _writes(mount):
        return
    driver = RBD if mount.kind == "block" else CEPHFS
    name, cluster = class_name(grant, mount), {"clusterID": _cluster_id(grant, mount)}
    yield {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": driver,
        "parameters": {**cluster, **_volumes(mount), **dict(_secrets(mount))},
        # A claim that is deleted by mistake, or with a whole cluster, leaves its volume.
        "reclaimPolicy": "Retain",
        "allowVolumeExpansion": True,
    }
    yield {
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshotClass",
        "metadata": {"name": name},
        "driver": driver,
        "deletionPolicy": "Retain",
        "parameters": {**cluster, **_of_secret("snapshotter", mount, "provisioner")},
    }


def _volumes(mount: MountGrant) -> dict[str, str]:
    if mount.kind == "filesystem":
        return {"fsName": mount.pool}
    split = {} if mount.header_pool == mount.pool else {"dataPool": mount.pool}
    return {
        "pool": mount.header_pool,
        **split,
        "imageFormat": "2",
        # What a mirror and a snapshot need to know what changed without reading it all.
        "imageFeatures": "layering,exclusive-lock,object-map,fast-diff,deep-flatten",
        "csi.storage.k8s.io/fstype": "ext4",
    }


def _secrets(mount: MountGrant) -> Iterator[tuple[str, str]]:
    for use in ("provisioner", "controller-expand", "controller-publish"):
        yield from _of_secret(use, mount, "provisioner").items()
    yield from _of_secret("node-stage", mount, "node").items()


def _of_secret(use: str, mount: MountGrant, role: str) -> Mapping[str, str]:
    return {
        f"csi.storage.k8s.io/{use}-secret-name": _secret(mount, role),
        f"csi.storage.k8s.io/{use}-secret-namespace": EXTERNAL,
    }


def _secret(mount: MountGrant, role: str) -> str:
    return f"rook-csi-{mount.pool}-{role}"


def _namespace(name: str) -> dict[str, Any]:
    metadata = {"name": name, "labels": {"pod-security.kubernetes.io/enforce": "privileged"}}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
