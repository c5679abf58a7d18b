"""A compute plane: clusters that exist already and join the federation.

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
from components.cluster import Kubeconfig, kubeconfig
from components.compute.membership import Membership, MembershipArgs
from components.settings import ComputeSettings, StackSettings


@dataclass(frozen=True)
class ComputeArgs:
    """What the plane is made from.

    Attributes:
        spec: its settings.
        members: how to reach each cluster, by name.
        karmada: the kubeconfig of the Karmada API; a secret.
        carriers: the clusters that carry the control plane and never join.
    """

    spec: ComputeSettings
    members: Mapping[str, Kubeconfig]
    karmada: pulumi.Output[str]
    carriers: tuple[str, ...]


class ComputePlane(pulumi.ComponentResource):
    """Clusters as members of the federation."""

    def __init__(
        self, name: str, args: ComputeArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            **args.spec.model_dump(mode="json", by_alias=True),
            "carriers": list(args.carriers),
        }
        super().__init__("federation:compute:Compute", name, props, opts)
        karmada = self._kubernetes(f"{name}-karmada", args.karmada)
        for cluster in args.spec.clusters:
            reached = args.members[cluster.name]
            member = self._kubernetes(f"{name}-{cluster.name}", reached.text)
            Membership(
                cluster.name,
                MembershipArgs(cluster, reached.endpoint, member, karmada),
                pulumi.ResourceOptions(parent=self),
            )
        self.register_outputs({})

    def _kubernetes(self, name: str, text: pulumi.Output[str]) -> kubernetes.Provider:
        return kubernetes.Provider(
            name,
            kubeconfig=text,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=name,
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self),
        )


async def compute(settings: StackSettings) -> Mapping[str, Any]:
    """Build a compute plane; what it publishes."""
    if settings.compute is None or settings.stacks is None:
        raise ValueError("the settings of a compute stack hold its own and name its carrier")
    spec = settings.compute
    members = kubeconfig.read_all([cluster.name for cluster in spec.clusters])
    carrier = await outputs.read(settings.stacks.carrier)
    carriers = tuple(str(cluster["name"]) for cluster in carrier.facts)
    args = ComputeArgs(spec, members, carrier.kubeconfig(KARMADA), carriers)
    ComputePlane(pulumi.get_stack(), args)
    facts = [c.model_dump(mode="json", by_alias=True, exclude={"maker"}) for c in spec.clusters]
    kubeconfigs = {name: member.text for name, member in members.items()}
    return outputs.publish("compute", spec.as_of.isoformat(), facts, kubeconfigs)
