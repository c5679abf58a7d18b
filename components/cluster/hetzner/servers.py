"""The machines of a cluster.

Owns what may change of a machine that exists: its name tags, its firewall, its place in a
placement group. Its image, its location, its user data, its keys and its type stay as they were
made until the machine is named under ``federation:replace``, one at a time, so that no change of a
setting can take quorum away.
"""

from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud
import pulumi_tls as tls

from components.cluster.hetzner.addresses import AddressPlan
from components.cluster.hetzner.balancers import ROLE
from components.cluster.hetzner.enrolment import Machine
from components.cluster.hetzner.identity import number
from components.cluster.hetzner.network import Network, attach
from components.cluster.hetzner.user_data import FirstBoot, render
from components.settings.hetzner import Node

FIXED = ("image", "location", "userData", "sshKeys", "serverType")
"""The inputs that change only where the machine is named under ``federation:replace``."""


@dataclass(frozen=True)
class Ground:
    """What every machine of a cluster stands on.

    Attributes:
        plan: the addresses.
        management: the network of the API.
        workload: the network of pods' traffic.
        firewall: what reaches public addresses.
        login: the key of the first login.
        labels: of every resource.
    """

    plan: AddressPlan
    management: Network
    workload: Network
    firewall: hcloud.Firewall
    login: hcloud.SshKey
    labels: dict[str, str]


@dataclass(frozen=True)
class MachineArgs:
    """What a machine is made from.

    Attributes:
        node: the node.
        kind: its server type.
        image: its image.
        boot: its first boot.
        group: its placement group.
        address: its planned address in the management network; None: Hetzner hands one out.
        may_change: whether it is the one named under ``federation:replace``.
    """

    node: Node
    kind: str
    image: str
    boot: FirstBoot
    group: hcloud.PlacementGroup
    address: str | None
    may_change: bool


def machine(args: MachineArgs, ground: Ground, parent: pulumi.Resource) -> Machine:
    """A machine, with its places in both networks."""
    name = args.node.name
    below = pulumi.ResourceOptions(parent=parent)
    host_key = tls.PrivateKey(f"{name}-host", algorithm="ED25519", opts=below)
    keys = pulumi.Output.all(host_key.private_key_openssh, host_key.public_key_openssh)
    user_data: pulumi.Output[str] = pulumi.Output.secret(
        keys.apply(lambda pair: render(args.boot, *pair))
    )
    server = hcloud.Server(
        name,
        name=name,
        server_type=args.kind,
        image=args.image,
        location=args.node.location,
        ssh_keys=[ground.login.id],
        user_data=user_data,
        placement_group_id=number(args.group),
        firewall_ids=[number(ground.firewall)],
        public_nets=[hcloud.ServerPublicNetArgs(ipv4_enabled=True, ipv6_enabled=False)],
        # Else a server that was made larger could never be made smaller again.
        keep_disk=True,
        labels={**ground.labels, ROLE: args.node.pool},
        opts=pulumi.ResourceOptions(
            parent=parent,
            # Its name and its planned address can exist but once.
            delete_before_replace=True,
            ignore_changes=[] if args.may_change else list(FIXED),
        ),
    )
    management = ground.management.planned if args.address else ground.management.handed
    first = attach(f"{name}-management", server, management, args.address, below)
    # Hetzner locks a server while it is attached.
    then = pulumi.ResourceOptions(parent=parent, depends_on=[first])
    second = attach(f"{name}-workload", server, ground.workload.handed, None, then)
    return Machine(name, server, host_key, (first, second))
