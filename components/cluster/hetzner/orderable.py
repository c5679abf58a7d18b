"""What can be ordered at Hetzner Cloud now, by location: one question to its API."""

import pulumi
import pulumi_hcloud as hcloud

from components.cluster.hetzner.choice import Orderable


def orderable() -> Orderable:
    """The server types that can be ordered, by location."""
    found: dict[str, set[str]] = {}
    for kind in hcloud.get_server_types(opts=pulumi.InvokeOptions()).server_types:
        for place in kind.locations:
            if place.available and not place.is_deprecated:
                found.setdefault(place.name, set()).add(kind.name)
    return found
