"""Objects of the plane as resources that are ready before the next one begins.

Owns how long each kind may take and what it is waited for. What is in an object, and what comes
after what, is said elsewhere.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject
from components.storage.safety import Consent

_READY = {
    **dict.fromkeys(
        (
            "CephCluster",
            "CephBlockPool",
            "CephFilesystem",
            "CephObjectStore",
            "CephObjectStoreUser",
            "CephClient",
            "CephBlockPoolRadosNamespace",
            "CephFilesystemSubVolumeGroup",
            "CephRBDMirror",
        ),
        "Ready",
    ),
    "ObjectBucketClaim": "Bound",
}
"""The phase in which a kind is of use."""

_MINUTES = {
    # Disks are encrypted one after the other on each node, behind images of half a gigabyte.
    "CephCluster": 60,
    # Placement groups are made and peer, and a gateway or a metadata server starts.
    "CephFilesystem": 20,
    "CephObjectStore": 20,
}
DEFAULT_MINUTES = 10
"""For the rest: a command to Ceph, which Rook asks again every minute while the cluster is busy."""


class Objects:
    """What writes objects into one cluster, below one component.

    Args:
        parent: the component.
        provider: of the cluster.
        name: what the names of the resources begin with.
        consent: that a delete needs; None where what is written holds no data.
    """

    def __init__(
        self,
        parent: pulumi.Resource,
        provider: kubernetes.Provider,
        name: str,
        consent: Consent | None = None,
    ) -> None:
        self._parent, self._provider, self._name = parent, provider, name
        self._consent = consent

    def make(
        self,
        content: Mapping[str, Any],
        *,
        after: Sequence[pulumi.Resource] = (),
        held: pulumi.ResourceOptions | None = None,
        phase: str | None = None,
    ) -> KubernetesObject:
        """Write *content*.

        Args:
            content: the object.
            after: what must be there before, and goes later.
            held: how it is protected.
            phase: that it is waited for, where it is not the kind's usual one.
        """
        kind, metadata = content["kind"], content["metadata"]
        wanted = phase or _READY.get(kind)
        if wanted is not None:
            wait = {"pulumi.com/waitFor": f"jsonpath={{.status.phase}}={wanted}"}
            metadata = {**metadata, "annotations": {**metadata.get("annotations", {}), **wait}}
        minutes = f"{_MINUTES.get(kind, DEFAULT_MINUTES)}m"
        own = pulumi.ResourceOptions(
            parent=self._parent,
            provider=self._provider,
            depends_on=list(after),
            custom_timeouts=pulumi.CustomTimeouts(create=minutes, update=minutes, delete=minutes),
        )
        name = f"{self._name}-{metadata['name']}-{kind.lower()}"
        if self._consent is not None:
            own = pulumi.ResourceOptions.merge(own, self._consent.asked_for(name))
        return KubernetesObject(
            name,
            # Asked for, so that what the cluster answers can be used.
            {**content, "metadata": metadata, "status": None},
            pulumi.ResourceOptions.merge(held, own),
        )

    def secret(
        self, name: str, namespace: str, data: Mapping[str, pulumi.Input[str]], **extra: Any
    ) -> kubernetes.core.v1.Secret:
        """Write a Secret of Rook's type; *extra* are ``metadata`` keys and ``after``."""
        after = extra.pop("after", ())
        return kubernetes.core.v1.Secret(
            f"{self._name}-{name}-secret",
            metadata={"name": name, "namespace": namespace, **extra},
            type="kubernetes.io/rook",
            string_data=dict(data),
            opts=pulumi.ResourceOptions(
                parent=self._parent, provider=self._provider, depends_on=list(after)
            ),
        )

    def read_secret(self, name: str, namespace: str, of: KubernetesObject) -> pulumi.Output[Any]:
        """The data of a Secret that the operator writes when *of* is ready, decoded; a secret."""
        found = kubernetes.core.v1.Secret.get(
            f"{self._name}-{name}-secret",
            of.id.apply(lambda _: f"{namespace}/{name}"),
            pulumi.ResourceOptions(parent=self._parent, provider=self._provider),
        )
        return pulumi.Output.secret(found.data.apply(_decoded))

    def read_config(self, name: str, namespace: str, of: KubernetesObject) -> pulumi.Output[Any]:
        """The data of a ConfigMap that the operator writes when *of* is ready."""
        found = kubernetes.core.v1.ConfigMap.get(
            f"{self._name}-{name}-configmap",
            of.id.apply(lambda _: f"{namespace}/{name}"),
            pulumi.ResourceOptions(parent=self._parent, provider=self._provider),
        )
        return pulumi.Output.from_input(found.data)


def _decoded(data: Mapping[str, str]) -> dict[str, str]:
    return {key: base64.b64decode(text).decode() for key, text in data.items()}
