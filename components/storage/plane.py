"""The storage plane, in the order in which it is made; it goes in the opposite one.

Owns that order: the nodes are set apart, then the operator, the Ceph cluster, its pools, the
consumers' parts and identities, and what is published to them. Nothing here asks a consumer
anything, so none can hold up the plane by being away.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components import outputs
from components.admission import Namespaces, NoUserWorkloads, NoUserWorkloadsArgs
from components.carrier.rancher import RUN_TIME, Imported, ImportedArgs, Reached
from components.catalogue import Installer
from components.cluster import Kubeconfig, kubeconfig
from components.resource import KubernetesObject
from components.settings import StackSettings
from components.settings.mirror import Mirror
from components.settings.storage import StorageSettings
from components.storage import alerts, mirror, operator, pools, record
from components.storage.access import Access, AccessArgs
from components.storage.ceph import ceph_cluster, node_labels
from components.storage.mirror import Peer
from components.storage.names import NAMESPACE, TAINT
from components.storage.objects import Objects
from components.storage.retained import report, retained
from components.storage.safety import Consent, erases, gone_with, kept, leaves, refuse


@dataclass(frozen=True)
class StorageArgs:
    """What the plane is made from.

    Attributes:
        spec: its settings.
        kubeconfig: how its cluster is reached.
        source: where charts and images come from, if not from their makers.
        peers: the originals of the pools that are mirrored here.
        rancher: how the carrier's Rancher is called; None where the plane is not shown in one.
    """

    spec: StorageSettings
    kubeconfig: Kubeconfig
    source: Mirror | None
    peers: Mapping[str, Peer]
    rancher: Reached | None = None


class StoragePlane(pulumi.ComponentResource):
    """A Ceph cluster and what its consumers may use of it.

    Attributes:
        access: what is published, by consumer, and the tokens of mirrored pools; secret.
    """

    access: dict[str, Any]

    def __init__(
        self, name: str, args: StorageArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        spec = args.spec
        props = spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:storage:Storage", name, props, opts)
        self._name, self._spec, self._args = name, spec, args
        whole = f"{name}-{spec.cluster.name}"
        self._cluster = kubernetes.Provider(
            whole,
            kubeconfig=args.kubeconfig.text,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=whole,
            enable_server_side_apply=True,
            # Else another token of a mirror would take the old one away first.
            enable_secret_mutable=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self._installer = Installer(self._cluster, args.source)
        consent = Consent(spec)
        self._objects = Objects(self, self._cluster, name, consent)
        self._import()
        ready = self._operator()
        ceph = self._ceph(ready)
        made = self._pools(ceph)
        self._watch(made)
        access = Access(
            name,
            AccessArgs(spec, self._cluster, ceph, made, consent),
            pulumi.ResourceOptions(parent=self),
        )
        self.access = {
            "consumers": {name: grant.document() for name, grant in access.grants.items()},
            "peers": self._tokens(made),
        }
        self.register_outputs({})

    def _import(self) -> None:
        """Show the cluster in the carrier's Rancher, if the stack names a carrier that has one."""
        if self._args.rancher is None:
            return
        cluster, image = self._spec.cluster.name, self._installer.image("kubectl")
        Imported(
            f"{cluster}-rancher",
            ImportedArgs(cluster, "storage", self._args.rancher, self._cluster, image),
            pulumi.ResourceOptions(parent=self),
        )

    def _operator(self) -> list[pulumi.Resource]:
        """The nodes set apart, and the operator on them; nobody else's pods."""
        first = [
            self._objects.make(_namespace(), held=kept(self._spec)),
            NoUserWorkloads(
                self._name,
                NoUserWorkloadsArgs(
                    self._cluster,
                    Namespaces(
                        (NAMESPACE, *self._spec.system_namespaces),
                        RUN_TIME if self._args.rancher is not None else (),
                    ),
                ),
                pulumi.ResourceOptions(parent=self),
            ),
            *(self._dedicated(node.name) for node in self._spec.nodes),
        ]
        return operator.install(self._installer, self, first, monitored=self._spec.alerts)

    def _dedicated(self, node: str) -> pulumi.Resource:
        taint = {"key": TAINT, "value": "true", "effect": "NoSchedule"}
        return kubernetes.core.v1.NodePatch(
            f"{self._name}-{node}",
            metadata={"name": node, "labels": node_labels()},
            spec={"taints": [taint]},
            opts=pulumi.ResourceOptions(parent=self, provider=self._cluster),
        )

    def _ceph(self, ready: list[pulumi.Resource]) -> KubernetesObject:
        image = self._installer.image("ceph")
        content = ceph_cluster(self._spec, image, erase=erases(self._spec))
        return self._objects.make(content, after=ready, held=kept(self._spec))

    def _pools(self, ceph: KubernetesObject) -> dict[str, KubernetesObject]:
        """The last object of each pool, by its name."""
        spec, made = self._spec, dict[str, KubernetesObject]()
        for name, peer in self._args.peers.items():
            token: dict[str, pulumi.Input[str]] = {
                "pool": peer.header_pool,
                "token": peer.token,
            }
            self._objects.secret(pools.peer_secret(name), NAMESPACE, token, after=[ceph])
        for pool in spec.pools:
            after: list[pulumi.Resource] = [ceph]
            for content in pools.manifests(spec, pool):
                held = kept(spec, f"pool/{pool.name}")
                made[pool.name] = self._objects.make(content, after=after, held=held)
                after.append(made[pool.name])
        if spec.mirror_of is not None:
            mirrored = [made[name] for name in spec.mirror_of.pools]
            self._objects.make(mirror.daemon(spec), after=mirrored, held=gone_with(spec))
        return made

    def _watch(self, made: Mapping[str, KubernetesObject]) -> None:
        if self._spec.alerts:
            self._objects.make(alerts.rule(self._spec), after=list(made.values()))

    def _tokens(self, made: Mapping[str, KubernetesObject]) -> dict[str, Any]:
        """What a second plane needs of each pool that it may mirror."""
        offered = {}
        for pool in self._spec.pools:
            if pool.mirror is not None:
                header = pools.image_pool(pool)
                secret = mirror.token_secret(header)
                data = self._objects.read_secret(secret, NAMESPACE, made[pool.name])
                offered[pool.name] = {
                    "headerPool": header,
                    "token": data.apply(lambda found: found["token"]),
                    "residency": list(pool.residency),
                }
        return offered


