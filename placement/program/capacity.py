"""Rows of capacity: what all workloads together ask of a node class, and the cuts of the check."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from placement.federation.cluster import Cluster, NodeClass
from placement.federation.federation import Federation
from placement.packing import request_of
from placement.program.matrix import Builder, Requirement, sum_of
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
    on = _by_node_class(views)
    for cluster in federation.clusters:
        for node_class in cluster.node_classes:
            columns = on.get((cluster.name, node_class.name))
            if not columns:
                continue
            nodes = None
            if marginal:
                nodes = builder.column(0, node_class.count, integer=True)
                price = facts.price.get((cluster.name, node_class.name), 0.0)
                builder.cost("cost", nodes, price)
            for resource in node_class.allocatable:
                _row(builder, cluster, node_class, resource, columns, nodes)
        _reserve(builder, views, cluster)
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


def _reserve(builder: Builder, views: Sequence[View], cluster: Cluster) -> None:
    """What is asked of a cluster over all its node classes leaves its reserve free."""
    for resource, amount in cluster.reserve.items():
        entries: dict[int, float] = {}
        for view in views:
            need = float(units(resource, request_of(view.workload).get(resource, Decimal(0))))
            entries |= sum_of(dict(view.by_cluster).get(cluster.name, ()) if need else (), need)
        free = free_of(cluster, resource) - parse_quantity(amount)
        requirement = Requirement(cluster.name, f"reserve.{resource} {amount}", unit_of(resource))
        upper = float(units(resource, max(Decimal(0), free)))
        builder.row(entries, upper=upper, requirement=requirement)


def _by_node_class(
    views: Sequence[View],
) -> dict[tuple[str, str], dict[int, dict[str, Decimal]]]:
    """By cluster and node class, the replica columns there, each with a replica's request."""
    found: dict[tuple[str, str], dict[int, dict[str, Decimal]]] = defaultdict(dict)
    for view in views:
        request = request_of(view.workload)
        for candidate, of_cluster in zip(view.candidates, view.columns, strict=True):
            for fit, column in zip(candidate.fits, of_cluster, strict=True):
                found[candidate.cluster.name, fit.node_class.name][column] = request
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
    _whole_nodes(builder, entries, free, node_class.count, nodes, requirement)
    if nodes is not None:
        builder.row({**asked, nodes: -float(free / node_class.count)}, upper=0.0)


def _whole_nodes(
    builder: Builder,
    entries: dict[int, Decimal],
    free: Decimal,
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
        free: what is free of all nodes, in the same unit.
        count: the nodes.
        nodes: the column of nodes opened, where these are charged.
        requirement: that the rows belong to.
    """
    rule = f"{requirement.rule} on whole nodes"
    whole = Requirement(requirement.subject, rule, "nodes")
    # In whole numbers: a replica takes the part taken/one of a node.
    one, *needs = _whole([free, *entries.values()])
    taken = {column: need * count for column, need in zip(entries, needs, strict=True)}
    larger = {column: 1.0 for column, part in taken.items() if part > one}
    if larger:
        builder.row(larger, upper=0, requirement=whole)
    seen: set[tuple[float, ...]] = set()
    for k in range(1, _DEEPEST + 1):
        parts: dict[int, float] = {}
        beyond = False
        for column, part in taken.items():
            if part > one:
                continue
            times, rest = divmod((k + 1) * part, one)
            beyond = beyond or (rest > 0 and times * one > k * part)
            parts[column] = times / k if rest else part / one
        shape = tuple(parts.values())
        if shape in seen or not beyond:
            continue  # the row of sums says as much
        seen.add(shape)
        row = {column: value for column, value in parts.items() if value}
        builder.row(row, upper=count, requirement=whole)
        if nodes is not None:
            builder.row({**row, nodes: -1.0}, upper=0)


def _whole(amounts: Sequence[Decimal]) -> list[int]:
    """The amounts in the largest decimal unit in which all of them are whole."""
    exponents = [e for a in amounts if isinstance(e := a.as_tuple().exponent, int)]
    unit = Decimal(10) ** min(0, *exponents)
    return [int(amount / unit) for amount in amounts]


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
    return sum((max(Decimal(0), k.free(resource)) for k in cluster.node_classes), Decimal(0))
