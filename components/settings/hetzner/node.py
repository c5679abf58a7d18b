"""One node of a cluster as planned: its name, and where it goes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A node. Every field follows from the settings alone and never changes as others come or go.

    Attributes:
        name: of the server, unique in the Hetzner project; for servers also the Kubernetes name.
        pool: the pool it belongs to; of a server, the control plane.
        index: its place in the pool, from 0.
        location: where it stands.
        server_types: what it may be, in order of preference.
    """

    name: str
    pool: str
    index: int
    location: str
    server_types: tuple[str, ...]
