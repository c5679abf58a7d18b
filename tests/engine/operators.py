"""A stand-in for the operators: it says of their objects what they would, once all is well.

Owns no more than statuses. Nothing that an operator would make from an object is made.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab.kubernetes.client import Api
from placement.faults import FederationError
from tests.engine.repeating import repeating

Plain = dict[str, Any]

_READY: Plain = {"conditions": [{"type": "Ready", "status": "True", "reason": "StandIn"}]}
_ADDRESS: Plain = {"loadBalancer": {"ingress": [{"ip": "203.0.113.10"}]}}

_STATUSES: Mapping[tuple[str, str], Plain] = {
    ("cert-manager.io/v1", "Certificate"): _READY,
    ("cert-manager.io/v1", "ClusterIssuer"): _READY,
    ("k8s.keycloak.org/v2alpha1", "Keycloak"): _READY,
    ("postgresql.cnpg.io/v1", "Cluster"): _READY,
    ("v1", "Service"): _ADDRESS,
}
"""What is said of each kind; of Services, only of those that ask for a load balancer."""


@contextmanager
def operators(kubeconfig: Path, folder: Path) -> Iterator[None]:
    """Stand in for the operators of the cluster behind *kubeconfig*.

    Args:
        kubeconfig: of the cluster.
        folder: for what its API server serves, as it is discovered.
    """
    api = Api(kubeconfig, folder / "operators.discovery")

    def look() -> None:
        for (version, kind), status in _STATUSES.items():
            _say(api, version, kind, status)

    with repeating(look):
        yield


def _say(api: Api, version: str, kind: str, status: Plain) -> None:
    """Give *status* to each object of *kind* that waits for one."""
    try:
        waiting = [each for each in _listed(api, version, kind) if _waits(kind, each, status)]
        for each in waiting:
            metadata = {k: each["metadata"].get(k) for k in ("name", "namespace")}
            api.apply_status(
                {"apiVersion": version, "kind": kind, "metadata": metadata, "status": status}
            )
    except FederationError:
        return  # not there yet, or gone already: the next round looks again


def _listed(api: Api, version: str, kind: str) -> list[Plain]:
    return api.list(version, kind) if api.serves(version, kind) else []


def _waits(kind: str, each: Plain, status: Plain) -> bool:
    if kind == "Service" and each["spec"].get("type") != "LoadBalancer":
        return False
    return any(not each.get("status", {}).get(key) for key in status)
