"""The last look at an object before it leaves the engine."""

from placement.emit.vocabulary import Manifest
from placement.faults import FederationError
from placement.karmada.advice import refusals
from placement.karmada.defaults import with_defaults
from placement.karmada.encoding import manifest as wire
from placement.karmada.findings import NOTHING_KNOWN, Facts
from placement.karmada.meta import WireModel


def accepted(body: WireModel, of: str, facts: Facts = NOTHING_KNOWN) -> Manifest:
    """An object in wire form, with every default that Karmada would fill.

    Args:
        body: the object.
        of: whose it is, for the message.
        facts: what is known beside it.

    Raises:
        FederationError: Karmada would refuse it, or accept it and not carry it out.
    """
    document = with_defaults(wire(body))
    # The control plane that evicts at all runs with this switch: see components/federation.
    faults = refusals(document, facts, allow_no_execute=True)
    if faults:
        kind = document["kind"]
        raise FederationError("\n".join(f"{kind} of {of}: {fault}" for fault in faults))
    return document
