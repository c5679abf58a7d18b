"""What a stack's configuration may say: one frozen model a plane."""

from components.settings.carrier import CarrierSettings, ExistingCluster
from components.settings.compute import ComputeCluster, ComputeSettings
from components.settings.federation import FederationSettings
from components.settings.hetzner import HetznerCluster
from components.settings.stack import Stacks, StackSettings, fault, read

__all__ = [
    "CarrierSettings",
    "ComputeCluster",
    "ComputeSettings",
    "ExistingCluster",
    "FederationSettings",
    "HetznerCluster",
    "StackSettings",
    "Stacks",
    "fault",
    "read",
]
