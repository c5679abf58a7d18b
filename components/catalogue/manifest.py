"""Plain manifests of somebody else's as resources: each object one, definitions first.

Owns the reading of their files and what a namespace means for them. Pulumi's own resource for files
(``yaml.v2.ConfigFile``) is not used: the provider reads them, so that neither a digest could be
checked nor an image or a namespace be set.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import requests
import yaml

from components.catalogue.entry import Entry
from components.catalogue.images import pinned
from components.resource import KubernetesObject
from components.settings.mirror import Mirror
from placement.faults import FederationError

_TIMEOUT = 30
"""Seconds for one file of some hundred kilobytes; a host that takes longer is taken for away."""

_FIRST = ("Namespace", "CustomResourceDefinition")
"""What the other objects need."""

_OF_THE_CLUSTER = (*_FIRST, "ClusterRole", "ClusterRoleBinding", "PriorityClass", "APIService")
"""Kinds without a namespace, as far as manifests of the catalogue have them."""


def documents(entry: Entry, namespace: str, mirror: Mirror | None) -> list[dict[str, Any]]:
    """The objects in the files of *entry*, with its images, in *namespace* where they name none.

    Raises:
        FederationError: a file cannot be read, or is not the one that the catalogue names.
    """
    texts = (_text(entry, file, digest, mirror) for file, digest in entry.files.items())
    found = [each for text in texts for each in yaml.safe_load_all(text) if each]
    return [_placed(pinned(entry, each, mirror), namespace) for each in found]


def _text(entry: Entry, file: str, digest: str, mirror: Mirror | None) -> bytes:
    if folder := mirror and (mirror.manifests or mirror.charts):
        path = Path(folder) / f"{entry.name}-{entry.version}" / file
        try:
            return path.read_bytes()
        except OSError as error:
            raise FederationError(
                f"{path}: cannot be read ({error.strerror}); federation:mirror says that it holds "
                f"the manifests: copy {entry.repository}/{file} there"
            ) from None
    address = f"{entry.repository}/{file}"
    try:
        answer = requests.get(address, timeout=_TIMEOUT)
        answer.raise_for_status()
    except requests.RequestException as error:
        raise FederationError(
            f"{address}: cannot be read ({type(error).__name__}); where there is no network, "
            "federation:mirror names a folder that holds it"
        ) from None
    if (read := hashlib.sha256(answer.content).hexdigest()) != digest:
        raise FederationError(
            f"{address}: read SHA-256 {read}; allowed {digest}, as the catalogue says: what is "
            "published under this version has changed"
        )
    return answer.content


class Manifest(pulumi.ComponentResource):
    """The objects of an entry's files, definitions and namespaces before the others."""

    def __init__(
        self,
        name: str,
        entry: Entry,
        content: list[dict[str, Any]],
        opts: pulumi.ResourceOptions,
    ) -> None:
        super().__init__("federation:catalogue:Manifest", name, {"version": entry.version}, opts)
        first = [each for each in content if each["kind"] in _FIRST]
        others = [each for each in content if each["kind"] not in _FIRST]
        self._make(name, others, self._make(name, first, []))
        self.register_outputs({})

    def _make(
        self, name: str, content: list[dict[str, Any]], after: list[pulumi.Resource]
    ) -> list[pulumi.Resource]:
        opts = pulumi.ResourceOptions(parent=self, depends_on=after)
        return [
            KubernetesObject(
                f"{name}-{each['kind'].lower()}-{each['metadata']['name']}", each, opts
            )
            for each in content
        ]


def _placed(content: Mapping[str, Any], namespace: str) -> dict[str, Any]:
    """*content* in *namespace*, and so the accounts that it binds, where it names no other."""
    found = dict(content)
    if content["kind"] not in _OF_THE_CLUSTER:
        found["metadata"] = {"namespace": namespace, **content["metadata"]}
    if "subjects" in content:
        found["subjects"] = [
            {"namespace": namespace, **each} if each["kind"] == "ServiceAccount" else each
            for each in content["subjects"]
        ]
    return found
