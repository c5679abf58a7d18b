"""What each node class of a federation costs, by the rows that price it.

Owns the match of a price with a node class: the same type in the same region, or the sum of what
its parts cost. A price is never taken from another region unless the user says so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from placement.facts.rows import PriceRow
from placement.federation.cluster import Cluster, NodeClass
from placement.federation.facts import HOURS_PER_MONTH
from placement.federation.federation import Federation
from placement.quantity import parse_quantity

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""The label by which Kubernetes knows the type of a node."""

_FINEST = Decimal("0.000001")


@dataclass(frozen=True)
class Priced:
    """The price of a node class.

    Attributes:
        row: that says it; of a sum of parts the first of them.
        amount: for a node, in the row's currency and time.
        proxy: what the amount really describes, where that is something else.
    """

    cluster: str
    node_class: str
    row: PriceRow
    amount: Decimal
    proxy: str | None

    def against(self, federation: Federation) -> Decimal | None:
        """The amount as a multiple of the price that *federation* holds, if they compare."""
        for held in federation.prices:
            if (held.cluster, held.node_class) == (self.cluster, self.node_class):
                same = held.currency == self.row.currency and held.vat == self.row.vat
                month = self.amount * (HOURS_PER_MONTH if self.row.per == "hour" else 1)
                return month / held.per_month if same and held.per_month else None
        return None


def prices(
    rows: Sequence[PriceRow], federation: Federation, said: Mapping[str, str]
) -> tuple[list[Priced], list[str]]:
    """The price of each node class, and a line for each that has none.

    Args:
        rows: on one basis; a spot price is that of a spot class, and of no other.
        federation: the node classes.
        said: the region of the rows by that of a cluster, where the user says which.
    """
    found: list[Priced] = []
    missing: list[str] = []
    for cluster in federation.clusters:
        for node_class in cluster.node_classes:
            tariff = "spot" if node_class.spot else "on-demand"
            usable = [row for row in rows if row.tariff == tariff]
            priced = _priced(usable, cluster, node_class, said)
            if priced is None:
                missing.append(f"no price of {cluster.name}/{node_class.name}")
            else:
                found.append(priced)
    return found, missing


def type_name(text: str) -> str:
    """A node type's name, comparable: m6a.4xlarge is m6a-4xlarge."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def types_of(node_class: NodeClass) -> set[str]:
    """The names that a price list may know a node class by."""
    label = node_class.labels.get(INSTANCE_TYPE)
    return {type_name(name) for name in (node_class.name, label) if name}


def _priced(
    rows: Sequence[PriceRow], cluster: Cluster, node_class: NodeClass, said: Mapping[str, str]
) -> Priced | None:
    region = said.get(cluster.region, cluster.region)
    proxy = None if region == cluster.region else f"the price in {region}, as stated"
    here = [row for row in rows if row.region in (None, region)]
    known = types_of(node_class)
    nodes = [r for r in here if r.of == "node" and r.sku and type_name(r.sku) in known]
    parts = [(r, _of_node(r, node_class)) for r in here if r.of != "node"]
    extras = [(r, n) for r, n in parts if r.of == "accelerator" and n]
    if nodes:
        summed = [(nodes[0], Decimal(1)), *extras]
    elif {"core", "gibibyte"} <= {row.of for row, _ in parts}:
        summed = [(r, n) for r, n in parts if n]
        proxy = ", ".join(part for part in (proxy, "the parts that are allocatable") if part)
    else:
        return None
    # Parts of one list share its currency and time; `basis.py` has seen to the rest.
    first = summed[0][0]
    amount = sum((row.amount * n for row, n in summed), Decimal(0))
    return Priced(cluster.name, node_class.name, first, _trimmed(amount), proxy)


def _of_node(row: PriceRow, node_class: NodeClass) -> Decimal:
    """How many of what the row prices a node has."""
    allocatable = {name: parse_quantity(a) for name, a in node_class.allocatable.items()}
    if row.of == "core":
        return allocatable["cpu"]
    if row.of == "gibibyte":
        return allocatable["memory"] / 2**30
    if row.sku is not None and type_name(row.sku) != type_name(node_class.model or ""):
        return Decimal(0)
    # Accelerators are extended resources, which alone have a domain in their name.
    return sum((a for name, a in allocatable.items() if "/" in name), Decimal(0))


def _trimmed(amount: Decimal) -> Decimal:
    """At most six decimals, and no zeros that nobody wrote."""
    if amount == amount.quantize(_FINEST):
        return amount
    return amount.quantize(_FINEST)
