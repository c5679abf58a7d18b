"""Settings of a storage plane, a module for each thing that it has."""

from components.settings.storage.consumers import BucketAccess, Consumer, Mount, RoundTrip
from components.settings.storage.mirror import MirrorOf
from components.settings.storage.nodes import Device, StorageNode
from components.settings.storage.plane import StorageSettings
from components.settings.storage.pools import Bucket, Erasure, Gateway, Pool

__all__ = [
    "Bucket",
    "BucketAccess",
    "Consumer",
    "Device",
    "Erasure",
    "Gateway",
    "MirrorOf",
    "Mount",
    "Pool",
    "RoundTrip",
    "StorageNode",
    "StorageSettings",
]
