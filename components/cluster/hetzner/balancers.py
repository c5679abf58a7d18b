"""The load balancers of a cluster: the API's, and the one of workloads.

They share no listener, no network and no target. Each survives the loss of any node behind it, and
finds its nodes by their labels, so that nodes come and go without a change here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud

from components.cluster.hetzner.identity import number
from components.cluster.hetzner.network import Network
from components.settings.hetzner.pools import CONTROL

API_PORT = 6443
API = {API_PORT: API_PORT}
"""The listeners of the API, each with the port behind it."""

WORKLOAD = {80: 30080, 443: 30443}
"""The listeners of workloads, each with the node port of the service that is to answer."""

KIND = "lb11"
"""The smallest type, whose price the price list has."""


@dataclass(frozen=True)
class HealthCheck:
    """When a node gets no calls any more; seconds, and how often it may fail."""

    interval: int
    timeout: int
    retries: int


HEALTH = HealthCheck(interval=5, timeout=3, retries=2)

CLUSTER = "federation/cluster"
"""The label that says which cluster a resource is of."""

ROLE = "federation/role"
"""The label that says which pool a server is of."""


@dataclass(frozen=True)
class BalancerArgs:
    """What a load balancer is made from.

    Attributes:
        location: where it stands.
        network: the private network that it reaches its targets through.
        address: its address there.
        listeners: its ports, each with the port behind it.
        selector: the labels of its targets.
        labels: its own.
        adopted: whether a cloud controller may adopt it for a Service: it then labels it, and must
            not delete it with the Service.
    """

    location: str
    network: Network
    address: str
    listeners: Mapping[int, int]
    selector: str
    labels: dict[str, str]
    adopted: bool = False


def servers_of(cluster: str) -> str:
    """The selector of a cluster's servers."""
    return f"{CLUSTER}={cluster},{ROLE}={CONTROL}"


def agents_of(cluster: str) -> str:
    """The selector of a cluster's agents."""
    return f"{CLUSTER}={cluster},{ROLE}!={CONTROL}"


class Balancer(pulumi.ComponentResource):
    """A load balancer.

    Attributes:
        address: its public IPv4 address.
    """

    address: pulumi.Output[str]

    def __init__(
        self, name: str, args: BalancerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {"location": args.location, "selector": args.selector}
        super().__init__("federation:cluster:HetznerBalancer", name, props, opts)
        below = pulumi.ResourceOptions(parent=self)
        made = hcloud.LoadBalancer(
            name,
            name=name,
            load_balancer_type=KIND,
            location=args.location,
            algorithm=hcloud.LoadBalancerAlgorithmArgs(type="least_connections"),
            labels=args.labels,
            # The provider lifts it where the load balancer is to go with its cluster.
            delete_protection=True if args.adopted else None,
            opts=pulumi.ResourceOptions(
                parent=self, ignore_changes=["labels"] if args.adopted else None
            ),
        )
        attachment = hcloud.LoadBalancerNetwork(
            name,
            load_balancer_id=number(made),
            subnet_id=args.network.planned.id,
            ip=args.address,
            opts=below,
        )
        for listen, behind in args.listeners.items():
            hcloud.LoadBalancerService(
                f"{name}-{listen}",
                load_balancer_id=made.id,
                protocol="tcp",
                listen_port=listen,
                destination_port=behind,
                # A node that is starting must get no calls: its port opens with what is behind it.
                health_check=hcloud.LoadBalancerServiceHealthCheckArgs(
                    protocol="tcp",
                    port=behind,
                    interval=HEALTH.interval,
                    timeout=HEALTH.timeout,
                    retries=HEALTH.retries,
                ),
                opts=below,
            )
        hcloud.LoadBalancerTarget(
            name,
            type="label_selector",
            load_balancer_id=number(made),
            label_selector=args.selector,
            use_private_ip=True,
            # Private targets are refused before the load balancer is in their network.
            opts=pulumi.ResourceOptions(parent=self, depends_on=[attachment]),
        )
        self.address = made.ipv4
        self.register_outputs({"address": self.address})
