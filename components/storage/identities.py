"""Who may do what in Ceph: an identity for each consumer, pool and purpose.

Owns the capabilities, which are Ceph's own words and are tried on a real cluster, and the parts of
pools that keep consumers apart: RADOS namespaces and subvolume groups. S3 users stand in
``buckets``.

A provisioner makes and deletes volumes, a node mounts them, a reader mounts and cannot write.
Ceph cannot hold a CephFS provisioner to its group: the manager's volume commands know no path.

Source: Rook 1.20, ``create-external-cluster-resources.py``; Ceph, "User Management" and "CephFS
Client Capabilities".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from components.settings.storage import Consumer, Mount, Pool, StorageSettings
from components.storage.names import NAMESPACE
from components.storage.pools import image_pool

Role = Literal["provisioner", "node", "reader"]

_HEALTH = {
    "mon": "allow r, allow command quorum_status, allow command version",
    "mgr": "allow command config",
}
"""What a consumer's operator asks: whether the plane is there."""

_BLOCKLIST = "allow command 'osd blocklist'"


@dataclass(frozen=True)
class Identity:
    """A Ceph user.

    Attributes:
        name: without ``client.``.
        caps: what it may do, by kind of daemon.
    """

    name: str
    caps: dict[str, str]

    def manifest(self) -> dict[str, Any]:
        """Its ``CephClient``; the key goes into the Secret ``secret``."""
        return {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephClient",
            "metadata": {"name": self.name, "namespace": NAMESPACE},
            "spec": {"caps": self.caps, "secretName": self.secret},
        }

    @property
    def secret(self) -> str:
        """The Secret that Rook writes, with ``userID`` and ``userKey``."""
        return f"rook-ceph-client-{self.name}"


def health(consumer: str, key: int) -> Identity:
    """The identity by which *consumer* asks whether the plane is well."""
    return Identity(f"{consumer}-health-{key}", _HEALTH)


def identity(consumer: str, pool: Pool, part: str, role: Role, key: int) -> Identity:
    """The identity of *consumer* for *role* in *part* of *pool*, by the number of its key."""
    caps = _block(pool, part, role) if pool.kind == "block" else _files(pool, part, role)
    return Identity(f"{consumer}-{pool.name}-{role}-{key}", caps)


def roles(mount: Mount) -> tuple[Role, ...]:
    """What a mount needs."""
    return ("reader",) if mount.access == "read" else ("provisioner", "node")


def identities(spec: StorageSettings, consumer: Consumer) -> Iterator[Identity]:
    """Every identity of *consumer*, for each of its keys; none where it only uses buckets."""
    for key in consumer.keys if consumer.mounts else ():
        yield health(consumer.name, key)
        for mount in consumer.mounts:
            for role in roles(mount):
                pool = spec.pool(mount.pool)
                yield identity(consumer.name, pool, consumer.part(mount), role, key)


def parts(spec: StorageSettings) -> Iterator[dict[str, Any]]:
    """The object of each consumer's own part of each pool."""
    for pool in spec.pools:
        for owner in spec.part_owners(pool) if pool.kind != "objects" else ():
            yield part(pool.kind, pool.name, image_pool(pool), owner, NAMESPACE)


def part(
    kind: str, pool: str, header_pool: str, owner: str, namespace: str, **more: str
) -> dict[str, Any]:
    """*owner*'s part of *pool*, on the plane or as a consumer knows it, which says *more*."""
    resource, where = (
        ("CephBlockPoolRadosNamespace", {"blockPoolName": header_pool})
        if kind == "block"
        else ("CephFilesystemSubVolumeGroup", {"filesystemName": pool})
    )
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": resource,
        "metadata": {"name": f"{pool}-{owner}", "namespace": namespace},
        "spec": {"name": owner, **where, **more},
    }


def _block(pool: Pool, part: str, role: Role) -> dict[str, str]:
    profile = "rbd-read-only" if role == "reader" else "rbd"
    pools = dict.fromkeys((image_pool(pool), pool.name))
    osd = ", ".join(f"profile {profile} pool={name} namespace={part}" for name in pools)
    if role == "reader":
        return {"mon": "profile rbd-read-only", "osd": osd}
    mon = f"profile rbd, {_BLOCKLIST}"
    return (
        {"mon": mon, "mgr": "allow rw", "osd": osd}
        if role == "provisioner"
        else {
            "mon": mon,
            "osd": osd,
        }
    )


def _files(pool: Pool, part: str, role: Role) -> dict[str, str]:
    path = f"fsname={pool.name} path=/volumes/{part}"
    if role == "reader":
        return {
            "mon": f"allow r fsname={pool.name}",
            "mds": f"allow r {path}",
            "osd": f"allow r tag cephfs data={pool.name}",
        }
    if role == "node":
        return {
            "mon": f"allow r fsname={pool.name}, {_BLOCKLIST}",
            "mds": f"allow rw {path}",
            "osd": f"allow rw tag cephfs data={pool.name}",
        }
    return {
        "mon": f"allow r fsname={pool.name}, {_BLOCKLIST}",
        "mgr": "allow rw",
        "mds": f"allow * fsname={pool.name}",
        "osd": f"allow rw tag cephfs metadata={pool.name}",
    }
