"""A Kubernetes cluster on Hetzner Cloud: k3s, highly available, made in the order of this page."""

from typing import Any, Literal

import pulumi
import pulumi_hcloud as hcloud
import pulumi_tls as tls

from components.cluster.hetzner.add_ons import AddOns, AddOnsArgs
from components.cluster.hetzner.addresses import plan
from components.cluster.hetzner.authorities import Authorities
from components.cluster.hetzner.balancers import (
    API,
    API_PORT,
    CLUSTER,
    WORKLOAD,
    Balancer,
    BalancerArgs,
    agents_of,
    servers_of,
)
from components.cluster.hetzner.enrolment import Machine, Trust, agent_order, enrol, server_order
from components.cluster.hetzner.firewall import firewall
from components.cluster.hetzner.hardware import labelled
from components.cluster.hetzner.network import Network
from components.cluster.hetzner.placement import group_of, placement_groups
from components.cluster.hetzner.prepare import Prepared
from components.cluster.hetzner.servers import Ground, MachineArgs, machine
from components.cluster.hetzner.tokens import tokens
from components.cluster.hetzner.user_data import FirstBoot
from components.cluster.kubeconfig import Kubeconfig
from components.outputs import Servers
from components.settings.hetzner import Node, server_types


class Hetzner(pulumi.ComponentResource):
    """A cluster on Hetzner Cloud.

    Attributes:
        kubeconfig: how an administrator reaches it.
        servers: its servers, as they are published.
    """

    kubeconfig: Kubeconfig
    servers: Servers

    def __init__(
        self, name: str, args: Prepared, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props: dict[str, Any] = {
            **args.spec.model_dump(mode="json", by_alias=True),
            "chosen": args.chosen,
        }
        super().__init__("federation:cluster:Hetzner", name, props, opts)
        self._name, self._args, spec = name, args, args.spec
        self._plan = plan(spec.addresses, spec.control_plane.servers)
        self._below = pulumi.ResourceOptions(parent=self)
        self._labels = {CLUSTER: name}

        management = Network(
            f"{name}-management", self._plan.management, spec.zone, self._labels, self._below
        )
        workload = Network(
            f"{name}-workload", self._plan.workload, spec.zone, self._labels, self._below
        )
        api = self._balancers(management, workload)
        authorities = Authorities(name, args.rotate, self._below)
        trust = Trust(authorities, tokens(name, authorities.server, self._below), api.address)
        login = tls.PrivateKey(f"{name}-login", algorithm="ED25519", opts=self._below)
        self._ground = self._stand(management, workload, login)
        self._groups = placement_groups(name, spec.nodes(), self._labels, self._below)

        self._machines: dict[str, Machine] = {}
        last = self._control_plane(trust, login, api)
        agents = self._agents(trust, login, last)

        endpoint = pulumi.Output.format("https://{0}:{1}", api.address, API_PORT)
        self.kubeconfig = Kubeconfig(authorities.kubeconfig(name, endpoint), endpoint)
        if args.token is not None:
            AddOns(
                name,
                AddOnsArgs(spec, self.kubeconfig.text, args.token, args.mirror, [last, *agents]),
                self._below,
            )
        self.servers = Servers(
            types={key: each.server.server_type for key, each in self._machines.items()},
            versions=args.versions,
            egress={key: each.server.ipv4_address for key, each in self._machines.items()},
            certificate_ends=authorities.expires,
            fixed=spec.fixed(),
            cost=args.cost,
        )
        self.register_outputs({"endpoint": endpoint})

    def _balancers(self, management: Network, workload: Network) -> Balancer:
        """Both load balancers; the API's."""
        location = self._args.spec.locations[0]
        front = BalancerArgs(
            location=location,
            network=workload,
            address=self._plan.workload.balancer,
            listeners=WORKLOAD,
            selector=agents_of(self._name),
            labels=self._labels,
            adopted=self._args.spec.add_ons,
        )
        Balancer(f"{self._name}-workload", front, self._below)
        back = BalancerArgs(
            location=location,
            network=management,
            address=self._plan.management.balancer,
            listeners=API,
            selector=servers_of(self._name),
            labels=self._labels,
        )
        return Balancer(f"{self._name}-api", back, self._below)

    def _stand(self, management: Network, workload: Network, login: tls.PrivateKey) -> Ground:
        name = f"{self._name}-login"
        key = hcloud.SshKey(
            name,
            name=name,
            public_key=login.public_key_openssh,
            labels=self._labels,
            opts=self._below,
        )
        wall = firewall(
            f"{self._name}-nodes", self._args.spec.administration, self._labels, self._below
        )
        return Ground(self._plan, management, workload, wall, key, self._labels)

    def _control_plane(self, trust: Trust, login: tls.PrivateKey, api: Balancer) -> pulumi.Resource:
        """The servers, each enrolled after the one before: etcd takes one learner at a time."""
        nodes = self._args.spec.servers()
        enrolled: list[pulumi.Resource] = []
        for node, address in zip(nodes, self._plan.servers, strict=True):
            made = self._machine(node, address)
            may_found = node is nodes[0] and not self._args.founded
            order = server_order(
                node.name, self._plan, address, trust, self._identity(made), may_found=may_found
            )
            enrolled.append(enrol(made, order, login, [api, *enrolled[-1:]], self))
        return enrolled[-1]

    def _agents(
        self, trust: Trust, login: tls.PrivateKey, last: pulumi.Resource
    ) -> list[pulumi.Resource]:
        enrolled: list[pulumi.Resource] = []
        for node in self._args.spec.agents():
            made = self._machine(node, None)
            order = agent_order(node.name, self._plan, trust, self._identity(made))
            enrolled.append(enrol(made, order, login, [last], self))
        return enrolled

    def _identity(self, made: Machine) -> pulumi.Output[str] | None:
        return made.server.id if self._args.spec.add_ons else None

    def _machine(self, node: Node, address: str | None) -> Machine:
        spec, kind = self._args.spec, self._args.chosen[node.name]
        architecture: Literal["amd64", "arm64"] = server_types()[kind].architecture
        pool = next((labelled(p, kind) for p in spec.pools if p.name == node.pool), None)
        made = machine(
            MachineArgs(
                node=node,
                kind=kind,
                image=spec.image,
                boot=FirstBoot(node.name, self._plan, pool, spec.k3s, architecture, spec.add_ons),
                group=self._groups[group_of(self._name, node)],
                address=address,
                may_change=node.name == self._args.replace,
            ),
            self._ground,
            self,
        )
        self._machines[node.name] = made
        return made
