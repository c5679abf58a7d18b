"""What a workload asks of its own replicas: spread, bounds by cluster, ratio, users."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from placement.check.suitable import near
from placement.check.violation import Violation
from placement.division import webster
from placement.federation.base import Level
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.intent import Groups
from placement.federation.workload import Workload


def rules(
    federation: Federation, workload: Workload, counts: Mapping[str, int]
) -> Iterator[Violation]:
    """What *counts*, all replicas of the workload on suitable clusters, break."""
    yield from within(federation, workload, workload.all_groups, counts)
    if workload.weights and workload.deviation_price is None:
        wanted = {c: n for c, n in webster(workload.size, workload.weights).items() if n}
        if dict(counts) != wanted:
            yield Violation(workload.id, "weights", f"{dict(counts)}; wanted {wanted}")


def within(
    federation: Federation,
    workload: Workload,
    groups: Mapping[Level, Groups],
    counts: Mapping[str, int],
) -> Iterator[Violation]:
    """What *counts* break of the rules that hold at every total of an autoscaled workload."""
    known = {c.name: c for c in federation.clusters}
    for level, wanted in groups.items():
        reached = {g for name in counts for g in known[name].groups(level)}
        if not wanted.least <= len(reached) <= (wanted.max_groups or len(reached)):
            bounds = f"{wanted.least} to {wanted.max_groups or 'any'}"
            yield Violation(workload.id, f"spread.{level}", f"{len(reached)} of {bounds}")
    per = workload.per_cluster
    for name, n in counts.items():
        if not per.min <= n <= min(per.max or n, workload.at_most.get(name, n)):
            yield Violation(workload.id, "perCluster", f"{n} on {name}", name)
    for name, least in workload.at_least.items():
        if counts.get(name, 0) < least:
            yield Violation(workload.id, "atLeast", f"{counts.get(name, 0)} on {name}", name)
    yield from _users(federation, workload, counts, known)


def _users(
    federation: Federation,
    workload: Workload,
    counts: Mapping[str, int],
    known: Mapping[str, Cluster],
) -> Iterator[Violation]:
    """Whether the replicas near enough to any set of regions carry these regions' users.

    The replicas of a cluster together carry at most one replica's share more than their own, since
    replicas are whole. That this holds for every set of regions is necessary and sufficient for a
    division of the users over the replicas (Hall 1935, Gale 1957). Of the sets with the same
    clusters near by, the largest says it for all: so each union of such clusters is looked at once.
    """
    shares = {d.region: d.share for d in workload.demand}
    total = sum(shares.values(), Decimal(0))
    placed = sum(counts.values())
    serving = {
        region: frozenset(
            name for name in counts if near(federation, workload, region, known[name])
        )
        for region in sorted(shares)
    }
    unions = {frozenset[str]()}
    for clusters in serving.values():
        unions |= {clusters | union for union in unions}
    for union in sorted(unions, key=lambda names: (len(names), sorted(names))):
        chosen = [region for region, clusters in serving.items() if clusters <= union]
        wanted = sum((shares[region] for region in chosen), Decimal(0)) * placed
        have = sum(counts[name] + 1 for name in union)
        if have * total < wanted:
            detail = (
                f"replicas near enough to {', '.join(chosen)} carry {have} shares, "
                f"{wanted / total:.2f} needed"
            )
            yield Violation(workload.id, "latencyLimit", detail)
            return
