"""What stands on a lab's Karmada API from the start: Karmada's kinds and the member clusters.

Owns the order in which they are applied and the wait for the kinds to be served. The kinds come
from the models of ``placement.karmada``, the clusters from a federation file: nothing here knows
what they look like.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from lab.access import Api
from placement import federation
from placement.faults import FederationError
from placement.karmada.cluster import cluster_object, cluster_status
from placement.karmada.crds import custom_resource_definitions

NAMESPACES = ("karmada-system", "karmada-cluster")
"""Karmada's own namespaces: its components', and that of the clusters' credentials."""

_OWNER = "federation/lab"
"""The annotation of the objects that the lab made, by which it knows its own clusters again."""
_CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_CLUSTERS = "/apis/cluster.karmada.io/v1alpha1/clusters"
_ESTABLISHED_SECONDS = 60
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Member:
    """A cluster of the federation.

    Attributes:
        manifest: its ``Cluster`` object, without status.
        status: the status that Karmada would write, given the time of its creation (RFC 3339).
    """

    manifest: dict[str, Any]
    status: Callable[[str], dict[str, Any]]


@dataclass(frozen=True)
class Objects:
    """What is applied.

    Attributes:
        kinds: the CustomResourceDefinitions.
        members: the clusters of the federation.
        namespaces: those of its workloads, which a user would have made.
    """

    kinds: Sequence[dict[str, Any]]
    members: Sequence[Member]
    namespaces: Sequence[str] = ()


class _NotServedError(Exception):
    """A kind that was applied and is not served yet."""


def of_federation(file: Path) -> Objects:
    """What the federation file *file* asks for.

    Raises:
        BadInputError: the file is wrong.
    """
    found = federation.load(file)
    members = [_member(cluster) for cluster in found.clusters]
    namespaces = sorted({workload.namespace for workload in found.workloads})
    return Objects(custom_resource_definitions(), members, namespaces)


def _member(cluster: federation.Cluster) -> Member:
    """The member of *cluster*, which no lab starts: its name resolves nowhere."""
    return Member(
        manifest=cluster_object(cluster, endpoint=f"https://{cluster.name}.invalid:6443"),
        status=lambda now: cluster_status(cluster, now=now),
    )


def apply(objects: Objects, api: Api) -> None:
    """Apply *objects* after Karmada's namespaces; clusters of an earlier file are removed.

    Raises:
        FederationError: the API server refuses one, or does not serve a kind in time.
    """
    for name in (*NAMESPACES, *objects.namespaces):
        metadata = {"name": name}
        api.apply(
            f"/api/v1/namespaces/{name}",
            {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata},
        )
    for kind in objects.kinds:
        _apply_kind(kind, api)
    _wait_served([kind["metadata"]["name"] for kind in objects.kinds], api)
    for member in objects.members:
        _apply_member(member, api)
    _remove_members_except({member.manifest["metadata"]["name"] for member in objects.members}, api)


def _apply_kind(kind: dict[str, Any], api: Api) -> None:
    metadata = kind["metadata"]
    path = f"{_CRDS}/{metadata['name']}"
    stored = api.apply(path, kind)
    if _has_condition(stored, "NamesAccepted") and not _has_condition(stored, "Established"):
        # An API server that ended between the two never goes on by itself, only after a change.
        annotations = {**metadata.get("annotations", {}), _OWNER: "mended"}
        api.apply(path, {**kind, "metadata": {**metadata, "annotations": annotations}})


def _wait_served(kinds: Sequence[str], api: Api) -> None:
    """Wait until every kind is established, and the clusters are served."""
    left = list(kinds)
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(_NotServedError),
            stop=stop_after_delay(_ESTABLISHED_SECONDS),
            wait=wait_fixed(_POLL_SECONDS),
            reraise=True,
        ):
            with attempt:
                while left:
                    if not _has_condition(api.get(f"{_CRDS}/{left[-1]}"), "Established"):
                        raise _NotServedError(", ".join(left))
                    left.pop()
                # The endpoint follows the condition by a moment.
                if not api.is_there(_CLUSTERS):
                    raise _NotServedError(_CLUSTERS)
    except _NotServedError as error:
        raise FederationError(
            f"the API server did not serve these kinds in {_ESTABLISHED_SECONDS} s: {error}"
        ) from error


def _has_condition(kind: dict[str, Any], condition: str) -> bool:
    # Null, and not absent, until the API server has looked at the kind.
    conditions = kind.get("status", {}).get("conditions") or ()
    return any(c["type"] == condition and c["status"] == "True" for c in conditions)


def _apply_member(member: Member, api: Api) -> None:
    metadata = member.manifest["metadata"]
    annotations = {**metadata.get("annotations", {}), _OWNER: "member"}
    path = f"{_CLUSTERS}/{metadata['name']}"
    stored = api.apply(
        path, {**member.manifest, "metadata": {**metadata, "annotations": annotations}}
    )
    # No clock: every condition holds since the creation, so that a second `up` changes nothing.
    status = member.status(stored["metadata"]["creationTimestamp"])
    api.apply(
        f"{path}/status",
        {
            "apiVersion": member.manifest["apiVersion"],
            "kind": member.manifest["kind"],
            "metadata": {"name": metadata["name"]},
            "status": status,
        },
    )


def _remove_members_except(names: set[str], api: Api) -> None:
    """Delete those clusters that the lab made and the federation file no longer names."""
    for item in api.get(_CLUSTERS)["items"]:
        metadata = item["metadata"]
        if _OWNER in metadata.get("annotations", {}) and metadata["name"] not in names:
            api.delete(f"{_CLUSTERS}/{metadata['name']}")
