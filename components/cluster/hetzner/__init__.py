"""A cluster that is made on Hetzner Cloud: the address plan, the machines, and how they join."""

from components.cluster.hetzner.cluster import Hetzner
from components.cluster.hetzner.prepare import Prepared, prepare

__all__ = ["Hetzner", "Prepared", "prepare"]
