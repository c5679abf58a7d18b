"""What runs in a cluster because it stands on Hetzner Cloud, in the order of this page.

Owns the credential that the add-ons share. A cluster without them has k3s's own cloud controller.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.catalogue import Installer
from components.cluster.hetzner.add_ons import cloud_controller, volumes
from components.cluster.hetzner.add_ons.upgrades import Upgrades
from components.settings import HetznerCluster
from components.settings.mirror import Mirror

NAMESPACE = "kube-system"
CREDENTIAL = "hcloud"
"""The Secret that the charts of Hetzner look for."""


@dataclass(frozen=True)
class AddOnsArgs:
    """What the add-ons are made from.

    Attributes:
        spec: the cluster's settings.
        kubeconfig: how its administrator reaches it; a secret.
        token: of the Hetzner project, to read and write.
        mirror: where charts and images come from, if not from their makers.
        nodes: what must be there before: the nodes that have joined.
    """

    spec: HetznerCluster
    kubeconfig: pulumi.Output[str]
    token: str
    mirror: Mirror | None
    nodes: Sequence[pulumi.Resource]


class AddOns(pulumi.ComponentResource):
    """The add-ons of a cluster."""

    def __init__(
        self, name: str, args: AddOnsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {"name": name, "version": args.spec.k3s.version}
        super().__init__("federation:cluster:HetznerAddOns", name, props, opts)
        provider = kubernetes.Provider(
            name,
            kubeconfig=args.kubeconfig,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=name,
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self, depends_on=list(args.nodes)),
        )
        installer = Installer(provider, args.mirror)
        secrets = [
            kubernetes.core.v1.Secret(
                f"{name}-{secret}",
                metadata={"name": secret, "namespace": NAMESPACE},
                string_data={
                    "token": pulumi.Output.secret(args.token),
                    "network": f"{name}-{network}",
                },
                opts=pulumi.ResourceOptions(parent=self, provider=provider),
            )
            for secret, network in (
                (CREDENTIAL, "management"),
                (cloud_controller.BALANCERS, "workload"),
            )
        ]
        # Until it has seen a node, nothing else is scheduled there.
        nodes = installer.install(
            cloud_controller.ENTRY,
            namespace=NAMESPACE,
            values=cloud_controller.of_nodes(args.spec),
            opts=pulumi.ResourceOptions(parent=self, depends_on=secrets),
        )
        after = pulumi.ResourceOptions(parent=self, depends_on=[nodes])
        installer.install(
            cloud_controller.ENTRY,
            alias=cloud_controller.BALANCERS,
            namespace=NAMESPACE,
            values=cloud_controller.of_balancers(args.spec),
            opts=after,
        )
        installer.install(
            volumes.ENTRY, namespace=NAMESPACE, values=volumes.values(args.spec), opts=after
        )
        Upgrades(name, args.spec, installer, provider, after)
        self.register_outputs({})
