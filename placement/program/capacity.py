"""Rows of capacity: what all workloads together ask of a node class, and the cuts of the check."""

from collections.abc import Sequence
from decimal import Decimal

from placement.federation.cluster import Cluster, NodeClass
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.matrix import Builder, Requirement
from placement.program.view import View
from placement.quantity import parse_quantity
from placement.score import Facts
from placement.tighten import Limit


def capacity(
    builder: Builder, facts: Facts, views: Sequence[View], limits: Sequence[Limit]
) -> None:
    """The rows of every node class of every cluster, then the cuts."""
    federation: Federation = facts.federation
    marginal = federation.objective.basis == "marginal"
    for cluster in federation.clusters:
        for node_class in cluster.node_classes:
            columns = _columns(views, cluster, node_class)
            if not columns:
                continue
            nodes = None
            if marginal:
                nodes = builder.column(0, node_class.count, integer=True)
                price = facts.price.get((cluster.name, node_class.name), 0.0)
                builder.cost("cost", nodes, price)
            for resource in node_class.allocatable:
                _row(builder, cluster, node_class, resource, columns, nodes)
    for limit in limits:
        entries: dict[int, float] = {}
        for view in views:
            if view.workload.id in limit.workloads:
                need = request_of(view.workload).get(limit.resource, Decimal(0))
                for name, of_cluster in view.by_cluster:
                    if name == limit.cluster and need:
                        entries |= dict.fromkeys(of_cluster, _units(limit.resource, need, up=True))
        builder.row(
            entries,
            upper=_units(limit.resource, limit.amount, up=False),
            requirement=Requirement(limit.cluster, f"whole nodes: {limit.resource}", "units"),
        )


def _columns(
    views: Sequence[View], cluster: Cluster, node_class: NodeClass
) -> dict[int, dict[str, Decimal]]:
    """The replica columns on a node class, each with the request of its workload."""
    found: dict[int, dict[str, Decimal]] = {}
    for view in views:
        for candidate, of_cluster in zip(view.candidates, view.columns, strict=True):
            if candidate.cluster.name != cluster.name:
                continue
            for fit, column in zip(candidate.fits, of_cluster, strict=True):
                if fit.node_class.name == node_class.name:
                    found[column] = request_of(view.workload)
    return found


def _row(
    builder: Builder,
    cluster: Cluster,
    node_class: NodeClass,
    resource: str,
    columns: dict[int, dict[str, Decimal]],
    nodes: int | None,
) -> None:
    entries = {
        column: float(_units(resource, request[resource], up=True))
        for column, request in columns.items()
        if resource in request
    }
    if not entries:
        return
    each = _units(resource, parse_quantity(node_class.allocatable[resource]), up=False)
    used = _units(resource, parse_quantity(node_class.in_use.get(resource, "0")), up=True)
    whole = each * node_class.count - used
    free = int(whole * (1 - cluster.headroom))
    requirement = Requirement(f"{cluster.name}/{node_class.name}", resource, _unit(resource))
    builder.row(entries, upper=free, requirement=requirement)
    _whole_nodes(builder, entries, whole // node_class.count, node_class.count, requirement)
    if nodes is not None:
        builder.row({**entries, nodes: -float(each)}, upper=0.0)


def _whole_nodes(
    builder: Builder,
    entries: dict[int, float],
    node: int,
    count: int,
    requirement: Requirement,
) -> None:
    """Rows that hold for every packing of whole replicas on whole nodes, beyond the sum.

    With s the part of a node that a replica takes, each of the functions

        u_k(s) = s if (k + 1) s is whole, else floor((k + 1) s) / k

    adds up to at most 1 over the replicas of one node (dual feasible functions: Fekete and
    Schepers, New classes of fast lower bounds for bin packing problems, 2001, theorem 2). For
    k = 1: at most one replica of over half a node on each; for k = 2: at most two of over a third.
    """
    seen: set[tuple[float, ...]] = set()
    for k in range(1, _DEEPEST + 1):
        parts: dict[int, float] = {}
        for column, need in entries.items():
            scaled = (k + 1) * int(need)
            parts[column] = need * k if scaled % node == 0 else float(scaled // node * node)
        shape = tuple(parts.values())
        if shape in seen or all(p <= k * n for p, n in zip(parts.values(), entries.values(), strict=True)):
            continue  # the row of sums says as much
        seen.add(shape)
        rule = f"{requirement.rule} on whole nodes"
        builder.row(
            {column: part / (k * node) for column, part in parts.items() if part},
            upper=count,
            requirement=Requirement(requirement.subject, rule, "nodes"),
        )


_DEEPEST = 3
"""Replicas of less than a quarter of a node leave too little over for a row of their own."""


def _units(resource: str, amount: Decimal, *, up: bool) -> int:
    """An amount in the whole units of its row.

    Requests are rounded up and capacities down, so that what fits in units fits in fact.
    """
    if resource == "cpu":
        amount *= 1000
    elif _unit(resource) == "MiB":
        amount /= 2**20
    whole = int(amount)
    return whole + 1 if up and whole != amount else whole


def _unit(resource: str) -> str:
    if resource == "cpu":
        return "milli-CPU"
    return "MiB" if resource == "memory" or resource.endswith("storage") else resource
