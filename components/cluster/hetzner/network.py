"""The private networks of a cluster, and a machine's place in them.

Management (etcd, the API, the kubelets) and workload traffic (what pods send each other, and what
comes in for them) have a network each: no address of the one can be reached from the other but
through a node. An attachment is a resource of its own: written into the server, it would replace
the server at every change, and did so at every run.
"""

import pulumi
import pulumi_hcloud as hcloud

from components.cluster.hetzner.addresses import PrivateNetwork
from components.cluster.hetzner.identity import number


class Network(pulumi.ComponentResource):
    """A private network with its two subnets.

    Attributes:
        planned: the subnet whose addresses are planned.
        handed: the subnet whose addresses Hetzner hands out.
    """

    planned: hcloud.NetworkSubnet
    handed: hcloud.NetworkSubnet

    def __init__(
        self,
        name: str,
        spec: PrivateNetwork,
        zone: str,
        labels: dict[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = {"range": spec.range, "zone": zone}
        super().__init__("federation:cluster:HetznerNetwork", name, props, opts)
        below = pulumi.ResourceOptions(parent=self)
        network = hcloud.Network(name, name=name, ip_range=spec.range, labels=labels, opts=below)

        def subnet(kind: str, ip_range: str, after: list[pulumi.Resource]) -> hcloud.NetworkSubnet:
            return hcloud.NetworkSubnet(
                f"{name}-{kind}",
                network_id=number(network),
                type="cloud",
                network_zone=zone,
                ip_range=ip_range,
                # Hetzner locks a network while it changes: two at once fail.
                opts=pulumi.ResourceOptions(parent=self, depends_on=after),
            )

        self.planned = subnet("planned", spec.planned, [])
        self.handed = subnet("handed", spec.handed, [self.planned])
        self.register_outputs({})


def attach(
    name: str,
    server: hcloud.Server,
    subnet: hcloud.NetworkSubnet,
    ip: str | None,
    opts: pulumi.ResourceOptions,
) -> hcloud.ServerNetwork:
    """Attach *server* to *subnet*, at *ip* or at an address that Hetzner hands out."""
    return hcloud.ServerNetwork(
        name, server_id=number(server), subnet_id=subnet.id, ip=ip, opts=opts
    )
