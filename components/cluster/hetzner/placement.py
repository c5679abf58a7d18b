"""Which nodes must not share a physical host: spread placement groups, of ten servers at most."""

from collections.abc import Iterable

import pulumi
import pulumi_hcloud as hcloud

from components.settings.hetzner import Node
from components.settings.hetzner.cluster import GROUP_SIZE


def group_of(cluster: str, node: Node) -> str:
    """The name of the group that *node* is in; it never changes as others come or go."""
    return f"{cluster}-{node.pool}-{node.index // GROUP_SIZE + 1}"


def placement_groups(
    cluster: str, nodes: Iterable[Node], labels: dict[str, str], opts: pulumi.ResourceOptions
) -> dict[str, hcloud.PlacementGroup]:
    """The groups that *nodes* need, by name."""
    names = dict.fromkeys(group_of(cluster, node) for node in nodes)
    return {
        name: hcloud.PlacementGroup(name, name=name, type="spread", labels=labels, opts=opts)
        for name in names
    }
