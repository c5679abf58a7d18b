"""The whole federation file.

Owns its top level and the look-ups between its parts. What must hold between them is checked in
``consistency.py``.
"""

from collections import Counter
from decimal import Decimal
from typing import Literal

from placement.federation.base import Model, Money
from placement.federation.budget import Budget
from placement.federation.cluster import Cluster
from placement.federation.facts import Carbon, Egress, Exchange, Latency, Price
from placement.federation.objective import Classes, Objective, ServiceClassSettings, Term
from placement.federation.workload import Workload


class Federation(Model):
    """Clusters, facts about the world, workloads, and what is wanted of their placement."""

    api_version: Literal["federation/v1alpha1"]
    clusters: tuple[Cluster, ...] = ()
    """Those that the file itself describes; the rest is published by compute stacks."""
    latency: Latency | None = None
    prices: tuple[Price, ...] = ()
    egress: tuple[Egress, ...] = ()
    """Prices of data that leaves a region; where none are stated, nothing is charged for it."""
    carbon: Carbon = Carbon()
    exchange: tuple[Exchange, ...] = ()
    workloads: tuple[Workload, ...] = ()
    budgets: tuple[Budget, ...] = ()
    classes: Classes = {}
    objective: Objective = Objective()

    def cluster(self, name: str) -> Cluster:
        """The cluster of that name; KeyError where there is none."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        raise KeyError(name)

    @property
    def lone_regions(self) -> frozenset[str]:
        """The regions of one cluster: to lose one is to lose its cluster."""
        sizes = Counter(cluster.region for cluster in self.clusters)
        return frozenset(region for region, size in sizes.items() if size == 1)

    def settings(self, workload: Workload) -> ServiceClassSettings:
        """What the workload's class says."""
        return self.classes.get(workload.class_, ServiceClassSettings())

    def weighed(self, workload: Workload) -> tuple[Term, ...]:
        """The terms that must be known of the workload: the objective's, and its budgets'."""
        budgets = [b for b in self.budgets if b.covers(workload)]
        terms: list[Term] = [*self.objective.terms]
        terms += ["cost"] * any(b.money is not None for b in budgets)
        terms += ["carbon"] * any(b.carbon is not None for b in budgets)
        return tuple(dict.fromkeys(terms))

    def amount(self, money: Money) -> Decimal:
        """*money* in the objective's currency.

        Raises:
            ValueError: no rate between the currencies is known.
        """
        rate = self.rate(money.currency)
        if rate is None:
            raise ValueError(f"no exchange between {money.currency} and {self.objective.currency}")
        return money.amount * rate

    def egress_price(self, source: str, target: str) -> Decimal | None:
        """What a GB from region *source* to another costs, in the objective's currency, if known.

        Within a region nothing is charged.
        """
        if not self.egress or source == target:
            return Decimal(0)
        for fact in self.egress:
            if fact.region == source and (not fact.to or target in fact.to):
                return fact.amount * (self.rate(fact.currency) or 0)
        return None

    def rate(self, currency: str) -> Decimal | None:
        """What one unit of *currency* is in the objective's currency; None where unknown."""
        target = self.objective.currency
        if currency == target:
            return Decimal(1)
        for fact in self.exchange:
            if (fact.from_, fact.to) == (currency, target):
                return fact.rate
            if (fact.from_, fact.to) == (target, currency):
                return 1 / fact.rate
        return None
