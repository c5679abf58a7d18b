"""What is of the federation in a Hetzner Cloud project and stands in no state of any stack.

Owns which things those are, how that is known, and what they cost by the dated price list. A thing
that a stack kept on its destruction (``retain_on_delete``) is found as well: no state knows it.

Source of the labels: hcloud-cloud-controller-manager, ``internal/hcops/load_balancer.go``;
Kubernetes autoscaler, ``cloudprovider/hetzner/hetzner_cloud_provider.go``; hetznercloud/csi-driver,
``internal/driver/controller.go``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from components.settings.hetzner.server_types import PriceList
from stacks.hetzner import Item, Kind

LABEL = "federation/cluster"
"""What every resource of a cluster is labelled with; its value is the cluster.

Said here again, as is the type below: with the components would come every provider's SDK.
"""

_TOKENS = {
    "hcloud:index/server:Server": Kind.SERVER,
    "hcloud:index/loadBalancer:LoadBalancer": Kind.LOAD_BALANCER,
    "hcloud:index/volume:Volume": Kind.VOLUME,
    "hcloud:index/network:Network": Kind.NETWORK,
    "hcloud:index/primaryIp:PrimaryIp": Kind.PRIMARY_IP,
    "hcloud:index/placementGroup:PlacementGroup": Kind.PLACEMENT_GROUP,
}
_FREE = (Kind.NETWORK, Kind.PLACEMENT_GROUP)
"""What costs nothing: the API's own price list, ``/pricing``, has no entry for them."""

_SMALLEST_BALANCER = "lb11"
_MAKERS = {
    "a cloud controller": ("hcloud-ccm/service-uid", None),
    "an autoscaler": ("hcloud/node-group", None),
    "a CSI driver": ("managed-by", "csi-driver"),
}
"""Who makes things from inside a cluster, with the label that each puts on them."""

Key = tuple[Kind, str]
"""A kind and Hetzner's number: what a state and the API both know."""


@dataclass(frozen=True)
class Orphan:
    """A thing that no stack knows.

    Attributes:
        known_by: how it is known to be the federation's.
        certain: False where it may be another cluster's in the same project.
        month: EUR a month, net; None: unknown.
    """

    item: Item
    known_by: str
    certain: bool
    month: Decimal | None

    def plain(self) -> dict[str, Any]:
        """For machines; the amount as text, so that no reader rounds it."""
        item = self.item
        return {
            "kind": item.kind.value,
            "id": item.id,
            "name": item.name,
            "type": item.type,
            "location": item.location,
            "zone": item.zone,
            "created": None if item.created is None else item.created.isoformat(),
            "month": None if self.month is None else str(self.month),
            "knownBy": self.known_by,
            "certain": self.certain,
        }


def held(states: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[Key, str]:
    """The stack of each thing that a state knows, from the resources of each stack's state."""
    return {
        (_TOKENS[each["type"]], each["id"]): stack
        for stack, resources in states.items()
        for each in resources
        if each["type"] in _TOKENS and "id" in each
    }


def orphans(
    items: Iterable[Item], stacks: Mapping[Key, str], prices: PriceList
) -> tuple[Orphan, ...]:
    """What is the federation's and no stack's, in the order of *items*.

    Args:
        items: everything in the project.
        stacks: the stack of what is held, as ``held`` gives it.
        prices: by which it is counted.
    """
    everything = {(item.kind, item.id): item for item in items}
    ours = {key: item for key, item in everything.items() if key in stacks or LABEL in item.labels}
    found = {}
    # A server comes before what is on it: its addresses and volumes are as lost as it is.
    for key in sorted(everything, key=lambda key: key[0] is not Kind.SERVER):
        item = everything[key]
        evidence = None if key in stacks else _evidence(item, ours, stacks)
        if evidence is None:
            continue
        known_by, certain = evidence
        found[key] = Orphan(item, known_by, certain, _month(item, prices))
        if certain:
            ours[key] = item
    return tuple(found[key] for key in everything if key in found)


def total(found: Iterable[Orphan], prices: PriceList) -> dict[str, Any]:
    """The sum for machines, in the form of a price: what is known, and what is not."""
    found = tuple(found)
    known = sum((each.month for each in found if each.month is not None), Decimal(0))
    unknown = sorted({f"{o.item.kind} {o.item.type}" for o in found if o.month is None})
    basis = {"currency": "EUR", "vat": "net", "per": "month", "date": prices.date.isoformat()}
    return {"amount": str(known), "unknown": unknown, **basis}


def _evidence(
    item: Item, ours: Mapping[Key, Item], stacks: Mapping[Key, str]
) -> tuple[str, bool] | None:
    """How *item* is known to be of the federation, and whether that is certain; None: it is not."""
    if LABEL in item.labels:
        return f"label {LABEL}={item.labels[LABEL]}", True
    places = [(Kind.NETWORK, each) for each in sorted(item.networks)]
    if item.server is not None:
        places.append((Kind.SERVER, item.server))
    near = next((place for place in places if place in ours), None)
    maker = next((name for name, label in _MAKERS.items() if _carries(item, *label)), None)
    lost_with = near is not None and near[0] is Kind.SERVER and near not in stacks
    if near is not None and (lost_with or maker is not None):
        by = f", made by {maker}" if maker else ""
        of = f" of stack {stacks[near]}" if near in stacks else ""
        return f"{near[0]} {ours[near].name}{of}{by}", True
    if maker is not None and not places:
        return f"made by {maker}, and tied to nothing that is left", False
    return None


def _carries(item: Item, key: str, value: str | None) -> bool:
    return key in item.labels and value in (None, item.labels[key])


def _month(item: Item, prices: PriceList) -> Decimal | None:
    """EUR a month for *item* alone: the address of a server is a thing of its own."""
    zone = item.zone or ""
    if item.kind in _FREE:
        return Decimal(0)
    if item.kind is Kind.SERVER and item.type in prices.types:
        return prices.types[item.type].month.get(zone)
    if item.kind is Kind.LOAD_BALANCER and item.type == _SMALLEST_BALANCER:
        return prices.load_balancer.get(zone)
    if item.kind is Kind.PRIMARY_IP and item.type == "ipv4":
        return prices.address
    return None
