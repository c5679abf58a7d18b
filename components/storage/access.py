"""What consumers may use: parts of pools, identities and buckets, and the grants that say so.

Owns that each consumer has its own, and that none is asked anything. Its part of a pool outlives
it in the settings: data goes by hand alone, and a consumer that comes back finds it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject
from components.settings.storage import Consumer, StorageSettings
from components.storage import buckets, identities
from components.storage.grants import Grant, Key, MountGrant, Reach, StoreGrant
from components.storage.identities import Identity
from components.storage.names import NAMESPACE
from components.storage.objects import Objects
from components.storage.pools import HTTPS, image_pool
from components.storage.safety import Consent, gone_with, kept, stays

_MONITORS = "rook-ceph-mon-endpoints"
"""The ConfigMap in which Rook keeps the addresses of the monitors."""


@dataclass(frozen=True)
class AccessArgs:
    """What access is given to.

    Attributes:
        spec: the plane's settings.
        provider: of its cluster.
        ceph: the Ceph cluster.
        pools: the last object of each pool, by its name.
        consent: that a delete needs.
    """

    spec: StorageSettings
    provider: kubernetes.Provider
    ceph: KubernetesObject
    pools: Mapping[str, KubernetesObject]
    consent: Consent


class Access(pulumi.ComponentResource):
    """The consumers of a storage plane.

    Attributes:
        grants: what each is given, by its name.
    """

    grants: dict[str, Grant]

    def __init__(
        self, name: str, args: AccessArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        spec = args.spec
        props = {
            "consumers": [each.model_dump(mode="json", by_alias=True) for each in spec.consumers]
        }
        super().__init__("federation:storage:Access", name, props, opts)
        self._spec, self._args = spec, args
        self._objects = Objects(self, args.provider, name, args.consent)
        self._parts = self._own_parts()
        self._keys: dict[str, Key] = {}
        for consumer in spec.consumers:
            self._identify(consumer)
        self._buckets()
        monitors = self._objects.read_config(_MONITORS, NAMESPACE, args.ceph)
        self.grants = {each.name: self._grant(each, monitors) for each in spec.consumers}
        self.register_outputs({})

    def _own_parts(self) -> dict[tuple[str, str], KubernetesObject]:
        made = {}
        for pool in self._spec.pools:
            for owner in self._spec.part_owners(pool):
                content = identities.part(pool.kind, pool.name, image_pool(pool), owner, NAMESPACE)
                after = [self._args.pools[pool.name]]
                held = stays(self._spec, pool.name)
                made[pool.name, owner] = self._objects.make(content, after=after, held=held)
        return made

    def _identify(self, consumer: Consumer) -> None:
        """The identities of *consumer*, with the key of each under the name of its Secret."""
        after = [self._parts[mount.pool, consumer.part(mount)] for mount in consumer.mounts]
        for each in identities.identities(self._spec, consumer):
            self._keep(each, after)
        for user in buckets.users(self._spec, consumer):
            made = self._objects.make(
                user.manifest(), after=[self._args.pools[user.pool]], held=gone_with(self._spec)
            )
            data = self._objects.read_secret(user.secret, NAMESPACE, made)
            self._keys[user.secret] = Key(
                data.apply(lambda found: found["AccessKey"]),
                data.apply(lambda found: found["SecretKey"]),
            )

    def _keep(self, identity: Identity, after: list[KubernetesObject]) -> None:
        made = self._objects.make(identity.manifest(), after=after, held=gone_with(self._spec))
        data = self._objects.read_secret(identity.secret, NAMESPACE, made)
        self._keys[identity.secret] = Key(
            data.apply(lambda found: found["userID"]), data.apply(lambda found: found["userKey"])
        )

    def _buckets(self) -> None:
        classes = {
            pool: self._objects.make(
                buckets.storage_class(pool),
                after=[self._args.pools[pool]],
                held=gone_with(self._spec),
            )
            for pool in sorted({bucket.pool for bucket in self._spec.buckets})
        }
        for bucket in self._spec.buckets:
            self._objects.make(
                buckets.claim(self._spec, bucket),
                after=[classes[bucket.pool]],
                held=kept(self._spec, f"bucket/{bucket.name}"),
            )

    def _grant(self, consumer: Consumer, monitors: pulumi.Output[Mapping[str, str]]) -> Grant:
        """What *consumer* is given: its newest key of each kind."""
        spec, key = self._spec, consumer.keys[-1]
        mounts = tuple(
            MountGrant(
                pool=pool.name,
                kind=pool.kind,
                header_pool=image_pool(pool),
                part=consumer.part(mount),
                keys={
                    role: self._keys[
                        identities.identity(
                            consumer.name, pool, consumer.part(mount), role, key
                        ).secret
                    ]
                    for role in identities.roles(mount)
                },
            )
            for mount in consumer.mounts
            for pool in (spec.pool(mount.pool),)
        )
        return Grant(
            plane=spec.cluster.name,
            reach=self._reach(consumer, monitors) if mounts else None,
            mounts=mounts,
            stores=tuple(self._store(consumer, pool) for pool in buckets.stores(spec, consumer)),
        )

    def _reach(self, consumer: Consumer, monitors: pulumi.Output[Mapping[str, str]]) -> Reach:
        status: pulumi.Output[Any] = pulumi.get(self._args.ceph, "status")
        return Reach(
            fsid=status.apply(lambda found: found["ceph"]["fsid"]),
            monitors=monitors.apply(lambda found: found["data"]),
            last_monitor=monitors.apply(lambda found: found["maxMonId"]),
            key=self._keys[identities.health(consumer.name, consumer.keys[-1]).secret],
        )

    def _store(self, consumer: Consumer, pool: str) -> StoreGrant:
        homes = {bucket.name: bucket.pool for bucket in self._spec.buckets}
        host = self._spec.gateway.host if self._spec.gateway else ""
        return StoreGrant(
            pool=pool,
            endpoint=f"https://{host}:{HTTPS}",
            key=self._keys[buckets.user(self._spec, consumer, pool, consumer.keys[-1]).secret],
            buckets={
                used.name: used.access for used in consumer.buckets if homes[used.name] == pool
            },
        )
