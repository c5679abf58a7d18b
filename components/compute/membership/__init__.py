"""A cluster's membership in the federation, declared on both sides.

Owns what ``karmadactl join`` and ``karmadactl register`` make, as resources, and what must hold
before a member joins, gets other credentials, or leaves. What runs on members is not its business.
"""

from components.compute.membership.control_plane import ControlPlane
from components.compute.membership.identity import distinct
from components.compute.membership.membership import Membership, MembershipArgs
from components.compute.membership.side import NAMESPACE

__all__ = ["NAMESPACE", "ControlPlane", "Membership", "MembershipArgs", "distinct"]
