"""A cluster as a member of the federation.

Owns the ``Cluster`` object, and the order: credentials, that object, and the controllers begin anew
where the credentials are others than before. On the way out the object goes first, while Karmada
still gets into the member to take its copies out.

In pull mode the agent makes the object too, with the little that it must say. It is declared here
as well, behind the agent: the agent knows no labels, and would leave the object behind.

Karmada's controllers rewrite ``spec.taints`` and fill ``resourceModels``; both are theirs.
"""

from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.compute.membership.agent import Agent
from components.compute.membership.control_plane import ControlPlane
from components.compute.membership.pull import pull
from components.compute.membership.push import FIRST, push
from components.compute.membership.side import Joined, Side
from components.resource import KubernetesObject
from components.settings.membership import Membership as Mode
from placement.karmada.cluster import cluster_object
from placement.karmada.cluster_facts import ClusterFact


@dataclass(frozen=True)
class MembershipArgs:
    """What a membership is made of.

    Attributes:
        cluster: the facts of the member.
        endpoint: the member's API, as Karmada reaches it.
        member: a provider of the member.
        karmada: a provider of the Karmada API; it may change Secrets in place.
        control_plane: what else is known of that API.
        agent_image: what an agent runs.
        mode: who speaks first.
        rotate: another text makes other credentials.
    """

    cluster: ClusterFact
    endpoint: pulumi.Input[str]
    member: kubernetes.Provider
    karmada: kubernetes.Provider
    control_plane: ControlPlane
    agent_image: str
    mode: Mode = "push"
    rotate: str = FIRST


class Membership(pulumi.ComponentResource):
    """A member of the federation."""

    def __init__(
        self, name: str, args: MembershipArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        above = opts.parent if opts is not None else None
        # Marked and not read: a read would need the member at every preview.
        system = kubernetes.core.v1.NamespacePatch(
            f"{name}-kube-system",
            metadata={"name": "kube-system", "annotations": {"federation/member": "true"}},
            opts=pulumi.ResourceOptions(parent=above, provider=args.member),
        )
        props = {
            "cluster": args.cluster.name,
            "endpoint": args.endpoint,
            "syncMode": args.mode.capitalize(),
            # Nothing else fills it in Karmada: it tells one member from another, whatever its name.
            "id": system.metadata.uid,
        }
        distinct, same_mode = args.control_plane.distinct, args.control_plane.same_mode
        look = pulumi.ResourceHookBinding(
            before_create=[distinct], before_update=[same_mode, distinct]
        )
        super().__init__(
            "federation:compute:Membership",
            name,
            props,
            pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(hooks=look)),
        )
        self._name = name
        self._args = args
        self._karmada = Side(self, f"{name}-karmada", args.karmada)
        joined = self._joined()
        cluster = self._cluster(system.metadata.uid, joined)
        if args.mode == "push":
            _Watched(name, joined.credentials, args, cluster)
        self.register_outputs({})

    def _joined(self) -> Joined:
        args = self._args
        member = Side(self, self._name, args.member)
        if args.mode == "push":
            return push(member, self._karmada, args.cluster.name, args.rotate)
        wanted = Agent(args.cluster.name, args.endpoint, args.agent_image)
        return pull(member, self._karmada, wanted, args.control_plane.kubeconfig, args.rotate)

    def _cluster(self, uid: pulumi.Output[str], joined: Joined) -> KubernetesObject:
        content = cluster_object(self._args.cluster)
        spec = {
            **content["spec"],
            "syncMode": self._args.mode.capitalize(),
            "apiEndpoint": self._args.endpoint,
            "id": uid,
            **joined.spec,
        }
        return KubernetesObject(
            f"{self._name}-cluster",
            {**content, "spec": spec},
            pulumi.ResourceOptions.merge(
                self._karmada.options(joined.resources),
                pulumi.ResourceOptions(ignore_changes=["spec.taints", "spec.resourceModels"]),
            ),
        )


class _Watched(pulumi.ComponentResource):
    """That Karmada's controllers watch the member with the credentials that stand.

    It holds nothing. When it changes, the controllers begin anew first; the engine deletes what is
    replaced, such as an old token, after all changes, and not if one of them failed.
    """

    def __init__(
        self,
        name: str,
        credentials: pulumi.Output[str],
        args: MembershipArgs,
        cluster: pulumi.Resource,
    ) -> None:
        super().__init__(
            "federation:compute:Watched",
            name,
            {"credentials": credentials, "endpoint": args.endpoint},
            pulumi.ResourceOptions(
                parent=cluster,
                depends_on=[cluster],
                hooks=pulumi.ResourceHookBinding(before_update=[args.control_plane.handed_over]),
            ),
        )
        self.register_outputs({})
