"""What a stack's configuration may say of a cluster on Hetzner Cloud."""

from components.settings.hetzner.cluster import HetznerCluster
from components.settings.hetzner.locations import LOCATIONS, Location
from components.settings.hetzner.node import Node
from components.settings.hetzner.pools import ControlPlane, Pool
from components.settings.hetzner.ranges import AddressRanges
from components.settings.hetzner.release import K3s
from components.settings.hetzner.server_types import ServerType, server_types

__all__ = [
    "LOCATIONS",
    "AddressRanges",
    "ControlPlane",
    "HetznerCluster",
    "K3s",
    "Location",
    "Node",
    "Pool",
    "ServerType",
    "server_types",
]