async def storage(settings: StackSettings) -> Mapping[str, Any]:
    """Build the storage plane; what it publishes."""
    if settings.storage is None:
        raise ValueError("the settings of a storage stack hold its own")
    spec = settings.storage
    now = record.record(spec)
    refuse(spec, await record.last(), now)
    if leaves(spec):
        pulumi.log.warn("\n".join(report(spec)))
    args = StorageArgs(
        spec,
        kubeconfig.read(),
        settings.mirror,
        await mirror.peers(spec),
        await _rancher(settings),
    )
    plane = StoragePlane(pulumi.get_stack(), args)
    place = spec.cluster.model_dump(mode="json", by_alias=True, exclude={"maker", "as_of"})
    return {
        **outputs.publish(
            "storage",
            spec.cluster.as_of.isoformat(),
            [place],
            {spec.cluster.name: args.kubeconfig.text},
            storage=plane.access,
        ),
        "storage": record.document(now, retained(spec)),
    }


async def _rancher(settings: StackSettings) -> Reached | None:
    """How the Rancher of the carrier is called that the stack names, if it names one."""
    if settings.stacks is None:
        return None
    published = (await outputs.read(settings.stacks.carrier)).rancher
    return Reached.read(published) if published else None


def _namespace() -> dict[str, Any]:
    # Daemons take whole disks.
    labels = {"pod-security.kubernetes.io/enforce": "privileged"}
    metadata = {"name": NAMESPACE, "labels": labels}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
