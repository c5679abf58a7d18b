"""Whether what workloads cost and emit stays within the budgets.

A replica is charged the cheapest node class of its cluster that it fits: which of several classes
it lands on is not Karmada's to say. With one class that fits, the usual case, this is exact.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from placement.check.violation import Violation
from placement.failure import Counts
from placement.federation.cluster import Cluster, NodeClass
from placement.federation.facts import HOURS_PER_MONTH, INTERNET
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import admits, request_of
from placement.quantity import parse_quantity

_ROUNDING = Fraction(1, 10**6)
"""What the solver's own tolerance may let a budget be passed by, as a part of it."""


@dataclass(frozen=True)
class Spent:
    """What the workloads of a budget take of it.

    Attributes:
        budget: its name.
        kind: ``money`` in the objective's currency, or ``carbon`` in kgCO2e, a month.
        used: by the workloads; None where a fact is unknown.
        limit: of the budget.
    """

    budget: str
    kind: str
    used: Fraction | None
    limit: Decimal


def spent(federation: Federation, counts: Counts) -> Iterator[Spent]:
    """Every budget, its money and its carbon apart."""
    if not federation.budgets:
        return
    facts = _Facts.of(federation)
    for budget in federation.budgets:
        covered = [w for w in federation.workloads if budget.covers(w)]
        if budget.money is not None:
            used = _used(facts, covered, counts, facts.money)
            yield Spent(budget.name, "money", used, federation.amount(budget.money))
        if budget.carbon is not None:
            used = _used(facts, covered, counts, facts.carbon)
            yield Spent(budget.name, "carbon", used, budget.carbon)


def budgets(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """The budgets that are passed, or that an unknown fact leaves open."""
    for each in spent(federation, counts):
        if each.used is None:
            yield Violation(each.budget, each.kind, "unknown, since a fact is")
        elif each.used > Fraction(each.limit) * (1 + _ROUNDING):
            detail = f"{float(each.used):.2f} of {each.limit:f}"
            yield Violation(each.budget, each.kind, detail)


@dataclass(frozen=True)
class _Facts:
    """The facts, exact and indexed.

    Attributes:
        clusters: by name.
        prices: of a node a month, by cluster and node class, in the objective's currency.
        grid: kg CO2e for each kWh, by region.
        watts: by resource and accelerator model.
    """

    federation: Federation
    clusters: Mapping[str, Cluster]
    prices: Mapping[tuple[str, str], Fraction]
    grid: Mapping[str, Fraction]
    watts: Mapping[tuple[str, str | None], Fraction]

    @classmethod
    def of(cls, federation: Federation) -> "_Facts":
        carbon = federation.carbon
        return cls(
            federation,
            {c.name: c for c in federation.clusters},
            {
                (p.cluster, p.node_class): Fraction(
                    p.per_month * (federation.rate(p.currency) or 0)
                )
                for p in federation.prices
            },
            {i.region: Fraction(i.grams_per_kilowatt_hour) / 1000 for i in carbon.intensity},
            {(p.resource, p.model): Fraction(p.watts) for p in carbon.power},
        )

    def money(self, workload: Workload, cluster: Cluster, node_class: NodeClass) -> Fraction | None:
        """The price of a node times the largest part of it that a replica takes, and its egress."""
        moved = _egress(self.federation, workload, cluster.region)
        if moved is None or self.federation.objective.basis == "sunk":
            return moved
        price = self.prices.get((cluster.name, node_class.name))
        part = max(
            Fraction(amount) / Fraction(parse_quantity(node_class.allocatable[resource]))
            for resource, amount in request_of(workload).items()
        )
        return None if price is None else price * part + moved

    def carbon(
        self, workload: Workload, cluster: Cluster, node_class: NodeClass
    ) -> Fraction | None:
        """Watts of the request over a month on the region's grid, in kg."""
        grid = self.grid.get(cluster.region)
        watts = Fraction(0)
        for resource, amount in workload.request.items():
            each = self.watts.get((resource, node_class.model), self.watts.get((resource, None)))
            if each is None or grid is None:
                return None
            units = Fraction(parse_quantity(amount)) / (2**30 if resource == "memory" else 1)
            watts += each * units
        return None if grid is None else watts * HOURS_PER_MONTH / 1000 * grid


Charge = Callable[[Workload, Cluster, NodeClass], Fraction | None]


def _used(
    facts: _Facts, covered: Sequence[Workload], counts: Counts, charge: Charge
) -> Fraction | None:
    """What the covered workloads take; None where a fact is unknown."""
    total = Fraction(0)
    for workload in covered:
        for name, n in counts[workload.id].items():
            each = _cheapest(workload, facts.clusters[name], charge)
            if each is None:
                return None
            total += n * each
    return total


def _cheapest(workload: Workload, cluster: Cluster, charge: Charge) -> Fraction | None:
    charges = (
        charge(workload, cluster, node_class)
        for node_class in cluster.node_classes
        if _fits(workload, node_class)
    )
    return min((each for each in charges if each is not None), default=None)


def _fits(workload: Workload, node_class: NodeClass) -> bool:
    room = all(
        amount <= parse_quantity(node_class.allocatable.get(resource, "0"))
        for resource, amount in request_of(workload).items()
    )
    return room and admits(node_class, workload)


def _egress(federation: Federation, workload: Workload, region: str) -> Fraction | None:
    """What leaves a region for one replica in *region*, at the price of the region that it leaves.

    Each reads or writes all of its data, and sends its equal share of the users' traffic.
    """
    total = Fraction(0)
    for data in workload.data:
        ends = (data.region, region) if data.direction == "read" else (region, data.region)
        price = federation.egress_price(*ends)
        if price is None:
            return None
        total += Fraction(price) * Fraction(data.gigabytes_per_month)
    traffic = Fraction(workload.traffic_gigabytes_per_month) / workload.size
    price = federation.egress_price(region, INTERNET) if traffic else Decimal(0)
    return None if price is None else total + Fraction(price) * traffic
