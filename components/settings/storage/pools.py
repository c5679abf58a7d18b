"""Pools of a storage plane, and the buckets in them."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from components.settings.storage.survival import Redundancy, erasure_coded, replicated
from placement.federation.base import NAME_PATTERN, Model, Quantity

PoolName = Annotated[str, Field(pattern=NAME_PATTERN, max_length=32)]
BucketName = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", min_length=3)]
Interval = Annotated[str, Field(pattern=r"^[1-9][0-9]*[mhd]$")]
"""As Ceph writes it: ``15m``, ``6h``, ``1d``."""

Jurisdiction = Annotated[str, Field(min_length=1)]
"""Whose law holds where data is, as a cluster's ``jurisdiction``."""


class Erasure(Model):
    """Erasure coding: less room than copies, more work on a loss."""

    data: Annotated[int, Field(strict=True, ge=2, le=16)]
    coding: Annotated[int, Field(strict=True, ge=2, le=8)]
    """At least 2: with 1, a loss leaves data that Ceph still writes and nothing to spare."""


class Pool(Model):
    """A pool and what it is for.

    ``block`` is RBD, ``filesystem`` CephFS and ``objects`` S3. Metadata always has three copies.
    """

    name: PoolName
    kind: Literal["block", "filesystem", "objects"]
    replicas: Annotated[int, Field(strict=True, ge=3, le=5)] | None = None
    erasure: Erasure | None = None
    holds: Quantity
    """The most that it may hold, before redundancy; a quota."""
    residency: tuple[Jurisdiction, ...] = ()
    """The jurisdictions that its data may be in; none: any."""
    mirror: Interval | None = None
    """How often a second plane may take what changed; of a block pool alone."""

    @property
    def redundancy(self) -> Redundancy:
        """How it keeps its data."""
        if self.erasure is not None:
            return erasure_coded(self.erasure.data, self.erasure.coding)
        return replicated(self.replicas or 3)

    @model_validator(mode="after")
    def _agree(self) -> "Pool":
        if self.replicas is not None and self.erasure is not None:
            raise ValueError("read replicas and erasure; allowed one of the two")
        if self.erasure is not None and self.kind == "filesystem":
            raise ValueError(
                "read erasure for a filesystem; allowed replicas: its first data pool keeps what "
                "every file points back to, which erasure coding makes slow"
            )
        if self.mirror is not None and self.kind != "block":
            raise ValueError(f"read mirror for {self.kind}; allowed for kind block alone")
        return self


class Bucket(Model):
    """A bucket of a pool of kind ``objects``."""

    name: BucketName
    pool: PoolName


class Gateway(Model):
    """How the object store is reached; by TLS alone."""

    host: Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")]
    """The name that consumers use and that the certificate is for."""
    certificate: Annotated[str, Field(pattern=NAME_PATTERN, max_length=63)]
    """A Secret of type ``kubernetes.io/tls`` in the namespace ``rook-ceph``."""
    instances: Annotated[int, Field(strict=True, ge=2, le=16)] = 2
