"""What a stack's configuration may say: one frozen model a plane."""

from components.settings.carrier import CarrierSettings, ExistingCluster
from components.settings.compute import ComputeCluster, ComputeSettings, HetznerMember
from components.settings.federation import FederationSettings
from components.settings.hetzner import HetznerCluster
from components.settings.mirror import Mirror
from components.settings.stack import Stacks, StackSettings, fault, read
from components.settings.storage import StorageSettings

__all__ = [
    "CarrierSettings",
    "ComputeCluster",
    "ComputeSettings",
    "ExistingCluster",
    "FederationSettings",
    "HetznerCluster",
    "HetznerMember",
    "Mirror",
    "StackSettings",
    "Stacks",
    "StorageSettings",
    "fault",
    "read",
]
