"""The numeric id of a Hetzner Cloud resource, which most of its inputs demand."""

import pulumi


def number(resource: pulumi.CustomResource) -> pulumi.Output[int]:
    """The id of *resource* as a number."""
    return resource.id.apply(int)
