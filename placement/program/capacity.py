"""Rows of capacity: what all workloads together ask of a node class, and the cuts of the check."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from placement.federation.cluster import Cluster, NodeClass
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.matrix import Builder, Floats, Integers, Limit, Requirement, sum_of
from placement.program.pairs import Pairs
from placement.program.view import View
from placement.program.whole_nodes import whole_nodes
from placement.quantity import parse_quantity
from placement.score import Facts
from placement.tighten import Limit as Cut


def capacity(
    builder: Builder, facts: Facts, pairs: Pairs, views: Sequence[View], cuts: Sequence[Cut]
) -> None:
    """The rows of every node class of every cluster, then the cuts."""
    federation: Federation = facts.federation
    marginal = federation.objective.basis == "marginal"
    needs = _needs(federation, views)
    workload = pairs.workload[pairs.pair]
    rows: list[Limit] = []
    slots_on = _by_node_class(pairs, sum(len(c.node_classes) for c in federation.clusters))
    number = 0
    for cluster in federation.clusters:
        for node_class in cluster.node_classes:
            slots = slots_on[number]
            number += 1
            if not len(slots):
                continue
            nodes = None
            if marginal:
                nodes = builder.column(0, node_class.count, integer=True)
                price = facts.price.get((cluster.name, node_class.name), 0.0)
                builder.cost("cost", nodes, price)
            for resource in node_class.allocatable:
                of = needs[resource]
                there = slots[of.asked[workload[slots]]]
                if len(there):
                    own = workload[there]
                    rows += _rows(cluster, node_class, resource, there, of, own, nodes)
        rows += _reserve(views, cluster)
    builder.limits(rows)
    for limit in cuts:
        entries: dict[int, float] = {}
        for view in views:
            if view.workload.id in limit.workloads:
                need = request_of(view.workload).get(limit.resource, Decimal(0))
                for name, of_cluster in view.by_cluster:
                    if name == limit.cluster and need:
                        entries |= dict.fromkeys(of_cluster, float(units(limit.resource, need)))
        builder.row(
            entries,
            upper=float(units(limit.resource, limit.amount)),
            requirement=Requirement(limit.cluster, f"whole nodes: {limit.resource}", "units"),
        )


@dataclass(frozen=True)
class _Needs:
    """What a replica of each workload asks of one resource.

    Attributes:
        asked: by workload, whether it asks for any.
        amount: by workload, in the unit of the rows.
        whole: by workload, in units of ten to the power of ``exponent``.
        exponent: at most 0.
    """

    asked: NDArray[np.bool_]
    amount: Floats
    whole: NDArray[np.int64] | NDArray[np.object_]
    exponent: int

    @classmethod
    def of(
        cls, resource: str, requests: Sequence[Mapping[str, Decimal]], exponent: int
    ) -> "_Needs":
        """Of *requests*, in units in which all amounts of the federation are whole."""
        amounts = [request.get(resource, Decimal(0)) for request in requests]
        known = {a: (float(units(resource, a)), in_units(a, exponent)) for a in set(amounts)}
        return cls(
            np.array([a > 0 for a in amounts], dtype=bool),
            np.array([known[a][0] for a in amounts], dtype=np.float64),
            np.array([known[a][1] for a in amounts]),
            exponent,
        )


def _needs(federation: Federation, views: Sequence[View]) -> dict[str, _Needs]:
    """By resource that a node has."""
    requests = [request_of(view.workload) for view in views]
    offered: dict[str, set[str]] = defaultdict(set)
    for cluster in federation.clusters:
        for node_class in cluster.node_classes:
            for resource, amount in node_class.allocatable.items():
                offered[resource] |= {amount, node_class.in_use.get(resource, "0")}
    result: dict[str, _Needs] = {}
    for resource, texts in offered.items():
        amounts = {parse_quantity(text) for text in texts}
        amounts |= {request[resource] for request in requests if resource in request}
        exponents = [e for a in amounts if isinstance(e := a.as_tuple().exponent, int)]
        result[resource] = _Needs.of(resource, requests, min(0, *exponents))
    return result


def _reserve(views: Sequence[View], cluster: Cluster) -> Iterator[Limit]:
    """What is asked of a cluster over all its node classes leaves its reserve free."""
    for resource, amount in cluster.reserve.items():
        entries: dict[int, float] = {}
        for view in views:
            need = float(units(resource, request_of(view.workload).get(resource, Decimal(0))))
            entries |= sum_of(dict(view.by_cluster).get(cluster.name, ()) if need else (), need)
        free = free_of(cluster, resource) - parse_quantity(amount)
        requirement = Requirement(cluster.name, f"reserve.{resource} {amount}", unit_of(resource))
        upper = float(units(resource, max(Decimal(0), free)))
        columns = np.array(list(entries), dtype=np.int64)
        values = np.array(list(entries.values()), dtype=np.float64)
        yield Limit(columns, values, upper, requirement)


def _by_node_class(pairs: Pairs, count: int) -> list[Integers]:
    """By node class, the slots on it."""
    order = np.argsort(pairs.node_class, kind="stable")
    ends = np.cumsum(np.bincount(pairs.node_class, minlength=count))
    return np.split(order, ends[:-1])


def _rows(
    cluster: Cluster,
    node_class: NodeClass,
    resource: str,
    slots: Integers,
    needs: _Needs,
    workload: Integers,
    nodes: int | None,
) -> Iterator[Limit]:
    """What is asked of a resource of a node class, by its *slots*, each of a *workload*."""
    free = node_class.free(resource)
    requirement = Requirement(f"{cluster.name}/{node_class.name}", resource, unit_of(resource))
    asked = needs.amount[workload]
    upper = float(units(resource, free) * (1 - cluster.headroom))
    yield Limit(slots, asked, upper, requirement)
    whole = in_units(free, needs.exponent)
    need = needs.whole[workload]
    yield from whole_nodes(slots, need, whole, node_class.count, nodes, requirement)
    if nodes is not None:
        each = -float(units(resource, free) / node_class.count)
        yield Limit(np.append(slots, nodes), np.append(asked, each), 0.0)


def in_units(amount: Decimal, exponent: int) -> int:
    """A quantity in units of ten to the power of *exponent*, in which it is whole."""
    return int(amount.scaleb(-exponent))


def units(resource: str, amount: Decimal) -> Decimal:
    """An amount in the unit of its rows, so that the solver sees numbers of a like size."""
    if resource == "cpu":
        return amount * 1000
    return amount / 2**20 if unit_of(resource) == "MiB" else amount


def unit_of(resource: str) -> str:
    """The unit in which a resource is counted in rows."""
    if resource == "cpu":
        return "milli-CPU"
    return "MiB" if resource == "memory" or resource.endswith("storage") else resource


def free_of(cluster: Cluster, resource: str) -> Decimal:
    """What is free of a resource over all nodes of a cluster, its headroom included."""
    return sum((max(Decimal(0), k.free(resource)) for k in cluster.node_classes), Decimal(0))
