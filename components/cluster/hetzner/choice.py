"""Which server type each node is: the first of its list that can be ordered, and then for good.

Owns the choice alone. What can be ordered is read by ``orderable.py``; what a node was made as is
the stack's own last output.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from components.settings.hetzner import Node
from components.settings.hetzner.server_types import PriceList

Orderable = Mapping[str, Collection[str]]
"""The server types that can be ordered, by location."""


@dataclass(frozen=True)
class SoldOut:
    """A node none of whose server types can be ordered.

    Attributes:
        node: the node.
        instead: types that can, with at least as much of everything as its first, cheapest first;
            one whose price is unknown comes last.
    """

    node: Node
    instead: tuple[str, ...]


def settled(node: Node, pinned: Mapping[str, str], replace: str | None) -> str | None:
    """The type that *node* has and keeps; None where one is to be chosen.

    Args:
        node: the node.
        pinned: the type of each node that exists, by name.
        replace: the node that may change in this run.
    """
    return None if node.name == replace else pinned.get(node.name)


def choose(node: Node, orderable: Orderable, prices: PriceList, zone: str) -> str | SoldOut:
    """The first type of *node* that can be ordered."""
    available = orderable.get(node.location, ())
    for name in node.server_types:
        if name in available:
            return name
    wanted = prices.types[node.server_types[0]]
    enough = [
        name
        for name, found in prices.types.items()
        if name in available
        and found.architecture == wanted.architecture
        and found.cores >= wanted.cores
        and found.memory >= wanted.memory
    ]
    # A type whose price is unknown comes last.
    enough.sort(
        key=lambda name: (prices.server(name, zone) is None, prices.server(name, zone), name)
    )
    return SoldOut(node, tuple(enough[:3]))
