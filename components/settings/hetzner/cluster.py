"""Settings of a cluster on Hetzner Cloud: the whole, and what its parts must agree on."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, model_validator

from components.settings.hetzner.locations import LOCATIONS, LocationName
from components.settings.hetzner.node import Node
from components.settings.hetzner.pools import CONTROL, ControlPlane, Pool
from components.settings.hetzner.ranges import AddressRanges, SourceRange
from components.settings.hetzner.release import K3s
from components.settings.hetzner.server_types import server_types
from placement.federation.base import NAME_PATTERN, Model

ATTACHMENTS = 100
"""How many servers and load balancers a private network takes."""

GROUP_SIZE = 10
"""How many servers a spread placement group takes."""

GROUPS = 50
"""How many placement groups a project takes."""


FIXED = {"locations", "addresses", "add_ons"}
"""What holds for as long as a cluster lives."""


class HetznerCluster(Model):
    """A cluster of k3s that is made on Hetzner Cloud; the token is the secret ``hcloud:token``."""

    maker: Literal["hetzner"]
    name: Annotated[str, Field(pattern=NAME_PATTERN, max_length=32)]
    locations: Annotated[tuple[LocationName, ...], Field(min_length=1)]
    """Where the nodes stand, dealt one after the other; all in one network zone."""
    k3s: Annotated[K3s, Field(alias="k3s")]
    image: str = "debian-13"
    """The system image; of a server that exists it changes only when the server is replaced."""
    administration: Annotated[tuple[SourceRange, ...], Field(min_length=1)]
    """From where new servers may be reached over SSH, which each of them needs once."""
    addresses: AddressRanges = AddressRanges()
    control_plane: ControlPlane
    pools: tuple[Pool, ...] = ()
    add_ons: StrictBool = False
    """Hetzner's cloud controller and CSI driver, and upgrades of k3s in place. It holds for as long
    as the cluster lives: what names a node cannot change under it."""

    @property
    def zone(self) -> str:
        """The network zone."""
        return LOCATIONS[self.locations[0]].zone

    @property
    def region(self) -> str:
        """Its region: the location, or the network zone where it spans several."""
        return self.locations[0] if len(self.locations) == 1 else self.zone

    def fixed(self) -> dict[str, Any]:
        """The settings that hold for as long as the cluster lives, as they are written."""
        return self.model_dump(mode="json", by_alias=True, include=FIXED)

    def servers(self) -> tuple[Node, ...]:
        """The servers of the control plane."""
        plane = self.control_plane
        return tuple(self._nodes(CONTROL, plane.servers, plane.server_types))

    def agents(self) -> tuple[Node, ...]:
        """The agents of all pools."""
        return tuple(
            node for p in self.pools for node in self._nodes(p.name, p.count, p.server_types)
        )

    def nodes(self) -> tuple[Node, ...]:
        """All nodes, the servers first."""
        return self.servers() + self.agents()

    def _nodes(self, pool: str, count: int, types: tuple[str, ...]) -> Iterator[Node]:
        for index in range(count):
            location = self.locations[index % len(self.locations)]
            yield Node(f"{self.name}-{pool}-{index + 1}", pool, index, location, types)

    @model_validator(mode="after")
    def _agree(self) -> "HetznerCluster":
        for check in (self._one_zone, self._distinct, self._checksums, self._limits):
            check()
        return self

    def _one_zone(self) -> None:
        zones = {name: LOCATIONS[name].zone for name in self.locations}
        if len(set(zones.values())) > 1 or len(zones) < len(self.locations):
            found = ", ".join(f"{name} ({LOCATIONS[name].zone})" for name in self.locations)
            raise ValueError(
                f"read locations {found}; allowed different ones of one network zone, since a "
                "private network reaches no further"
            )

    def _distinct(self) -> None:
        names = [pool.name for pool in self.pools]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"read pools {', '.join(twice)} more than once; allowed each once")

    def _checksums(self) -> None:
        for node in self.nodes():
            for name in node.server_types:
                architecture = server_types()[name].architecture
                if getattr(self.k3s.sha256, architecture) is None:
                    raise ValueError(
                        f"read server type {name}, which is {architecture}, and no "
                        f"k3s.sha256.{architecture}; allowed with the checksum that "
                        f"sha256sum-{architecture}.txt of the release names"
                    )

    def _limits(self) -> None:
        nodes = len(self.nodes())
        if nodes >= ATTACHMENTS:
            raise ValueError(
                f"read {nodes} nodes; allowed {ATTACHMENTS - 1}: a network of Hetzner Cloud takes "
                f"{ATTACHMENTS} attachments, and the load balancer is one. Make a second cluster"
            )
        counts = [self.control_plane.servers, *(pool.count for pool in self.pools)]
        groups = sum(-(-count // GROUP_SIZE) for count in counts)
        if groups > GROUPS:
            raise ValueError(
                f"read pools that need {groups} placement groups; allowed {GROUPS}, the limit of a "
                "project: fewer and larger pools"
            )
