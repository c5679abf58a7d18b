"""A cluster's membership in the federation, declared on both sides (push mode).

Owns the identity that Karmada uses in the member, and the ``Cluster`` object with its credentials
in Karmada: what ``karmadactl join`` makes, as resources. It does not install anything else there.

Karmada's controllers rewrite ``spec.taints`` and fill ``resourceModels``; both are theirs. The
member's token does not expire by itself: it is that of a ServiceAccount token Secret.

Source: Karmada ``pkg/karmadactl/join/join.go``, ``pkg/util/credential.go``.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject
from placement.karmada.cluster import cluster_object
from placement.karmada.cluster_facts import ClusterFact

NAMESPACE = "karmada-cluster"
"""Where the credentials of members are kept, on both sides."""

_SYSTEM = {"karmada.io/system": "true"}
_ANYTHING = ({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},)


@dataclass(frozen=True)
class MembershipArgs:
    """What a membership is made of.

    Attributes:
        cluster: the facts of the member.
        endpoint: the member's API, as Karmada reaches it.
        member: a provider of the member.
        karmada: a provider of the Karmada API.
    """

    cluster: ClusterFact
    endpoint: pulumi.Input[str]
    member: kubernetes.Provider
    karmada: kubernetes.Provider


class Membership(pulumi.ComponentResource):
    """A member of the federation, in push mode."""

    def __init__(
        self, name: str, args: MembershipArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {"cluster": args.cluster.name, "endpoint": args.endpoint, "syncMode": "Push"}
        super().__init__("federation:compute:Membership", name, props, opts)
        self._name = name
        self._args = args
        namespace = self._in_member("v1", "Namespace", None, NAMESPACE, {})
        identity = f"karmada-{args.cluster.name}"
        tokens = {
            account: self._account(account, namespace)
            for account in (identity, "karmada-impersonator")
        }
        role = f"karmada-controller-manager:{identity}"
        rights = self._rights(role, identity, namespace)
        credentials = [
            self._credentials(args.cluster.name, tokens[identity], with_authority=True),
            self._credentials(
                f"{args.cluster.name}-impersonator",
                tokens["karmada-impersonator"],
                with_authority=False,
            ),
        ]
        self._join(credentials + rights)
        self.register_outputs({})

    def _account(self, name: str, namespace: pulumi.Resource) -> pulumi.Output[Mapping[str, str]]:
        """A ServiceAccount with a token Secret; the Secret's data."""
        account = self._in_member("v1", "ServiceAccount", NAMESPACE, name, {}, [namespace])
        # The provider waits until the token controller has filled it.
        secret = kubernetes.core.v1.Secret(
            f"{self._name}-{name}-token",
            metadata={
                "name": name,
                "namespace": NAMESPACE,
                "labels": _SYSTEM,
                "annotations": {"kubernetes.io/service-account.name": name},
            },
            type="kubernetes.io/service-account-token",
            opts=pulumi.ResourceOptions(
                parent=self, provider=self._args.member, depends_on=[account]
            ),
        )
        return pulumi.Output.secret(secret.data)

    def _rights(self, role: str, account: str, namespace: pulumi.Resource) -> list[pulumi.Resource]:
        """Karmada may do anything in the member, and needs to: it applies whatever users do."""
        rules = [*_ANYTHING, {"nonResourceURLs": ["*"], "verbs": ["get"]}]
        made = self._in_member(
            "rbac.authorization.k8s.io/v1", "ClusterRole", None, role, {"rules": rules}
        )
        reference = {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": role,
        }
        subject = {"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}
        binding = self._in_member(
            "rbac.authorization.k8s.io/v1",
            "ClusterRoleBinding",
            None,
            role,
            {"roleRef": reference, "subjects": [subject]},
            [made, namespace],
        )
        return [binding]

    def _credentials(
        self, name: str, data: pulumi.Output[Mapping[str, str]], *, with_authority: bool
    ) -> pulumi.Resource:
        """The Secret in Karmada from which its controllers take a token of the member."""

        def content(found: Mapping[str, str]) -> dict[str, str]:
            kept = {"token": _decoded(found["token"])}
            return {**kept, "caBundle": _decoded(found["ca.crt"])} if with_authority else kept

        return kubernetes.core.v1.Secret(
            f"{self._name}-karmada-{name}",
            metadata={"name": name, "namespace": NAMESPACE, "labels": _SYSTEM},
            string_data=data.apply(content),
            opts=pulumi.ResourceOptions(parent=self, provider=self._args.karmada),
        )

    def _join(self, first: list[pulumi.Resource]) -> None:
        cluster = self._args.cluster
        system = kubernetes.core.v1.Namespace.get(
            f"{self._name}-kube-system",
            "kube-system",
            pulumi.ResourceOptions(parent=self, provider=self._args.member),
        )
        content = cluster_object(cluster)
        spec = {
            **content["spec"],
            "apiEndpoint": self._args.endpoint,
            # Nothing else fills it: it tells one member from another, whatever its name.
            "id": system.metadata.uid,
            "secretRef": {"namespace": NAMESPACE, "name": cluster.name},
            "impersonatorSecretRef": {
                "namespace": NAMESPACE,
                "name": f"{cluster.name}-impersonator",
            },
        }
        KubernetesObject(
            f"{self._name}-cluster",
            {**content, "spec": spec},
            pulumi.ResourceOptions(
                parent=self,
                provider=self._args.karmada,
                depends_on=first,
                ignore_changes=["spec.taints", "spec.resourceModels"],
            ),
        )

    def _in_member(
        self,
        version: str,
        kind: str,
        namespace: str | None,
        name: str,
        rest: Mapping[str, Any],
        after: list[pulumi.Resource] | None = None,
    ) -> pulumi.Resource:
        metadata = {"name": name, "labels": _SYSTEM}
        if namespace is not None:
            metadata["namespace"] = namespace
        return KubernetesObject(
            f"{self._name}-{name}-{kind.lower()}",
            {"apiVersion": version, "kind": kind, "metadata": metadata, **rest},
            pulumi.ResourceOptions(parent=self, provider=self._args.member, depends_on=after),
        )


def _decoded(text: str) -> str:
    return base64.b64decode(text).decode()
