"""A compute plane: clusters that exist already or are made here, and join the federation.

Owns the plane's component, its members and what it publishes. Where workloads run on them is the
federation plane's to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components import outputs
from components.carrier.rancher import Imported, ImportedArgs, Reached
from components.catalogue import Installer
from components.cluster import Hetzner, Kubeconfig, Prepared, kubeconfig, prepare
from components.cluster.hetzner import facts
from components.compute.membership import ControlPlane, Membership, MembershipArgs, distinct
from components.compute.software import Software, SoftwareArgs
from components.outputs import KARMADA
from components.settings import (
    ComputeCluster,
    ComputeSettings,
    HetznerCluster,
    HetznerMember,
    StackSettings,
)
from components.settings.membership import MemberSettings
from components.settings.mirror import Mirror
from components.storage.consumer import ConsumerArgs, StorageConsumer, granted
from components.storage.grants import Grant
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
        rotate: the text whose change gives Karmada other credentials.
        mirror: where charts and images come from, if not from their makers.
        metrics_token: of the receiver of metrics, where it asks for one; a secret.
        rancher: how the carrier's Rancher is called; None where it has none.
        storage: what the storage plane grants to each cluster that it knows, by name.
    """

    spec: ComputeSettings
    clusters: Mapping[str, Kubeconfig | Prepared]
    karmada: pulumi.Output[str]
    carriers: tuple[str, ...]
    rotate: str
    mirror: Mirror | None = None
    metrics_token: pulumi.Output[str] | None = None
    rancher: Reached | None = None
    storage: Mapping[str, Grant] = field(default_factory=dict)


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
        control_plane = ControlPlane.of(args.karmada)
        leaving = pulumi.ResourceHookBinding(before_update=[control_plane.emptied])
        super().__init__(
            "federation:compute:Compute",
            name,
            props,
            pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(hooks=leaving)),
        )
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
            member = self._kubernetes(spec.name, reached.text, after, lost=spec.lost)
            if spec.lost:
                continue  # its provider stays for one run, to forget what stood in the cluster
            guards = self._guarded(spec, args, member)
            self._import(spec.name, args, member)
            if spec.name in args.storage:
                StorageConsumer(
                    f"{spec.name}-storage",
                    ConsumerArgs(args.storage[spec.name], member, Installer(member, args.mirror)),
                    pulumi.ResourceOptions(parent=self, depends_on=guards),
                )
            Membership(
                spec.name,
                MembershipArgs(
                    _facts(spec, args.clusters[spec.name]),
                    reached.endpoint,
                    member,
                    karmada,
                    control_plane,
                    Installer(member, args.mirror).image("karmada-agent"),
                    spec.membership,
                    args.rotate,
                ),
                # The first pod that Karmada sends is already admitted by the plane's rules.
                pulumi.ResourceOptions(parent=self, depends_on=guards),
            )
        self.register_outputs({})

    def _guarded(
        self,
        spec: ComputeCluster | HetznerMember,
        args: ComputeArgs,
        member: kubernetes.Provider,
    ) -> list[pulumi.Resource]:
        """The plane's software on a cluster; what of it must stand before the cluster joins."""
        if args.spec.software is None:
            return []
        facts = _facts(spec, args.clusters[spec.name])
        software = SoftwareArgs(args.spec.software, facts, member, args.mirror, args.metrics_token)
        return Software(spec.name, software, pulumi.ResourceOptions(parent=self)).guards

    def _import(self, cluster: str, args: ComputeArgs, member: kubernetes.Provider) -> None:
        """Show the cluster in the carrier's Rancher, if it has one."""
        if args.rancher is None:
            return
        image = Installer(member, args.mirror).image("kubectl")
        Imported(
            f"{cluster}-rancher",
            ImportedArgs(cluster, "compute", args.rancher, member, image),
            pulumi.ResourceOptions(parent=self),
        )

    def _kubernetes(
        self,
        name: str,
        text: pulumi.Output[str],
        after: list[pulumi.Resource],
        *,
        lost: bool = False,
    ) -> kubernetes.Provider:
        whole = f"{self._name}-{name}"
        return kubernetes.Provider(
            whole,
            kubeconfig=text,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=whole,
            enable_server_side_apply=True,
            # Else a chart's settings would be away for a moment whenever they change.
            enable_config_map_mutable=True,
            # Else other credentials would take the old ones away first.
            enable_secret_mutable=True,
            delete_unreachable=lost or None,
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
    args = ComputeArgs(
        spec,
        clusters,
        carrier.kubeconfig(KARMADA),
        carriers,
        settings.rotate,
        settings.mirror,
        pulumi.Config("federation").get_secret("metricsToken"),
        Reached.read(carrier.rancher) if carrier.rancher else None,
        await granted(settings.stacks.storage, [each.name for each in spec.clusters]),
    )
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
        kubeconfigs = kubeconfig.read_all(existing)
        distinct(kubeconfigs)
        found.update(kubeconfigs)
    if len(existing) < len(spec.clusters):
        last = await outputs.last_servers()
        for index, each in enumerate(spec.clusters):
            if isinstance(each, HetznerCluster):
                where = ("compute", "clusters", index)
                found[each.name] = prepare(each, where, settings, last)
    return found


def _facts(spec: ComputeCluster | HetznerMember, reached: Kubeconfig | Prepared) -> Cluster:
    """The cluster as one that Karmada may fill."""
    if isinstance(spec, HetznerMember) and isinstance(reached, Prepared):
        found = facts.cluster(spec, reached.chosen)
    else:
        own = {"maker", *MemberSettings.model_fields}
        found = Cluster.model_validate(spec.model_dump(exclude=own))
    return found.model_copy(update={"ready": False}) if spec.lost else found
