"""The federation file: what it may say, how it is read, what is wrong with it."""

from placement.federation.cluster import Cluster, NodeClass, Taint
from placement.federation.federation import Federation
from placement.federation.file import load, manifest
from placement.federation.intent import Groups
from placement.federation.workload import Workload

__all__ = [
    "Cluster",
    "Federation",
    "Groups",
    "NodeClass",
    "Taint",
    "Workload",
    "load",
    "manifest",
]
