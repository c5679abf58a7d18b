"""The whole federation file.

Owns its top level and the look-ups between its parts. What must hold between them is checked in
``consistency.py``.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from placement.federation.base import Model
from placement.federation.cluster import Cluster
from placement.federation.facts import Carbon, Exchange, Latency, Price
from placement.federation.objective import Classes, Objective, ServiceClassSettings
from placement.federation.workload import Workload


class Federation(Model):
    """Clusters, facts about the world, workloads, and what is wanted of their placement."""

    api_version: Literal["federation/v1alpha1"]
    clusters: Annotated[tuple[Cluster, ...], Field(min_length=1)]
    latency: Latency | None = None
    prices: tuple[Price, ...] = ()
    carbon: Carbon = Carbon()
    exchange: tuple[Exchange, ...] = ()
    workloads: tuple[Workload, ...] = ()
    classes: Classes = {}
    objective: Objective = Objective()

    def cluster(self, name: str) -> Cluster:
        """The cluster of that name; KeyError where there is none."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        raise KeyError(name)

    def settings(self, workload: Workload) -> ServiceClassSettings:
        """What the workload's class says."""
        return self.classes.get(workload.class_, ServiceClassSettings())

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
