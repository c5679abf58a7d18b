"""Namespaces of users with their defaults and their quota.

Owns the three objects of each. Karmada makes the same namespaces in its members, and the pods in
them are its own to remove: a namespace stays when this program lets go of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject
from components.settings.compute import NamespaceDefaults

_NAME = "federation-defaults"


@dataclass(frozen=True)
class DefaultsArgs:
    """What is declared, and where.

    Attributes:
        spec: its settings.
        provider: of the cluster.
    """

    spec: NamespaceDefaults
    provider: kubernetes.Provider


class Defaults(pulumi.ComponentResource):
    """A namespace in which pods that say nothing ask for something."""

    def __init__(
        self, name: str, args: DefaultsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:compute:Defaults", name, props, opts)
        namespace = kubernetes.core.v1.Namespace(
            name,
            metadata={"name": args.spec.name},
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider, retain_on_delete=True),
        )
        for manifest in manifests(args.spec):
            KubernetesObject(
                f"{name}-{manifest['kind'].lower()}",
                manifest,
                pulumi.ResourceOptions(parent=self, provider=args.provider, depends_on=[namespace]),
            )
        self.register_outputs({})


def manifests(spec: NamespaceDefaults) -> Iterator[dict[str, Any]]:
    """The LimitRange, and the ResourceQuota where one is asked for."""
    limits = {"default": spec.limit} if spec.limit else {}
    container = {"type": "Container", "defaultRequest": spec.request, **limits}
    yield _object(spec.name, "LimitRange", {"limits": [container]})
    if spec.quota:
        yield _object(spec.name, "ResourceQuota", {"hard": spec.quota})


def _object(namespace: str, kind: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {"name": _NAME, "namespace": namespace}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": dict(spec)}
