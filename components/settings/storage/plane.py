"""The storage plane as a whole, and what its parts must agree on.

What a plan must survive is counted in ``survival``; what a plan may not become once data is in it
is for ``components/storage/safety``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from components.settings.carrier import ExistingCluster
from components.settings.storage.consumers import Consumer
from components.settings.storage.mirror import MirrorOf
from components.settings.storage.nodes import StorageNode
from components.settings.storage.pools import Bucket, Gateway, Pool
from components.settings.storage.survival import Stored, shortfalls
from placement.federation.base import Amount, Model, Money, Namespace
from placement.quantity import parse_quantity

FailureDomain = Literal["host", "zone"]


class StorageSettings(Model):
    """A storage plane: a cluster that keeps data and runs nothing else."""

    cluster: ExistingCluster
    failure_domain: FailureDomain = "host"
    """What may be lost at once: a machine, or a zone where the location has three."""
    monitors: Literal[3, 5] = 3
    nodes: Annotated[tuple[StorageNode, ...], Field(min_length=3)]
    pools: tuple[Pool, ...] = ()
    gateway: Gateway | None = None
    buckets: tuple[Bucket, ...] = ()
    consumers: tuple[Consumer, ...] = ()
    mount_limit: Amount = Field(default="10", validate_default=True)
    """Milliseconds of round trip up to which block and file mounts are of use."""
    mirror_of: MirrorOf | None = None
    system_namespaces: tuple[Namespace, ...] = ()
    """Whose pods may run beside Ceph: the cluster's own software, such as its monitoring."""
    alerts: bool = False
    """Whether PrometheusRule objects are written; the cluster must have their kind."""
    cost: Money | None = None
    """What the machines cost a month, for the list of what a tear-down leaves."""
    allow: str | None = None
    """The one thing that may be taken away in this run, such as ``pool/models``."""

    def domains(self) -> dict[str, int]:
        """The bytes of all devices, by failure domain."""
        found: Counter[str] = Counter()
        for node in self.nodes:
            name = node.name if self.failure_domain == "host" else str(node.zone)
            found[name] += sum(int(parse_quantity(device.size)) for device in node.devices)
        return dict(found)

    def pool(self, name: str) -> Pool:
        """The pool *name*."""
        return next(pool for pool in self.pools if pool.name == name)

    def part_owners(self, pool: Pool) -> tuple[str, ...]:
        """The consumers that have a part of *pool* of their own."""
        return tuple(
            consumer.name
            for consumer in self.consumers
            for mount in consumer.mounts
            if mount.pool == pool.name and consumer.part(mount) == consumer.name
        )

    @field_validator("cluster", mode="before")
    @classmethod
    def _stands(cls, value: object) -> object:
        """Said at once: its other settings would each be an unknown key."""
        if isinstance(value, Mapping) and value.get("maker") == "hetzner":
            raise ValueError(
                "read maker hetzner; allowed existing: Ceph knows its disks by the names of nodes "
                "and devices, and on Hetzner Cloud an agent that is replaced gets another name, "
                "and a volume has none before it is made. Make the cluster on machines with disks "
                "of their own, such as dedicated servers, and set its kubeconfig as the secret "
                "federation:kubeconfig"
            )
        return value

    @model_validator(mode="after")
    def _agree(self) -> "StorageSettings":
        for check in (
            self._distinct,
            self._zones,
            self._survives,
            self._named,
            self._mirrors,
            self._near,
            self._resident,
        ):
            for message in check():
                raise ValueError(message)
        return self

    def _distinct(self) -> Iterator[str]:
        every = {
            "nodes": [node.name for node in self.nodes],
            "pools": [pool.name for pool in self.pools],
            "buckets": [bucket.name for bucket in self.buckets],
            "consumers": [consumer.name for consumer in self.consumers],
        }
        for kind, names in every.items():
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                yield f"read {kind} {', '.join(twice)} more than once; allowed each once"

    def _zones(self) -> Iterator[str]:
        if self.failure_domain != "zone":
            return
        without = [node.name for node in self.nodes if node.zone is None]
        if without:
            yield (
                f"read failureDomain zone and {', '.join(without)} without one; allowed a zone for "
                "every node, or failureDomain host where the location has but one"
            )

    def _survives(self) -> Iterator[str]:
        stored = [
            Stored(pool.name, pool.redundancy, int(parse_quantity(pool.holds)))
            for pool in self.pools
        ]
        yield from shortfalls(self.domains(), stored, self.monitors)

    def _named(self) -> Iterator[str]:
        kinds = {pool.name: pool.kind for pool in self.pools}
        if "objects" in kinds.values() and self.gateway is None:
            yield "read a pool of kind objects and no gateway; allowed with gateway.host"
        for bucket in self.buckets:
            if kinds.get(bucket.pool) != "objects":
                yield f"read bucket {bucket.name} in {bucket.pool}; allowed a pool of kind objects"
        buckets = {bucket.name for bucket in self.buckets}
        names = {consumer.name for consumer in self.consumers}
        for consumer in self.consumers:
            for mount in consumer.mounts:
                if kinds.get(mount.pool) not in ("block", "filesystem"):
                    yield (
                        f"read mount {mount.pool} of {consumer.name}; allowed a pool of kind block "
                        "or filesystem"
                    )
                if consumer.part(mount) not in names:
                    yield f"read owner {mount.owner}; allowed one of {', '.join(sorted(names))}"
            for used in consumer.buckets:
                if used.name not in buckets:
                    allowed = ", ".join(sorted(buckets)) or "none, since there are no buckets"
                    yield f"read bucket {used.name} of {consumer.name}; allowed {allowed}"

    def _mirrors(self) -> Iterator[str]:
        blocks = {pool.name: pool for pool in self.pools if pool.kind == "block"}
        for name in self.mirror_of.pools if self.mirror_of else ():
            if name not in blocks:
                yield f"read mirrorOf pool {name}; allowed a pool of kind block of this plane"
            elif blocks[name].mirror is not None:
                yield (
                    f"read pool {name} with mirror and in mirrorOf; allowed one of the two: it is "
                    "the original or the copy"
                )

    def _near(self) -> Iterator[str]:
        """A mount over the limit would stall whatever waits for a disk: the object store does."""
        buckets = ", ".join(sorted(bucket.name for bucket in self.buckets))
        instead = f"buckets ({buckets})" if buckets else "buckets, in a pool of kind objects"
        for consumer in self.consumers:
            if not consumer.mounts:
                continue
            pools = ", ".join(mount.pool for mount in consumer.mounts)
            if consumer.round_trip is None:
                yield (
                    f"read mounts {pools} of {consumer.name} and no roundTrip; allowed with a "
                    f"measured one of at most {self.mount_limit} ms, or {instead}"
                )
            elif consumer.round_trip.milliseconds > self.mount_limit:
                yield (
                    f"read mounts {pools} of {consumer.name}, which is "
                    f"{consumer.round_trip.milliseconds} ms away; allowed at most "
                    f"{self.mount_limit} ms (mountLimit), or {instead}"
                )

    def _resident(self) -> Iterator[str]:
        where = {self.cluster.name: self.cluster.jurisdiction}
        for pool in self.pools:
            users = {
                consumer.name: consumer.jurisdiction
                for consumer in self.consumers
                if pool.name in self.pools_of(consumer)
            }
            for name, jurisdiction in {**where, **users}.items():
                if pool.residency and jurisdiction not in pool.residency:
                    yield (
                        f"read pool {pool.name} with residency {', '.join(pool.residency)} and "
                        f"{name} in {jurisdiction or 'no jurisdiction that is known'}; allowed "
                        "only there"
                    )

    def pools_of(self, consumer: Consumer) -> set[str]:
        """The pools whose data *consumer* sees."""
        homes = {bucket.name: bucket.pool for bucket in self.buckets}
        mounted = {mount.pool for mount in consumer.mounts}
        return mounted | {homes[used.name] for used in consumer.buckets}
