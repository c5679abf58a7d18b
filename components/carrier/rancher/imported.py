"""A plane's cluster in Rancher: imported with the plane, and gone with it.

Owns the entry in Rancher and the run that registers the cluster: Rancher's own manifest, applied in
the cluster itself. The manifest is not made into resources: Rancher changes what it brought with
every upgrade of its own, and a plane's next run would take that back. When the entry goes, Rancher
removes its agent from the cluster.

The manifest's address holds the token that registers, so it is a secret.
"""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_rancher2 as rancher2

from components.carrier.rancher.reached import Reached, provider
from components.resource import KubernetesObject

NAMESPACE = "kube-system"
"""It is there before anything else, and every plane's rules let its pods in."""
NAME = "rancher-registration"
_AUTHORITY = "/etc/rancher-authority"
_TRIES = 6
_READY = pulumi.CustomTimeouts(create="15m")
"""Six tries with the pauses that Kubernetes makes between them, and an image to fetch."""


@dataclass(frozen=True)
class ImportedArgs:
    """What an import is made from.

    Attributes:
        cluster: the cluster's name.
        plane: the plane's.
        rancher: how Rancher is called.
        member: a provider of the cluster.
        image: one with ``kubectl``.
    """

    cluster: str
    plane: str
    rancher: Reached
    member: kubernetes.Provider
    image: str


class Imported(pulumi.ComponentResource):
    """A plane's cluster in Rancher."""

    def __init__(
        self, name: str, args: ImportedArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {"cluster": args.cluster, "plane": args.plane, "image": args.image}
        super().__init__("federation:carrier:Imported", name, props, opts)
        calls = provider(name, args.rancher, pulumi.ResourceOptions(parent=self))
        entry = rancher2.Cluster(
            name,
            name=args.cluster,
            description=f"Plane {args.plane} of the federation",
            labels={"federation/plane": args.plane},
            opts=pulumi.ResourceOptions(
                parent=self,
                provider=calls,
                additional_secret_outputs=["clusterRegistrationToken"],
            ),
        )
        address = entry.cluster_registration_token.apply(lambda found: found.manifest_url or "")
        self._register(name, args, address)
        self.register_outputs({"rancherId": entry.id})

    def _register(self, name: str, args: ImportedArgs, address: pulumi.Output[str]) -> None:
        below = pulumi.ResourceOptions(parent=self, provider=args.member)
        named: dict[str, Any] = {"name": NAME, "namespace": NAMESPACE}
        account = kubernetes.core.v1.ServiceAccount(f"{name}-account", metadata=named, opts=below)
        rights = kubernetes.rbac.v1.ClusterRoleBinding(
            f"{name}-rights",
            metadata={"name": NAME},
            # Rancher's agent becomes the same: it administers the cluster.
            role_ref={
                "api_group": "rbac.authorization.k8s.io",
                "kind": "ClusterRole",
                "name": "cluster-admin",
            },
            subjects=[{"kind": "ServiceAccount", **named}],
            opts=below,
        )
        secret = kubernetes.core.v1.Secret(
            f"{name}-secret",
            metadata=named,
            string_data={"manifest": address, "authority.pem": args.rancher.authority},
            opts=below,
        )
        KubernetesObject(
            f"{name}-run",
            job(args.image),
            pulumi.ResourceOptions(
                parent=self,
                provider=args.member,
                depends_on=[account, rights, secret],
                # Another token is another registration.
                replacement_trigger=address,
                delete_before_replace=True,
                custom_timeouts=_READY,
            ),
        )


def job(image: str) -> dict[str, Any]:
    """The run that registers the cluster."""
    container = {
        "name": NAME,
        "image": image,
        "command": ["kubectl", "apply", "--filename", "$(MANIFEST)"],
        "env": [
            {
                "name": "MANIFEST",
                "valueFrom": {"secretKeyRef": {"name": NAME, "key": "manifest"}},
            },
            # What kubectl, like all that is written in Go, trusts when it fetches a file.
            {"name": "SSL_CERT_FILE", "value": f"{_AUTHORITY}/authority.pem"},
        ],
        "volumeMounts": [{"name": "authority", "mountPath": _AUTHORITY, "readOnly": True}],
    }
    items = [{"key": "authority.pem", "path": "authority.pem"}]
    pod = {
        "serviceAccountName": NAME,
        "restartPolicy": "Never",
        "containers": [container],
        "volumes": [{"name": "authority", "secret": {"secretName": NAME, "items": items}}],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": NAME, "namespace": NAMESPACE},
        "spec": {"backoffLimit": _TRIES, "template": {"spec": pod}},
    }
