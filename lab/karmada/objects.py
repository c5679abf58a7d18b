"""What stands on a lab's Karmada API from the start: Karmada's kinds and the member clusters.

Owns the order in which they are applied and the wait for the kinds to be served. Without the real
Karmada the kinds come from the models of ``placement.karmada`` and the clusters, with the status
that Karmada would write, from a federation file; with it the kinds are the published ones, and
clusters come by registration alone. Nothing here knows what they look like.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from components.compute.membership import NAMESPACE as CREDENTIALS
from lab.karmada.components import SYSTEM
from lab.kubernetes.client import Api
from lab.kubernetes.waiting import NotYetError, wait
from placement import federation
from placement.faults import FederationError
from placement.karmada.cluster import cluster_object, cluster_status

NAMESPACES = (SYSTEM, CREDENTIALS)
"""Karmada's own namespaces: its components', and that of the clusters' credentials."""

_OWNER = "federation/lab"
"""The annotation of the objects that the lab made, by which it knows its own clusters again."""
_CRD = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
_SERVED_SECONDS = 60
_UNSERVED = "the API server did not serve these kinds"


@dataclass(frozen=True)
class StandIn:
    """A cluster of the federation that nobody registers.

    Attributes:
        manifest: its ``Cluster`` object, without status.
        status: the status that Karmada would write, given the time of its creation (RFC 3339).
    """

    manifest: dict[str, Any]
    status: Callable[[str], dict[str, Any]]


def stand_in(cluster: federation.Cluster) -> StandIn:
    """The stand-in of *cluster*: its name resolves nowhere."""
    return StandIn(
        manifest=cluster_object(cluster, endpoint=f"https://{cluster.name}.invalid:6443"),
        status=lambda now: cluster_status(cluster, now=now),
    )


def apply_namespaces(names: Sequence[str], api: Api) -> None:
    """Apply Karmada's own namespaces and *names*, those of the workloads.

    Raises:
        FederationError: the API server refuses one.
    """
    for name in (*NAMESPACES, *names):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def apply_kinds(kinds: Sequence[dict[str, Any]], api: Api) -> None:
    """Apply *kinds* and wait until all are served.

    Raises:
        FederationError: the API server refuses one, or does not serve it in time.
    """
    for kind in kinds:
        _apply_kind(kind, api)
    wait(
        lambda: _look_at_kinds({kind["metadata"]["name"] for kind in kinds}, api),
        _SERVED_SECONDS,
        _UNSERVED,
    )


def apply_stand_ins(members: Sequence[StandIn], api: Api) -> None:
    """Apply *members*; those of an earlier federation file are removed.

    Raises:
        FederationError: the API server refuses one.
    """
    for member in members:
        _apply_stand_in(member, api)
    names = {member.manifest["metadata"]["name"] for member in members}
    for item in api.list(*_CLUSTER):
        metadata = item["metadata"]
        if _OWNER in metadata.get("annotations", {}) and metadata["name"] not in names:
            api.delete(*_CLUSTER, metadata["name"])


def wait_clusters_served(api: Api) -> None:
    """Wait until clusters are served, by whatever server.

    Raises:
        FederationError: they are not in time.
    """
    wait(lambda: _look_at_clusters(api), _SERVED_SECONDS, _UNSERVED)


def _apply_kind(kind: dict[str, Any], api: Api) -> None:
    metadata = kind["metadata"]
    stored = api.apply(kind)
    if _has_condition(stored, "NamesAccepted") and not _has_condition(stored, "Established"):
        # An API server that ended between the two never goes on by itself, only after a change.
        annotations = {**metadata.get("annotations", {}), _OWNER: "mended"}
        api.apply({**kind, "metadata": {**metadata, "annotations": annotations}})


def _look_at_kinds(names: set[str], api: Api) -> None:
    served = {
        item["metadata"]["name"] for item in api.list(*_CRD) if _has_condition(item, "Established")
    }
    if not names <= served:
        raise NotYetError(", ".join(sorted(names - served)))


def _look_at_clusters(api: Api) -> None:
    """The endpoint follows the condition of its kind, or its APIService, by a moment."""
    try:
        api.list(*_CLUSTER)
    except FederationError as error:
        raise NotYetError(str(error)) from error


def _has_condition(kind: dict[str, Any], condition: str) -> bool:
    # Null, and not absent, until the API server has looked at the kind.
    conditions = kind.get("status", {}).get("conditions") or ()
    return any(c["type"] == condition and c["status"] == "True" for c in conditions)


def _apply_stand_in(member: StandIn, api: Api) -> None:
    metadata = member.manifest["metadata"]
    annotations = {**metadata.get("annotations", {}), _OWNER: "member"}
    stored = api.apply({**member.manifest, "metadata": {**metadata, "annotations": annotations}})
    # No clock: every condition holds since the creation, so that a second `up` changes nothing.
    status = member.status(stored["metadata"]["creationTimestamp"])
    api.apply_status(
        {
            "apiVersion": member.manifest["apiVersion"],
            "kind": member.manifest["kind"],
            "metadata": {"name": metadata["name"]},
            "status": status,
        }
    )
