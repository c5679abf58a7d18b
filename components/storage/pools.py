"""Pools as Rook's objects: block pools, filesystems and object stores.

Owns what the objects say. Who may use which part of a pool stands in ``identities``.

Source: Rook 1.20, "CephBlockPool", "CephFilesystem" and "CephObjectStore CRD".
"""

from collections.abc import Iterator
from typing import Any

from components.settings.storage import Gateway, Pool, StorageSettings
from components.settings.storage.survival import Redundancy, replicated
from components.storage.ceph import placement
from components.storage.names import NAMESPACE, metadata_pool
from components.storage.safety import gives_up

HTTPS = 443


def manifests(spec: StorageSettings, pool: Pool) -> Iterator[dict[str, Any]]:
    """The objects of *pool*, each after those that it needs."""
    if pool.kind == "block":
        yield from _block(spec, pool)
    elif pool.kind == "filesystem":
        yield _filesystem(spec, pool)
    elif spec.gateway is not None:
        yield _object_store(spec, pool, spec.gateway)


def image_pool(pool: Pool) -> str:
    """Where the headers of images are: erasure coding cannot keep them."""
    return pool.name if pool.erasure is None else metadata_pool(pool.name)


def _block(spec: StorageSettings, pool: Pool) -> Iterator[dict[str, Any]]:
    data = _data(spec, pool)
    if pool.erasure is not None:
        yield _object("CephBlockPool", pool.name, data)
        data = _pool(spec, replicated(3))
    if pool.mirror is not None:
        data["mirroring"] = {
            "enabled": True,
            "mode": "image",
            "snapshotSchedules": [{"interval": pool.mirror}],
        }
    mirror = spec.mirror_of
    if mirror is not None and pool.name in mirror.pools:
        peers = {"secretNames": [peer_secret(pool.name)]}
        data["mirroring"] = {"enabled": True, "mode": "image", "peers": peers}
    yield _object("CephBlockPool", image_pool(pool), data)


def peer_secret(pool: str) -> str:
    """The Secret by which the mirror of *pool* reaches the original."""
    return f"{pool}-peer"


def _filesystem(spec: StorageSettings, pool: Pool) -> dict[str, Any]:
    server = {
        "activeCount": 1,
        # Its cache is warm: it takes over in seconds.
        "activeStandby": True,
        "priorityClassName": "system-cluster-critical",
        "resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"memory": "4Gi"}},
        "placement": placement(spec, "rook-ceph-mds"),
    }
    content = {
        "metadataPool": _pool(spec, replicated(3)),
        "dataPools": [{"name": "data0", **_data(spec, pool)}],
        "metadataServer": server,
        "preserveFilesystemOnDelete": not gives_up(spec, pool.name),
    }
    return _object("CephFilesystem", pool.name, content)


def _object_store(spec: StorageSettings, pool: Pool, gateway: Gateway) -> dict[str, Any]:
    content = {
        "metadataPool": _pool(spec, replicated(3)),
        "dataPool": _data(spec, pool),
        "preservePoolsOnDelete": not gives_up(spec, pool.name),
        "gateway": {
            # No plain port: keys and data would cross the world in clear.
            "securePort": HTTPS,
            "sslCertificateRef": gateway.certificate,
            "instances": gateway.instances,
            "priorityClassName": "system-cluster-critical",
            "resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "2Gi"}},
            "placement": placement(spec, "rook-ceph-rgw"),
        },
        "hosting": {
            "advertiseEndpoint": {"dnsName": gateway.host, "port": HTTPS, "useTls": True},
            "dnsNames": [gateway.host],
        },
    }
    return _object("CephObjectStore", pool.name, content)


def _data(spec: StorageSettings, pool: Pool) -> dict[str, Any]:
    return {**_pool(spec, pool.redundancy), "quotas": {"maxSize": pool.holds}}


def _pool(spec: StorageSettings, kept: Redundancy) -> dict[str, Any]:
    how: dict[str, Any] = (
        {"replicated": {"size": kept.width, "requireSafeReplicaSize": True}}
        if kept.data == 1
        else {"erasureCoded": {"dataChunks": kept.data, "codingChunks": kept.width - kept.data}}
    )
    return {
        "failureDomain": spec.failure_domain,
        **how,
        "parameters": {"min_size": str(kept.least)},
    }


def _object(kind: str, name: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": content,
    }
