"""What a consumer is given, in the form in which one stack publishes it and another reads it.

Owns that form. All of it is secret: it is a part of the output ``access``. Whoever may read that
output reads every consumer's keys; scoped are they in Ceph, not in Pulumi's state.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from placement.faults import FederationError

SCHEMA = "federation/storage-access/v1"


@dataclass(frozen=True)
class Key:
    """A Ceph user or an S3 user.

    Attributes:
        name: its id.
        secret: its key; a secret.
    """

    name: pulumi.Output[str]
    secret: pulumi.Output[str]

    def document(self) -> dict[str, Any]:
        """Its form."""
        return {"id": self.name, "key": self.secret}


@dataclass(frozen=True)
class MountGrant:
    """A part of a pool that a consumer mounts.

    Attributes:
        pool: its name.
        kind: ``block`` or ``filesystem``.
        header_pool: where the headers of images are.
        part: whose part of the pool.
        keys: by role: ``provisioner`` and ``node``, or ``reader``.
    """

    pool: str
    kind: str
    header_pool: str
    part: str
    keys: Mapping[str, Key]


@dataclass(frozen=True)
class StoreGrant:
    """An object store that a consumer uses.

    Attributes:
        pool: its name.
        endpoint: its URL.
        key: the user.
        buckets: what may be done with each.
    """

    pool: str
    endpoint: str
    key: Key
    buckets: Mapping[str, str]


@dataclass(frozen=True)
class Reach:
    """How a consumer's operator reaches the plane.

    Attributes:
        fsid: the id of the Ceph cluster.
        monitors: their addresses, as Rook writes them.
        last_monitor: the highest number of a monitor so far.
        key: the identity that asks whether the plane is well.
    """

    fsid: pulumi.Output[str]
    monitors: pulumi.Output[str]
    last_monitor: pulumi.Output[str]
    key: Key


@dataclass(frozen=True)
class Grant:
    """All that a consumer is given.

    Attributes:
        plane: the name of the plane's cluster.
        reach: how to reach it; None where nothing is mounted.
        mounts: what is mounted.
        stores: the object stores.
    """

    plane: str
    reach: Reach | None
    mounts: tuple[MountGrant, ...]
    stores: tuple[StoreGrant, ...]

    def document(self) -> dict[str, Any]:
        """The form that is published."""
        reach = self.reach and {
            "fsid": self.reach.fsid,
            "monitors": self.reach.monitors,
            "lastMonitor": self.reach.last_monitor,
            "key": self.reach.key.document(),
        }
        return {
            "schema": SCHEMA,
            "plane": self.plane,
            **({"reach": reach} if reach else {}),
            "mounts": [
                {
                    "pool": mount.pool,
                    "kind": mount.kind,
                    "headerPool": mount.header_pool,
                    "part": mount.part,
                    "keys": {role: key.document() for role, key in mount.keys.items()},
                }
                for mount in self.mounts
            ],
            "stores": [
                {
                    "pool": store.pool,
                    "endpoint": store.endpoint,
                    "key": store.key.document(),
                    "buckets": dict(store.buckets),
                }
                for store in self.stores
            ],
        }


def read(stack: str, consumer: str, published: Mapping[str, Any]) -> Grant:
    """What the storage stack *stack* published for *consumer*.

    Args:
        stack: its name.
        consumer: the cluster.
        published: by consumer, as ``outputs.read`` found it.

    Raises:
        FederationError: nothing, or in another form.
    """
    found = published.get(consumer)
    if found is None:
        raise FederationError(
            f"stack {stack} has no consumer {consumer}; write it under "
            f"federation:storage.consumers of Pulumi.{stack}.yaml and bring that stack up"
        )
    if found.get("schema") != SCHEMA:
        raise FederationError(
            f"stack {stack} published access of schema {found.get('schema')!r} for {consumer}; "
            f"this version reads {SCHEMA!r}: bring {stack} up with the same version of the program"
        )
    reach = found.get("reach")
    return Grant(
        plane=found["plane"],
        reach=reach
        and Reach(
            fsid=pulumi.Output.secret(reach["fsid"]),
            monitors=pulumi.Output.secret(reach["monitors"]),
            last_monitor=pulumi.Output.secret(reach["lastMonitor"]),
            key=_key(reach["key"]),
        ),
        mounts=tuple(
            MountGrant(
                pool=mount["pool"],
                kind=mount["kind"],
                header_pool=mount["headerPool"],
                part=mount["part"],
                keys={role: _key(key) for role, key in mount["keys"].items()},
            )
            for mount in found["mounts"]
        ),
        stores=tuple(
            StoreGrant(
                pool=store["pool"],
                endpoint=store["endpoint"],
                key=_key(store["key"]),
                buckets=store["buckets"],
            )
            for store in found["stores"]
        ),
    )


def _key(found: Mapping[str, str]) -> Key:
    return Key(pulumi.Output.secret(found["id"]), pulumi.Output.secret(found["key"]))
