"""The object store to which the plane's backups go."""

from typing import Annotated

from pydantic import Field

from placement.federation.base import Model, ObjectName, Region


class ObjectStore(Model):
    """A bucket outside the carrier that speaks S3; the secret ``federation:backup`` opens it."""

    endpoint: Annotated[str, Field(pattern=r"^https://[^\s/]+$")]
    bucket: ObjectName
    region: Region
    prefix: Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9/-]*[a-z0-9])?$")] = "carrier"
    """The folder of this plane in the bucket."""


class Backup(Model):
    """How often the plane is saved, and for how long the copies are kept."""

    store: ObjectStore
    schedule: Annotated[str, Field(pattern=r"^(\S+ ){4}\S+$")] = "17 */3 * * *"
    """Of etcd's snapshots, in cron's form; with etcd goes what was written since the last."""
    keep_days: Annotated[int, Field(ge=1, le=3650)] = 30
