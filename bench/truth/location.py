"""A capacitated facility location problem as a federation file.

A warehouse is a cluster of one node: its capacity is the node's pods, its fixed cost the node's
price, charged when the node is opened (basis ``marginal``). A customer is a workload: its demand is
its replicas, and what serving it from a warehouse costs is the round trip between the two, in place
of milliseconds. The engine's latency is the mean over all replicas, so weighing it by the number of
replicas makes the objective fixed costs plus serving costs. With whole demands and capacities a
transportation problem has whole optima, so whole replicas lose nothing against divisible demand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from placement.federation import Federation

_FACT = {"source": "the problem", "date": "2026-01-01"}


@dataclass(frozen=True)
class Problem:
    """A problem.

    Attributes:
        name: as published.
        capacity: of each warehouse, in units of demand.
        fixed: cost of opening each warehouse.
        demand: of each customer.
        serving: cost of all of a customer's demand from each warehouse, by customer.
    """

    name: str
    capacity: Sequence[int]
    fixed: Sequence[Decimal]
    demand: Sequence[int]
    serving: Sequence[Sequence[Decimal]]

    def federation(self) -> Federation:
        """The problem as a federation; its objective is named ``weighted``."""
        return Federation.model_validate(
            {
                "apiVersion": "federation/v1alpha1",
                "clusters": [_warehouse(i, size) for i, size in enumerate(self.capacity)],
                "prices": [_fixed(i, cost) for i, cost in enumerate(self.fixed)],
                "latency": self._latency(),
                "workloads": [_customer(k, size) for k, size in enumerate(self.demand)],
                "objective": {
                    "basis": "marginal",
                    "weighted": {"cost": 1, "latency": sum(self.demand)},
                },
            }
        )

    def _latency(self) -> dict[str, Any]:
        names = [f"c{k}" for k in range(len(self.demand))]
        sites = [*names, *(f"w{i}" for i in range(len(self.capacity)))]
        return {
            **_FACT,
            "statistic": "cost of a unit",
            "sites": {name: {"site": name} for name in sites},
            "roundTrip": {
                name: {f"w{i}": str(cost / size) for i, cost in enumerate(costs)}
                for name, costs, size in zip(names, self.serving, self.demand, strict=True)
            },
        }


def _warehouse(index: int, capacity: int) -> dict[str, Any]:
    allocatable = {"cpu": "1000000", "memory": "1000000Gi", "pods": str(capacity)}
    return {
        "name": f"w{index}",
        "provider": "none",
        "region": f"w{index}",
        "continent": "europe",
        "nodeClasses": [{"name": "n", "count": 1, "allocatable": allocatable}],
    }


def _fixed(index: int, cost: Decimal) -> dict[str, Any]:
    return {
        "cluster": f"w{index}",
        "nodeClass": "n",
        "amount": str(cost),
        "currency": "EUR",
        "vat": "net",
        "per": "month",
        **_FACT,
    }


def _customer(index: int, demand: int) -> dict[str, Any]:
    name = f"c{index}"
    return {
        "name": name,
        "template": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
        "replicas": demand,
        "request": {"cpu": "0", "memory": "0"},
        "demand": [{"region": name, "share": 1}],
    }
