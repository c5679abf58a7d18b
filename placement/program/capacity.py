"""Rows of capacity: what all workloads together ask of a node class, and the cuts of the check."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

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
                        entries |= dict.fromkeys(of_cluster, float(units(limit.resource, need)))
        builder.row(
            entries,
            upper=float(units(limit.resource, limit.amount)),
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
        column: units(resource, request[resource])
        for column, request in columns.items()
        if resource in request
    }
    if not entries:
        return
    each = units(resource, parse_quantity(node_class.allocatable[resource]))
    used = units(resource, parse_quantity(node_class.in_use.get(resource, "0")))
    free = each * node_class.count - used
    requirement = Requirement(f"{cluster.name}/{node_class.name}", resource, unit_of(resource))
    asked = {column: float(need) for column, need in entries.items()}
    upper = float(free * (1 - cluster.headroom))
    builder.row(asked, upper=upper, requirement=requirement)
    node = Fraction(free) / node_class.count
    _whole_nodes(builder, entries, node, node_class.count, nodes, requirement)
    if nodes is not None:
        builder.row({**asked, nodes: -float(node)}, upper=0.0)


def _whole_nodes(
    builder: Builder,
    entries: dict[int, Decimal],
    node: Fraction,
    count: int,
    nodes: int | None,
    requirement: Requirement,
) -> None:
    """Rows that hold for every packing of whole replicas on whole nodes, beyond the sum.

    With s the part of a node that a replica takes, each of the functions

        u_k(s) = s if (k + 1) s is whole, else floor((k + 1) s) / k

    adds up to at most 1 over the replicas of one node (dual feasible functions: Fekete and
    Schepers, New classes of fast lower bounds for bin packing problems, 2001, theorem 2). For
    k = 1: at most one replica of over half a node on each; for k = 2: at most two of over a third.
    What others use is spread evenly over the nodes, so a replica may fit none although it fits
    what is free in all.

    Args:
        builder: collects the rows.
        entries: the request of a replica by column.
        node: what is free of one node, in the same unit.
        count: the nodes.
        nodes: the column of nodes opened, where these are charged.
        requirement: that the rows belong to.
    """
    rule = f"{requirement.rule} on whole nodes"
    whole = Requirement(requirement.subject, rule, "nodes")
    larger = {column: 1.0 for column, need in entries.items() if need > node}
    if larger:
        builder.row(larger, upper=0, requirement=whole)
    shares = {column: Fraction(n) / node for column, n in entries.items() if n <= node}
    seen: set[tuple[Fraction, ...]] = set()
    for k in range(1, _DEEPEST + 1):
        parts: dict[int, Fraction] = {}
        for column, share in shares.items():
            scaled = (k + 1) * share
            parts[column] = share if scaled.denominator == 1 else Fraction(int(scaled), k)
        shape = tuple(parts.values())
        if shape in seen or all(part <= shares[column] for column, part in parts.items()):
            continue  # the row of sums says as much
        seen.add(shape)
        row = {column: float(part) for column, part in parts.items() if part}
        builder.row(row, upper=count, requirement=whole)
        if nodes is not None:
            builder.row({**row, nodes: -1.0}, upper=0)


_DEEPEST = 3
"""Replicas of less than a quarter of a node leave too little over for a row of their own."""


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
    return sum(
        (
            max(
                Decimal(0),
                parse_quantity(k.allocatable.get(resource, "0")) * k.count
                - parse_quantity(k.in_use.get(resource, "0")),
            )
            for k in cluster.node_classes
        ),
        Decimal(0),
    )
