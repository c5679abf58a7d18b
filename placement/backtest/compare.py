"""Charges of a bill beside the node classes that they are for.

What is predicted is what runs whether it is used or not: all nodes of a class at its price, for the
time that the bill covers. What a decision charges to workloads (``allocated``) is a part of it, and
shown by cluster.

A charge belongs to the cluster that its tags name, else to those in its region; there to the node
class of its type. A charge that several node classes of equal type could have made is divided over
them by what was predicted. What belongs to none is listed, never dropped.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from placement.decision import Decision
from placement.facts.formats.focus import Charge
from placement.facts.pricing import type_name, types_of
from placement.faults import BadInputError, Fault
from placement.federation.facts import HOURS_PER_MONTH
from placement.federation.federation import Federation

_TAGS = ("cluster", "eks:cluster-name", "aks-managed-cluster-name", "goog-k8s-cluster-name")
"""Tags whose value is a cluster's name: by hand, and by the managed services."""

_OWNED = "kubernetes.io/cluster/"
"""The start of a tag that ends in the cluster's name, as cloud controllers set it."""

Key = tuple[str, str]
"""Cluster and node class."""


@dataclass(frozen=True)
class Compared:
    """A node class; money is in the objective's currency, for the time of the bill.

    Attributes:
        sku: the type by which it was billed; None where it is not in the bill.
        predicted: None where the federation has no price.
        divided: whether charges were divided over node classes of the same type.
    """

    cluster: str
    region: str
    node_class: str
    sku: str | None
    predicted: Decimal | None
    billed: Decimal
    divided: bool

    @property
    def error(self) -> Decimal | None:
        """Predicted less billed; None where either is missing."""
        if self.predicted is None or self.sku is None:
            return None
        return self.predicted - self.billed


@dataclass(frozen=True)
class Unpredicted:
    """What was billed and is no node of the federation: volumes, traffic, tax, other clusters."""

    category: str
    service: str | None
    region: str | None
    sku: str | None
    billed: Decimal


@dataclass(frozen=True)
class Backtest:
    """The comparison.

    Attributes:
        start, end: of the time that the bill covers.
        currency: of all amounts.
        allocated: by cluster, what a decision charges to workloads in that time.
    """

    start: datetime
    end: datetime
    currency: str
    rows: tuple[Compared, ...]
    unpredicted: tuple[Unpredicted, ...]
    allocated: Mapping[str, Decimal]

    @property
    def predicted(self) -> Decimal:
        """Of the node classes that have a price and are in the bill."""
        return sum((r.billed + r.error for r in self.rows if r.error is not None), Decimal(0))

    @property
    def billed(self) -> Decimal:
        """Of the same: the amount to hold ``predicted`` against."""
        return sum((r.billed for r in self.rows if r.error is not None), Decimal(0))

    @property
    def absolute_error(self) -> Decimal:
        """The sum of each node class's error without its sign."""
        return sum((abs(r.error) for r in self.rows if r.error is not None), Decimal(0))


