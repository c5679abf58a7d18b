"""The machines of a storage plane and their devices."""

from typing import Annotated

from pydantic import Field, model_validator

from placement.federation.base import Model, ObjectName, Quantity, Region

DevicePath = Annotated[str, Field(pattern=r"^/dev/disk/by-(id|path)/[A-Za-z0-9@:._+-]+$")]
"""A device by a name that a reboot does not change; ``/dev/sdb`` may be another disk next time."""


class Device(Model):
    """A whole disk that Ceph takes: what is on it is lost."""

    path: DevicePath
    size: Quantity
    """Bytes, as the maker says them: ``3840G``."""

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rsplit("/", 1)[-1]


class StorageNode(Model):
    """A machine that holds data and nothing else."""

    name: ObjectName
    """Its ``kubernetes.io/hostname``."""
    zone: Region | None = None
    """Its ``topology.kubernetes.io/zone``."""
    devices: Annotated[tuple[Device, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _distinct(self) -> "StorageNode":
        names = [device.path for device in self.devices]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"read {', '.join(twice)} more than once; allowed each device once")
        return self
