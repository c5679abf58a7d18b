"""Settings of a compute plane: its clusters, and the software on them."""

from components.settings.compute.accelerators import Accelerators
from components.settings.compute.descheduler import Descheduler
from components.settings.compute.namespaces import NamespaceDefaults
from components.settings.compute.plane import ComputeCluster, ComputeSettings, HetznerMember
from components.settings.compute.software import ComputeSoftware, Metrics, Stateless

__all__ = [
    "Accelerators",
    "ComputeCluster",
    "ComputeSettings",
    "ComputeSoftware",
    "Descheduler",
    "HetznerMember",
    "Metrics",
    "NamespaceDefaults",
    "Stateless",
]
