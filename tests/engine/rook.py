"""A stand-in for Rook's operator: it says of its objects what Rook would, once all is well.

Owns the phases, and what Rook writes beside its objects: the monitors' addresses and the keys of
identities, which are made up. No Ceph runs; what a real one does is in ``tests/prove``.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab.kubernetes.client import Api
from placement.faults import FederationError
from tests.engine.repeating import repeating

Plain = dict[str, Any]

CEPH = "ceph.rook.io/v1"
KINDS = {
    "CephCluster": CEPH,
    "CephBlockPool": CEPH,
    "CephFilesystem": CEPH,
    "CephObjectStore": CEPH,
    "CephObjectStoreUser": CEPH,
    "CephClient": CEPH,
    "CephBlockPoolRadosNamespace": CEPH,
    "CephFilesystemSubVolumeGroup": CEPH,
    "CephRBDMirror": CEPH,
    "ObjectBucketClaim": "objectbucket.io/v1alpha1",
}
FSID = "3a1f0000-0000-4000-8000-000000000001"


@contextmanager
def rook(kubeconfig: Path, folder: Path) -> Iterator[None]:
    """Stand in for Rook in the cluster behind *kubeconfig*.

    Args:
        kubeconfig: of the cluster.
        folder: for what its API server serves, as it is discovered.
    """
    api = Api(kubeconfig, folder / "rook.discovery")

    def look() -> None:
        for kind, version in KINDS.items():
            _say(api, version, kind)

    with repeating(look):
        yield


def key(name: str) -> str:
    """The key that the identity *name* is given."""
    return f"planted-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _say(api: Api, version: str, kind: str) -> None:
    """Give a status to each object of *kind* that has none, and what comes with it."""
    try:
        for each in api.list(version, kind) if api.serves(version, kind) else ():
            if "phase" not in each.get("status", {}):
                for made in _beside(kind, each):
                    api.apply(made)
                name, namespace = each["metadata"]["name"], each["metadata"]["namespace"]
                metadata = {"name": name, "namespace": namespace}
                status = _status(kind, each["spec"])
                api.apply_status(
                    {"apiVersion": version, "kind": kind, "metadata": metadata, "status": status}
                )
    except FederationError:
        return  # gone in between: the next round looks again


def _status(kind: str, spec: Plain) -> Plain:
    if kind == "ObjectBucketClaim":
        return {"phase": "Bound"}
    if kind == "CephCluster":
        phase = "Connected" if spec.get("external", {}).get("enable") else "Ready"
        return {"phase": phase, "ceph": {"fsid": FSID}}
    return {"phase": "Ready"}


def _beside(kind: str, each: Plain) -> Iterator[Plain]:
    name, namespace, spec = each["metadata"]["name"], each["metadata"]["namespace"], each["spec"]
    if kind == "CephCluster" and not spec.get("external", {}).get("enable"):
        yield {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "rook-ceph-mon-endpoints", "namespace": namespace},
            "data": {"data": "a=192.0.2.1:3300", "mapping": "{}", "maxMonId": "2"},
        }
    if kind == "CephClient":
        yield _secret(spec["secretName"], namespace, {"userID": name, "userKey": key(name)})
    if kind == "CephObjectStoreUser":
        secret = f"rook-ceph-object-user-{spec['store']}-{name}"
        yield _secret(secret, namespace, {"AccessKey": name, "SecretKey": key(name)})
    if kind == "CephBlockPool" and "peers" not in spec.get("mirroring", {"peers": None}):
        token = {"token": key(name), "pool": name}
        yield _secret(f"pool-peer-token-{name}", namespace, token)


def _secret(name: str, namespace: str, data: dict[str, str]) -> Plain:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": "kubernetes.io/rook",
        "stringData": data,
    }
