"""The address plan of a cluster: which subnet is for what, and the addresses that are fixed.

Owns every address that something else must know before it exists: those of the load balancers and
of the servers. Agents get theirs from Hetzner, in a subnet of their own, so that none of these can
be taken. An address depends on the settings alone: servers that come or go move no other.
"""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from components.settings.hetzner import AddressRanges

_SUBNET = 24
_BALANCER = 5
_FIRST_SERVER = 11
_DNS = 10


@dataclass(frozen=True)
class PrivateNetwork:
    """A private network: a subnet with planned addresses and one that Hetzner hands out.

    Attributes:
        range: the whole, in CIDR form.
        planned: the subnet of the load balancer and, for management, of the servers.
        handed: the subnet of all others.
        balancer: the address of the load balancer.
    """

    range: str
    planned: str
    handed: str
    balancer: str


@dataclass(frozen=True)
class AddressPlan:
    """The addresses of a cluster.

    Attributes:
        management: the network of etcd, the API and the kubelets.
        workload: the network that pods' traffic goes over.
        servers: the address of each server in the management network, in their order.
        pods: the range of the pods.
        services: the range of the services.
        dns: the address of the cluster's name server.
    """

    management: PrivateNetwork
    workload: PrivateNetwork
    servers: tuple[str, ...]
    pods: str
    services: str
    dns: str


def plan(ranges: AddressRanges, servers: int) -> AddressPlan:
    """The plan for a cluster of *servers* servers."""
    management = _network(ranges.management)
    first = ipaddress.IPv4Network(management.planned)
    return AddressPlan(
        management=management,
        workload=_network(ranges.workload),
        servers=tuple(str(first[_FIRST_SERVER + index]) for index in range(servers)),
        pods=ranges.pods,
        services=ranges.services,
        dns=str(ipaddress.IPv4Network(ranges.services)[_DNS]),
    )


def _network(text: str) -> PrivateNetwork:
    subnets: Iterator[ipaddress.IPv4Network] = ipaddress.IPv4Network(text).subnets(
        new_prefix=_SUBNET
    )
    planned, handed = next(subnets), next(subnets)
    return PrivateNetwork(text, str(planned), str(handed), str(planned[_BALANCER]))
