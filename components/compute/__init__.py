"""A compute plane: clusters that exist already or are made here, and join the federation.

Owns the plane's component, its members and what it publishes. Where workloads run on them is the
federation plane's to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components import outputs
from components.carrier import KARMADA
from components.cluster import Hetzner, Kubeconfig, Prepared, kubeconfig, prepare
from components.cluster.hetzner import facts
from components.compute.membership import Membership, MembershipArgs
from components.settings import ComputeCluster, ComputeSettings, HetznerCluster, StackSettings
from placement.federation import Cluster


@dataclass(frozen=True)
class ComputeArgs:
    """What the plane is made from.

    Attributes:
        spec: its settings.
        clusters: how to reach each cluster that exists, and what is known of each that is made
            here, by name.
        karmada: the kubeconfig of the Karmada API; a secret.
        carriers: the clusters that carry the control plane and never join.
    """

    spec: ComputeSettings
    clusters: Mapping[str, Kubeconfig | Prepared]
    karmada: pulumi.Output[str]
    carriers: tuple[str, ...]


class ComputePlane(pulumi.ComponentResource):
    """Clusters as members of the federation.

    Attributes:
        kubeconfigs: how to reach each member, by name.
        servers: those of the clusters made here, by the cluster's name.
    """

    kubeconfigs: dict[str, pulumi.Output[str]]
    servers: dict[str, outputs.Servers]

    def __init__(
        self, name: str, args: ComputeArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            **args.spec.model_dump(mode="json", by_alias=True),
            "carriers": list(args.carriers),
        }
        super().__init__("federation:compute:Compute", name, props, opts)
        self._name = name
        self.kubeconfigs, self.servers = {}, {}
        karmada = self._kubernetes("karmada", args.karmada, [])
        for spec in args.spec.clusters:
            reached, after = args.clusters[spec.name], list[pulumi.Resource]()
            if isinstance(reached, Prepared):
                made = Hetzner(spec.name, reached, pulumi.ResourceOptions(parent=self))
                # Its kubeconfig is known before it answers.
                reached, after = made.kubeconfig, [made]
                self.servers[spec.name] = made.servers
            self.kubeconfigs[spec.name] = reached.text
            member = self._kubernetes(spec.name, reached.text, after)
            Membership(
                spec.name,
                MembershipArgs(
                    _facts(spec, args.clusters[spec.name]), reached.endpoint, member, karmada
                ),
                pulumi.ResourceOptions(parent=self),
            )
        self.register_outputs({})

    def _kubernetes(
        self, name: str, text: pulumi.Output[str], after: list[pulumi.Resource]
    ) -> kubernetes.Provider:
        whole = f"{self._name}-{name}"
        return kubernetes.Provider(
            whole,
            kubeconfig=text,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=whole,
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self, depends_on=after),
        )


async def compute(settings: StackSettings) -> Mapping[str, Any]:
    """Build a compute plane; what it publishes."""
    if settings.compute is None or settings.stacks is None:
        raise ValueError("the settings of a compute stack hold its own and name its carrier")
    spec = settings.compute
    clusters = await _clusters(spec, settings)
    carrier = await outputs.read(settings.stacks.carrier)
    carriers = tuple(str(cluster["name"]) for cluster in carrier.facts)
    args = ComputeArgs(spec, clusters, carrier.kubeconfig(KARMADA), carriers)
    plane = ComputePlane(pulumi.get_stack(), args)
    found = [
        _facts(each, clusters[each.name]).model_dump(mode="json", by_alias=True)
        for each in spec.clusters
    ]
    return {
        **outputs.publish("compute", spec.as_of.isoformat(), found, plane.kubeconfigs),
        **outputs.servers(plane.servers),
    }


async def _clusters(
    spec: ComputeSettings, settings: StackSettings
) -> dict[str, Kubeconfig | Prepared]:
    """What must be known of each cluster before anything is declared."""
    existing = [each.name for each in spec.clusters if isinstance(each, ComputeCluster)]
    found: dict[str, Kubeconfig | Prepared] = {}
    if existing:
        found.update(kubeconfig.read_all(existing))
    if len(existing) < len(spec.clusters):
        last = await outputs.last_servers()
        for index, each in enumerate(spec.clusters):
            if isinstance(each, HetznerCluster):
                where = ("compute", "clusters", index)
                found[each.name] = prepare(each, where, settings, last)
    return found


def _facts(spec: ComputeCluster | HetznerCluster, reached: Kubeconfig | Prepared) -> Cluster:
    """The cluster as one that Karmada may fill."""
    if isinstance(spec, HetznerCluster) and isinstance(reached, Prepared):
        return facts.cluster(spec, reached.chosen)
    return Cluster.model_validate(spec.model_dump(exclude={"maker"}))
