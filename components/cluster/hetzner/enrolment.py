"""How a machine becomes a node: one order over SSH, after which nobody can log in any more.

Owns the one moment at which secrets reach a machine: not in user data, where they would lie for as
long as the machine lives, but through a connection to a host key known beforehand, into a script
that first boot put there (``first_boot/enrol.py``). The machine then ends SSH for good.

An enrolment is run once for each machine: only another machine brings another.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pulumi
import pulumi_command as command
import pulumi_hcloud as hcloud
import pulumi_tls as tls

from components.cluster.hetzner.addresses import AddressPlan
from components.cluster.hetzner.authorities import Authorities
from components.cluster.hetzner.tokens import Tokens

_DIALS = 60
_DEADLINE = "25m"
"""First boot 10 min, both networks 5, etcd letting a predecessor go 5, k3s ready 10 at most; each
has its own deadline and its own message on the machine, and they do not all run out."""

_TLS = "var/lib/rancher/k3s/server/tls"


@dataclass(frozen=True)
class Trust:
    """What makes a machine one of the cluster's.

    Attributes:
        authorities: the cluster's.
        tokens: the cluster's.
        address: the public address of the API.
    """

    authorities: Authorities
    tokens: Tokens
    address: pulumi.Output[str]


@dataclass(frozen=True)
class Machine:
    """A machine to be enrolled.

    Attributes:
        name: its name.
        server: it.
        host_key: the SSH host key by which it is known until then.
        attachments: its places in the private networks.
    """

    name: str
    server: hcloud.Server
    host_key: tls.PrivateKey
    attachments: tuple[pulumi.Resource, ...]


def server_order(
    name: str,
    plan: AddressPlan,
    own: str,
    trust: Trust,
    identity: pulumi.Output[str] | None,
    *,
    may_found: bool,
) -> pulumi.Output[str]:
    """What a server is told; a secret.

    Args:
        name: of the server.
        plan: the addresses of the cluster.
        own: the server's own address.
        trust: what makes it one of the cluster's.
        identity: its number at Hetzner, by which a cloud controller is to know it.
        may_found: whether it founds the cluster where nobody answers for it.
    """
    authorities, tokens = trust.authorities, trust.tokens
    files = {
        f"{_TLS}/server-ca.crt": authorities.server.certificate,
        f"{_TLS}/server-ca.key": authorities.server.key,
        f"{_TLS}/client-ca.crt": authorities.client.certificate,
        f"{_TLS}/client-ca.key": authorities.client.key,
    }
    others = [address for address in plan.servers if address != own]
    return _order(
        {
            **_common(name, "server", plan, authorities),
            "hosts": [plan.management.balancer, *others],
            "mayFound": may_found,
            # Others have them from the cluster that they join.
            "files": files if may_found else {},
            "administrator": authorities.administrator,
            "config": {
                "token": tokens.server,
                "agent-token": tokens.agent_password,
                "tls-san": [plan.management.balancer, trust.address],
                **_known_as(identity),
            },
        }
    )


def agent_order(
    name: str, plan: AddressPlan, trust: Trust, identity: pulumi.Output[str] | None
) -> pulumi.Output[str]:
    """What an agent is told; a secret. It holds nothing with which one could do more than join."""
    return _order(
        {
            **_common(name, "agent", plan, trust.authorities),
            "hosts": [plan.management.balancer],
            "config": {"token": trust.tokens.agent, **_known_as(identity)},
        }
    )


def enrol(
    machine: Machine,
    order: pulumi.Output[str],
    login: tls.PrivateKey,
    after: Sequence[pulumi.Resource],
    parent: pulumi.Resource,
) -> command.remote.Command:
    """Hand *machine* its *order*.

    Args:
        machine: the machine.
        order: what it is told.
        login: the key that opens it.
        after: what must be there before.
        parent: the component that it belongs to.
    """
    return command.remote.Command(
        f"{machine.name}-enrolment",
        connection=command.remote.ConnectionArgs(
            host=machine.server.ipv4_address,
            user="root",
            private_key=login.private_key_openssh,
            host_key=machine.host_key.public_key_openssh,
            dial_error_limit=_DIALS,
        ),
        create="/usr/local/sbin/enrol",
        stdin=order,
        logging=command.remote.Logging.NONE,
        triggers=[machine.server.id],
        opts=pulumi.ResourceOptions(
            parent=parent,
            depends_on=[*machine.attachments, *after],
            custom_timeouts=pulumi.CustomTimeouts(create=_DEADLINE),
            # SSH is gone: a renewed certificate, say, must not knock there again.
            ignore_changes=["connection", "create", "stdin"],
        ),
    )


def _common(
    name: str, role: Literal["server", "agent"], plan: AddressPlan, authorities: Authorities
) -> dict[str, Any]:
    return {
        "name": name,
        "role": role,
        "networks": {"management": plan.management.range, "workload": plan.workload.range},
        "authority": authorities.server.certificate,
    }


def _known_as(identity: pulumi.Output[str] | None) -> dict[str, Any]:
    """By its number, since an agent's name as a node is not that of its server."""
    if identity is None:
        return {}
    # k3s adds what a key with a plus says to what first boot wrote under it.
    return {"kubelet-arg+": [pulumi.Output.concat("provider-id=hcloud://", identity)]}


def _order(content: Mapping[str, Any]) -> pulumi.Output[str]:
    whole = pulumi.Output.from_input(content)
    return pulumi.Output.secret(whole.apply(lambda found: json.dumps(found, sort_keys=True)))
