"""From a violation that the exact check found to a row that keeps the solver away from it.

Owns the cuts. A cut limits what some workloads together ask of a resource of a cluster to a little
less than they ask now. It is heuristic: it may exclude good placements with the bad one, so the
bound that is reported comes from the program without cuts.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from placement.check import RULE, Violation
from placement.failure import Counts
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import request_of
from placement.quantity import parse_quantity


@dataclass(frozen=True)
class Limit:
    """A cut: what *workloads* may ask of *resource* on *cluster* together, in its own unit."""

    cluster: str
    resource: str
    workloads: frozenset[str]
    amount: Decimal


@dataclass(frozen=True)
class Seat:
    """A cut: a cluster of *workload* counts at the minimum of its range from a replica more."""

    workload: str


Cut = Limit | Seat


def tightened(
    federation: Federation, counts: Counts, found: Sequence[Violation], earlier: Sequence[Cut]
) -> tuple[Cut, ...]:
    """A cut for each workload that falls short below its maximum and for each crowded cluster.

    None where none would help. Where *earlier* cuts of a cluster did not, each is twice as deep as
    the one before.
    """
    depth = Counter(cut.cluster for cut in earlier if isinstance(cut, Limit))
    seats = {
        Seat(name): None
        for violation in found
        if violation.rule.startswith(RULE)
        for name in violation.workloads
    }
    if seats:
        return tuple(seats)
    workloads = {w.id: w for w in federation.workloads}
    limits: dict[str, Limit] = {}
    for violation in found:
        name = violation.cluster
        if name is None or name in limits or not violation.workloads:
            continue
        crowd = [workloads[w] for w in violation.workloads]
        resource = _scarcest(federation, counts, name, crowd)
        used = sum(
            (counts[w.id].get(name, 0) * request_of(w).get(resource, Decimal(0)) for w in crowd),
            Decimal(0),
        )
        step = min(
            (a for w in crowd if (a := request_of(w).get(resource, Decimal(0)))), default=Decimal(0)
        )
        over = sum(
            (
                n * request_of(workloads[w]).get(resource, Decimal(0))
                for w, n in violation.left.items()
            ),
            Decimal(0),
        )
        if step:
            # What did find a node; for a promise, a replica of the smallest less or 2 %.
            less = over or max(step, used / 50) * 2 ** max(0, depth[name] - 1)
            amount = max(Decimal(0), used - less)
            limits[name] = Limit(name, resource, frozenset(violation.workloads), amount)
    return tuple(limits.values())


def _scarcest(federation: Federation, counts: Counts, name: str, crowd: Sequence[Workload]) -> str:
    """The resource of which the crowd takes the largest part of the cluster."""
    cluster = federation.cluster(name)
    used: dict[str, Decimal] = {}
    for workload in crowd:
        for resource, amount in request_of(workload).items():
            asked = amount * counts[workload.id].get(name, 0)
            used[resource] = used.get(resource, Decimal(0)) + asked
    totals = dict.fromkeys(used, Decimal(0))
    for node_class in cluster.node_classes:
        for resource in used:
            each = parse_quantity(node_class.allocatable.get(resource, "0"))
            totals[resource] += each * node_class.count
    return max(sorted(used), key=lambda r: used[r] / totals[r] if totals[r] else Decimal(0))
