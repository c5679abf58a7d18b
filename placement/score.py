"""What each replica would cost on each candidate, term by term, with units.

Owns the coefficients of the objective: money, round-trip time, data moved, carbon, fit. It does not
weigh them against each other: the objective of the federation file does, in ``solve``.

Terms of one replica of workload w on a node of class k in cluster c:

* **cost** (objective's currency/month). ``allocated``: the price of the node times the replica's
  dominant share of it (Ghodsi et al., Dominant Resource Fairness, NSDI 2011): the largest of
  request/allocatable over all resources, a pod counting as one of the node's pods. ``sunk``: 0.
  ``marginal``: 0 here, the nodes opened are charged by the program. Whatever the basis, the egress
  of its data and its share of the users' traffic is added, where egress prices are stated.
* **latency** (ms): the mean round trip from the users, weighted by their shares. This is what
  ranks a candidate; the program itself serves each region's users from where it is best.
* **locality** (GB/month): data moved between the cluster's region and other regions.
* **carbon** (kgCO2e/month): watts of the request x 730 h x the region's intensity.
* **fit** (misfit, 0 to 1): 1 minus the cosine between the replica's shares of the node and an even
  use of all its resources, so that a job without accelerators does not fit a node with them
  (alignment score of Grandl et al., Tetris, SIGCOMM 2014).

None is an unknown, never a zero.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from placement.federation.cluster import Cluster, NodeClass
from placement.federation.facts import HOURS_PER_MONTH, INTERNET
from placement.federation.federation import Federation
from placement.federation.objective import Term
from placement.federation.workload import Workload
from placement.quantity import parse_quantity

Terms = dict[Term, float | None]
_GIB = 2**30


@dataclass(frozen=True)
class Facts:
    """The facts of a federation, indexed for look-up.

    Attributes:
        price: of a node by (cluster, node class), in the objective's currency a month.
        intensity: gCO2e/kWh by region.
        watts: by (resource, model), of one core, GiB or accelerator; the model is None where the
            figure holds for any.
        unnamed: what ``filter.py`` has found and need not find again.
    """

    federation: Federation
    price: dict[tuple[str, str], float]
    intensity: dict[str, float]
    watts: dict[tuple[str, str | None], float]
    unnamed: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, federation: Federation) -> "Facts":
        """Index the facts of *federation*."""
        return cls(
            federation=federation,
            price={
                (p.cluster, p.node_class): float(p.per_month * (federation.rate(p.currency) or 0))
                for p in federation.prices
            },
            intensity={
                i.region: float(i.grams_per_kilowatt_hour) for i in federation.carbon.intensity
            },
            watts={(p.resource, p.model): float(p.watts) for p in federation.carbon.power},
        )


def shares(workload: Workload, node_class: NodeClass) -> dict[str, float]:
    """What one replica takes of one node, by resource of the node, as fractions of 1."""
    request = {"pods": "1", **workload.request}
    return {
        name: float(parse_quantity(request.get(name, "0")) / parse_quantity(total))
        for name, total in node_class.allocatable.items()
        if parse_quantity(total) > 0
    }


def terms(facts: Facts, workload: Workload, cluster: Cluster, node_class: NodeClass) -> Terms:
    """The terms of one replica of *workload* on a node of *node_class* in *cluster*."""
    taken = shares(workload, node_class)
    return {
        "cost": _sum(
            _nodes(facts, cluster, node_class, taken), _egress(facts.federation, workload, cluster)
        ),
        "latency": _latency(facts, workload, cluster),
        "locality": float(
            sum(d.gigabytes_per_month for d in workload.data if d.region != cluster.region)
        ),
        "carbon": _carbon(facts, workload, cluster, node_class),
        "fit": _misfit(taken),
    }


def _sum(*parts: float | None) -> float | None:
    """The sum; unknown if a part is."""
    return None if None in parts else sum(part for part in parts if part is not None)


def _egress(federation: Federation, workload: Workload, cluster: Cluster) -> float | None:
    moved = [
        (data.region, cluster.region, data.gigabytes_per_month)
        if data.direction == "read"
        else (cluster.region, data.region, data.gigabytes_per_month)
        for data in workload.data
    ]
    if workload.traffic_gigabytes_per_month:
        share = workload.traffic_gigabytes_per_month / workload.size
        moved.append((cluster.region, INTERNET, share))
    total = 0.0
    for source, target, gigabytes in moved:
        price = federation.egress_price(source, target)
        if price is None:
            return None
        total += float(price * gigabytes)
    return total


def _nodes(
    facts: Facts, cluster: Cluster, node_class: NodeClass, taken: dict[str, float]
) -> float | None:
    basis = facts.federation.objective.basis
    if basis == "sunk":
        return 0.0
    price = facts.price.get((cluster.name, node_class.name))
    if price is None or basis == "marginal":
        return price if price is None else 0.0
    return price * max(taken.values(), default=0.0)


def _latency(facts: Facts, workload: Workload, cluster: Cluster) -> float | None:
    total = 0.0
    for region, share in workload.shares.items():
        latency = facts.federation.latency
        ms = latency.between(region, cluster.region) if latency else None
        if ms is None:
            return None
        total += float(share) * ms
    return total


def _carbon(
    facts: Facts, workload: Workload, cluster: Cluster, node_class: NodeClass
) -> float | None:
    intensity = facts.intensity.get(cluster.region)
    if intensity is None:
        return None
    watts = 0.0
    for name, amount in workload.request.items():
        each = facts.watts.get((name, node_class.model), facts.watts.get((name, None)))
        if each is None:
            return None
        watts += each * float(parse_quantity(amount)) / (_GIB if name == "memory" else 1)
    kilowatt_hours = watts * HOURS_PER_MONTH / 1000
    return kilowatt_hours * intensity / 1000


def _misfit(taken: dict[str, float]) -> float:
    used = [share for name, share in taken.items() if name != "pods"]
    length = math.sqrt(sum(share * share for share in used))
    if not length:
        return 0.0
    return max(0.0, 1.0 - sum(used) / (math.sqrt(len(used)) * length))
