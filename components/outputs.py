"""What a plane publishes, and how another stack reads it back.

Owns the two exports, ``facts`` (plain) and ``access`` (secret): two, since an output that holds one
secret value is secret as a whole, and prices are to be seen. Both carry the schema that they
follow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi

from placement.decision import Decision
from placement.decision import read as read_decision
from placement.faults import FederationError

FACTS = "federation/facts/v1"
ACCESS = "federation/access/v1"


@dataclass(frozen=True)
class Published:
    """What a plane published.

    Attributes:
        facts: the clusters of the plane, in the form of the federation file.
        access: secret: a mapping with the kubeconfig of each API by name.
    """

    facts: Sequence[Mapping[str, Any]]
    access: pulumi.Output[Mapping[str, Any]]

    def kubeconfig(self, name: str) -> pulumi.Output[str]:
        """The kubeconfig of the API *name*; a secret."""
        return self.access.apply(lambda access: str(access["kubeconfigs"][name]))


def publish(
    plane: str,
    as_of: str,
    clusters: Sequence[Mapping[str, Any]],
    kubeconfigs: Mapping[str, pulumi.Output[str]],
) -> dict[str, Any]:
    """The exports of a plane.

    Args:
        plane: its name.
        as_of: the day for which the facts hold, such as ``2026-11-30``.
        clusters: facts by cluster.
        kubeconfigs: of each API that others may need, by name.
    """
    return {
        "facts": {"schema": FACTS, "plane": plane, "asOf": as_of, "clusters": list(clusters)},
        "access": pulumi.Output.secret({"schema": ACCESS, "kubeconfigs": dict(kubeconfigs)}),
    }


async def read(stack: str) -> Published:
    """What the stack *stack* of this project published.

    Raises:
        FederationError: there is no such stack, it has not been brought up, or it speaks another
            schema.
    """
    reference = _reference(stack)
    facts = (await reference.get_output_details("facts")).value
    if facts is None:
        raise FederationError(
            f"stack {stack} has published no facts; bring it up first: pulumi up -s {stack}"
        )
    _expect(stack, "facts", facts, FACTS)
    secret = (await reference.get_output_details("access")).secret_value
    if secret is None:
        raise FederationError(
            f"stack {stack} has published no access; bring it up again: pulumi up -s {stack}"
        )
    _expect(stack, "access", secret, ACCESS)
    return Published(facts["clusters"], pulumi.Output.secret(secret))


async def last_decision() -> Decision | None:
    """The decision that this stack exported last; None on the first run.

    A decision of another schema counts as none: it is decided anew.
    """
    document = (await _reference(pulumi.get_stack()).get_output_details("decision")).value
    if document is None:
        return None
    try:
        return read_decision(document)
    except ValueError:
        pulumi.log.warn("the last decision of this stack has another schema; deciding anew")
        return None


def _reference(stack: str) -> pulumi.StackReference:
    name = f"{pulumi.get_organization()}/{pulumi.get_project()}/{stack}"
    return pulumi.StackReference(name)


def _expect(stack: str, output: str, content: Any, schema: str) -> None:
    found = content.get("schema") if isinstance(content, Mapping) else None
    if found != schema:
        raise FederationError(
            f"stack {stack} published {output} of schema {found!r}; this version reads {schema!r}: "
            f"bring {stack} up with the same version of the program"
        )
