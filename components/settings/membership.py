"""How a cluster of a compute plane belongs to the federation, and whether it still exists."""

from typing import Literal

from pydantic import StrictBool

from placement.federation.base import Model

Membership = Literal["push", "pull"]


class MemberSettings(Model):
    """What a stack's file says of a cluster's membership, beside the facts of the cluster."""

    membership: Membership = "push"
    """Who speaks first. ``push``: Karmada reaches the member's API with a token, which does not
    expire by itself. ``pull``: an agent in the member reaches Karmada with a certificate for a
    year, and no credential of the member leaves it."""
    lost: StrictBool = False
    """The cluster is gone for good and will never answer again: what stands of it on the Karmada
    API goes, and what stood in the cluster itself is forgotten. Its entry can be deleted then."""
