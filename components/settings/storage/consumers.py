"""Who uses a storage plane, and what each may do there."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from components.settings.storage.pools import BucketName, Jurisdiction, PoolName
from placement.federation.base import Amount, ClusterName, Model, Sourced

Access = Literal["read", "write"]


class RoundTrip(Sourced):
    """The time that a message takes there and back, measured between the two clusters."""

    milliseconds: Amount


class Mount(Model):
    """A pool of kind ``block`` or ``filesystem`` that a consumer mounts.

    Each consumer has a part of the pool of its own and reaches no other.
    """

    pool: PoolName
    access: Access = "write"
    owner: ClusterName | None = None
    """Whose part it is; with ``access: read``, another consumer's."""


class BucketAccess(Model):
    """A bucket that a consumer uses over S3."""

    name: BucketName
    access: Access = "read"


class Consumer(Model):
    """A cluster that uses the plane, with an identity of its own."""

    name: ClusterName
    jurisdiction: Jurisdiction | None = None
    round_trip: RoundTrip | None = None
    mounts: tuple[Mount, ...] = ()
    buckets: tuple[BucketAccess, ...] = ()
    keys: Annotated[tuple[Annotated[int, Field(strict=True, ge=1)], ...], Field(min_length=1)] = (
        1,
    )
    """Numbers of its keys, all of them valid; the last is the one handed out."""

    @model_validator(mode="after")
    def _agree(self) -> "Consumer":
        if list(self.keys) != sorted(set(self.keys)) or len(self.keys) > 2:
            raise ValueError(
                f"read keys {list(self.keys)}; allowed one, or during a change two, the later one "
                "higher: [1], then [1, 2], then [2]"
            )
        for kind, names in (
            ("mounts", [mount.pool for mount in self.mounts]),
            ("buckets", [bucket.name for bucket in self.buckets]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"read {kind} {', '.join(twice)} more than once; allowed once")
        for mount in self.mounts:
            if mount.owner not in (None, self.name) and mount.access == "write":
                raise ValueError(
                    f"read access write to the part of {mount.owner}; allowed read: each writes "
                    "into its own alone"
                )
        return self

    def part(self, mount: Mount) -> str:
        """Whose part of the pool *mount* is of."""
        return mount.owner or self.name
