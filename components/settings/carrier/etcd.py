"""Karmada's store: three etcd members of ours."""

from pydantic import Field

from placement.federation.base import Model, ObjectName, Quantity, Resources


class Etcd(Model):
    """Three members, each with a volume of its own; fewer survive nothing, more only slow it."""

    storage_class: ObjectName | None = None
    """Of the members' volumes; absent: the one that Longhorn keeps for etcd."""
    storage: Quantity = "20Gi"
    """Of each member: the quota twice over, since a defragmentation writes the store anew."""
    quota: Quantity = "8Gi"
    """The largest store that etcd takes writes for; above it, everything is refused."""
    founded: bool = False
    """True once the members hold data: an empty one then joins them, and none founds a second
    store where all volumes are lost."""
    request: Resources = Field(default={"cpu": "500m", "memory": "2Gi"})
    """What each member asks for."""
