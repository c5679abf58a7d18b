"""Whether what is placed on a cluster finds room there, and leaves free what is to stay free."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from placement.check.violation import Violation
from placement.failure import Counts
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import left_over, request_of
from placement.quantity import parse_quantity


def capacity(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """Each cluster: its headroom and reserve, then whole replicas on whole nodes."""
    workloads = {w.id: w for w in federation.workloads}
    for cluster in federation.clusters:
        there = [(workloads[i], n[cluster.name]) for i, n in counts.items() if cluster.name in n]
        yield from _kept_free(cluster, there)
        left = left_over(cluster, there)
        if left:
            everyone = tuple(workloads)
            yield Violation(cluster.name, "capacity", _list(left), cluster.name, everyone, left)


def _kept_free(cluster: Cluster, there: Sequence[tuple[Workload, int]]) -> Iterator[Violation]:
    """What is asked of the cluster in all leaves its headroom and its reserve free."""
    for resource in sorted({r for k in cluster.node_classes for r in k.allocatable}):
        # What others use beyond the nodes of a class is not taken from those of another.
        free = sum((max(Decimal(0), k.free(resource)) for k in cluster.node_classes), Decimal(0))
        asked = sum((request_of(w).get(resource, Decimal(0)) * n for w, n in there), Decimal(0))
        kept = {"headroom": free * (1 - cluster.headroom)}
        if resource in cluster.reserve:
            kept["reserve"] = free - parse_quantity(cluster.reserve[resource])
        for rule, most in kept.items():
            if asked > max(most, Decimal(0)):
                detail = f"{asked:f} {resource} asked of {free:f}"
                yield Violation(cluster.name, rule, detail, cluster.name)


def _list(left: Mapping[str, int]) -> str:
    return ", ".join(f"{n} of {name} find no node" for name, n in left.items())
