"""One of the two API servers of a membership, and how its objects are written there.

Owns the names of the resources and the label by which Karmada knows its own objects.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject

NAMESPACE = "karmada-cluster"
"""Where the credentials of members are kept, on both sides."""

SYSTEM = {"karmada.io/system": "true"}
_RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True)
class Side:
    """The member's API server, or Karmada's.

    Attributes:
        parent: the membership.
        prefix: of the names of the resources.
        provider: of the API server.
    """

    parent: pulumi.Resource
    prefix: str
    provider: kubernetes.Provider

    def options(self, after: Sequence[pulumi.Resource] = ()) -> pulumi.ResourceOptions:
        """Those of a resource on this side, behind *after*."""
        return pulumi.ResourceOptions(
            parent=self.parent, provider=self.provider, depends_on=list(after)
        )

    def put(
        self,
        kind: tuple[str, str],
        name: str,
        rest: Mapping[str, Any],
        *,
        namespace: str | None = None,
        after: Sequence[pulumi.Resource] = (),
    ) -> KubernetesObject:
        """Any object: *kind* is its ``apiVersion`` and ``kind``, *rest* all but its metadata."""
        version, short = kind
        metadata = {"name": name, "labels": SYSTEM}
        if namespace is not None:
            metadata["namespace"] = namespace
        return KubernetesObject(
            f"{self.prefix}-{name}-{short.lower()}",
            {"apiVersion": version, "kind": short, "metadata": metadata, **rest},
            self.options(after),
        )

    def keep_namespace(self, name: str) -> kubernetes.core.v1.Namespace:
        """A namespace that others use as well: whoever comes first makes it, and it stays."""
        return kubernetes.core.v1.Namespace(
            f"{self.prefix}-{name}-namespace",
            metadata={"name": name, "labels": SYSTEM},
            opts=pulumi.ResourceOptions.merge(
                self.options(), pulumi.ResourceOptions(retain_on_delete=True)
            ),
        )

    def grant(
        self,
        name: str,
        rules: Sequence[Mapping[str, Any]],
        subject: Mapping[str, str],
        *,
        namespace: str | None = None,
        after: Sequence[pulumi.Resource] = (),
    ) -> KubernetesObject:
        """A role with *rules* and its binding to *subject*, in the whole cluster or *namespace*."""
        scope = "Cluster" if namespace is None else ""
        version = f"{_RBAC}/v1"
        role = self.put(
            (version, f"{scope}Role"),
            name,
            {"rules": list(rules)},
            namespace=namespace,
            after=after if namespace else (),
        )
        reference = {"apiGroup": _RBAC, "kind": f"{scope}Role", "name": name}
        return self.put(
            (version, f"{scope}RoleBinding"),
            name,
            {"roleRef": reference, "subjects": [dict(subject)]},
            namespace=namespace,
            after=[role, *after],
        )


@dataclass(frozen=True)
class Joined:
    """What one mode of membership has made.

    Attributes:
        spec: what it adds to the ``Cluster`` object's.
        resources: must stand before that object, and go after it.
        credentials: tells the credentials in use from others; a secret.
    """

    spec: Mapping[str, Any]
    resources: Sequence[pulumi.Resource]
    credentials: pulumi.Output[str]
