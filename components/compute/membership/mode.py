"""A member keeps the mode in which it has joined.

Owns the refusal of the other one. Karmada's own commands know no way between the two: ``unjoin``
refuses a member in pull mode and ``unregister`` one in push mode. Nor is there one run that could
do it: an agent does not start while the ``Cluster`` object says ``Push``, since it may not change
it; and on the way back the agent's namespace would go with the Works in it, and with these what
runs in the member.

Source: Karmada ``pkg/karmadactl/unjoin``, ``pkg/karmadactl/unregister``, ``pkg/util/cluster.go``
(``CreateOrUpdateClusterObject``).
"""

import pulumi

from components.settings import fault
from placement.faults import BadInputError


def same_mode(member: pulumi.ResourceHookArgs) -> None:
    """See that *member* is to be reached as it is.

    Raises:
        BadInputError: it is not.
    """
    before, after = (
        str((inputs or {}).get("syncMode")).lower()
        for inputs in (member.old_inputs, member.new_inputs)
    )
    if before != after:
        message = (
            f"read membership {after} of {member.name}, which has joined as {before}; allowed "
            f"{before} while it is a member: let it leave (docs/membership.md, A member leaves), "
            f"then write it again with membership: {after}"
        )
        raise BadInputError(fault(pulumi.get_stack(), ("compute", "clusters"), message))