def compare(
    federation: Federation,
    charges: Iterable[tuple[int, Charge]],
    file: str,
    decision: Decision | None = None,
) -> Backtest:
    """Hold the predictions of *federation* against *charges*.

    Args:
        federation: node classes, prices and exchange rates.
        charges: of a bill, with their lines.
        file: the bill, for faults.
        decision: what ran, for the part of each cluster's bill that workloads were charged.

    Raises:
        BadInputError: the bill is empty, in a currency without a rate, or of another VAT basis.
    """
    if federation.objective.vat == "gross":
        message = "a bill in this format is net where objective.vat is gross; allowed net"
        raise BadInputError(Fault(file, 0, "vat", message))
    given = list(charges)
    if not given:
        raise BadInputError(Fault(file, 0, "(file)", "read no charge; allowed at least one"))
    usage = [c for _, c in given if c.category == "Usage"] or [c for _, c in given]
    start, end = min(c.start for c in usage), max(c.end for c in usage)
    months = Decimal((end - start).total_seconds()) / 3600 / HOURS_PER_MONTH
    predicted = _predicted(federation, months)
    billed: dict[Key, Decimal] = dict.fromkeys(predicted, Decimal(0))
    skus: dict[Key, str] = {}
    divided: set[Key] = set()
    other: dict[tuple[str, str | None, str | None, str | None], Decimal] = {}
    for line, charge in given:
        amount = charge.billed * _rate(federation, charge, file, line)
        keys = _keys(federation, charge)
        for key, share in _shares(keys, predicted):
            billed[key] += amount * share
            skus[key] = charge.sku or ""
        if len(keys) > 1:
            divided |= set(keys)
        if not keys:
            place = (charge.category, charge.service, charge.region, charge.sku)
            other[place] = other.get(place, Decimal(0)) + amount
    rows = tuple(
        Compared(
            cluster.name,
            cluster.region,
            k.name,
            skus.get(key),
            predicted[key],
            billed[key],
            key in divided,
        )
        for cluster in federation.clusters
        for k in cluster.node_classes
        for key in [(cluster.name, k.name)]
    )
    unpredicted = sorted(other.items(), key=lambda item: (-item[1], str(item[0])))
    return Backtest(
        start=start,
        end=end,
        currency=federation.objective.currency,
        rows=rows,
        unpredicted=tuple(Unpredicted(*place, amount) for place, amount in unpredicted),
        allocated={} if decision is None else _allocated(decision, months),
    )


def _predicted(federation: Federation, months: Decimal) -> dict[Key, Decimal | None]:
    """What all nodes of each class cost in that time; None where no price is known."""
    found: dict[Key, Decimal | None] = {
        (c.name, k.name): None for c in federation.clusters for k in c.node_classes
    }
    for price in federation.prices:
        rate = federation.rate(price.currency) or Decimal(0)  # the file was loaded: there is one
        cluster = federation.cluster(price.cluster)
        nodes = next(k.count for k in cluster.node_classes if k.name == price.node_class)
        found[price.cluster, price.node_class] = price.per_month * rate * nodes * months
    return found


def _rate(federation: Federation, charge: Charge, file: str, line: int) -> Decimal:
    rate = federation.rate(charge.currency)
    if rate is None:
        message = (
            f"read {charge.currency}, which nothing turns into {federation.objective.currency}; "
            "allowed a currency with a dated rate under exchange in the federation file"
        )
        raise BadInputError(Fault(file, line, "BillingCurrency", message))
    return rate


def _keys(federation: Federation, charge: Charge) -> list[Key]:
    """The node classes that a charge may be for."""
    if charge.category != "Usage" or charge.sku is None:
        return []
    named = _named(charge.tags)
    clusters = [c for c in federation.clusters if c.name in named] or [
        c for c in federation.clusters if charge.region == c.region
    ]
    wanted = type_name(charge.sku)
    return [(c.name, k.name) for c in clusters for k in c.node_classes if wanted in types_of(k)]


def _named(tags: Mapping[str, Any]) -> set[str]:
    names = {str(tags[tag]) for tag in _TAGS if tag in tags}
    return names | {tag.removeprefix(_OWNED) for tag in tags if tag.startswith(_OWNED)}


def _shares(keys: list[Key], predicted: Mapping[Key, Decimal | None]) -> list[tuple[Key, Decimal]]:
    """Each node class's part of a charge: by what was predicted, evenly where nothing was."""
    weights = [predicted[key] or Decimal(0) for key in keys]
    total = sum(weights, Decimal(0))
    if not total:
        return [(key, Decimal(1) / len(keys)) for key in keys]
    return [(key, weight / total) for key, weight in zip(keys, weights, strict=True)]


def _allocated(decision: Decision, months: Decimal) -> dict[str, Decimal]:
    """What a decision charges to the workloads of each cluster, at the best of its node classes."""
    found: dict[str, Decimal] = {}
    for workload in decision.workloads:
        each = {c.cluster: c.terms.get("cost") for c in workload.candidates}
        for cluster, replicas in workload.replicas.items():
            money = Decimal(str(each.get(cluster) or 0)) * replicas * months
            found[cluster] = found.get(cluster, Decimal(0)) + money
    return dict(sorted(found.items()))
