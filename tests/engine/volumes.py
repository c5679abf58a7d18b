"""A stand-in for a storage driver: each claim gets a volume that holds nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab.kubernetes.client import Api
from tests.engine.repeating import repeating

Plain = dict[str, Any]


@contextmanager
def volumes(kubeconfig: Path, folder: Path) -> Iterator[None]:
    """Give each claim in the cluster behind *kubeconfig* a volume of its class.

    Args:
        kubeconfig: of the cluster.
        folder: for what its API server serves, as it is discovered.
    """
    api = Api(kubeconfig, folder / "volumes.discovery")

    def look() -> None:
        for claim in api.list("v1", "PersistentVolumeClaim"):
            if claim.get("status", {}).get("phase") != "Bound":
                _bind(api, claim)

    with repeating(look):
        yield


def _bind(api: Api, claim: Plain) -> None:
    named = {key: claim["metadata"][key] for key in ("name", "namespace")}
    volume, storage = "-".join(named.values()), claim["spec"]["resources"]["requests"]
    api.apply(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": volume},
            "spec": {
                "capacity": storage,
                "accessModes": claim["spec"]["accessModes"],
                "storageClassName": claim["spec"].get("storageClassName", ""),
                "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **named},
                "hostPath": {"path": "/nowhere"},
            },
        }
    )
    own = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    bound = {"pv.kubernetes.io/bind-completed": "yes"}
    api.patch(
        {
            **own,
            "metadata": {**named, "annotations": bound},
            "spec": {"volumeName": volume},
        }
    )
    api.apply_status({**own, "metadata": named, "status": {"phase": "Bound", "capacity": storage}})
