"""An independent check that a placement meets the federation file.

Owns the proof that an answer is right: written from the file's own meaning, exact, and sharing
nothing with the solver or its program. The standard library, pydantic and the models are all it
imports, so that the policy pack can use it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations

from placement.division import filters as karmada
from placement.division import webster
from placement.failure import Counts, after, losses
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Groups, Workload
from placement.packing import left_over, request_of
from placement.quantity import parse_quantity
from placement.state import affinity, cluster_state, taints, tolerations


@dataclass(frozen=True)
class Violation:
    """A requirement that a placement does not meet.

    Attributes:
        subject: the workload's id, or the cluster's name.
        rule: the requirement, by the key of the federation file.
        detail: what was found.
        cluster: where it was found, for violations that are about one cluster.
        workloads: the workloads that crowd the cluster, for violations of capacity.
        left: replicas that find no node there, by workload id.
    """

    subject: str
    rule: str
    detail: str
    cluster: str | None = None
    workloads: tuple[str, ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.subject}: {self.rule}: {self.detail}"


def violations(federation: Federation, counts: Counts) -> list[Violation]:
    """Every requirement of *federation* that *counts* do not meet; empty for a right answer."""
    found: list[Violation] = []
    for workload in federation.workloads:
        found.extend(_workload(federation, workload, counts.get(workload.id, {})))
    if found:
        return found
    found.extend(_capacity(federation, counts))
    return found or list(_survival(federation, counts))


def _workload(
    federation: Federation, workload: Workload, counts: Mapping[str, int]
) -> Iterator[Violation]:
    total = sum(counts.values())
    if total != workload.size or any(n < 1 for n in counts.values()):
        yield Violation(workload.id, "replicas", f"{total} placed of {workload.size}")
        return
    known = {c.name: c for c in federation.clusters}
    for name in counts:
        reason = "unknown" if name not in known else _unsuitable(federation, workload, known[name])
        if reason is not None:
            yield Violation(workload.id, "suitable", f"{name}: {reason}", name)
            return
    for level, wanted in workload.all_groups.items():
        reached = {g for name in counts for g in known[name].groups(level)}
        if not _within(len(reached), wanted):
            yield Violation(workload.id, f"spread.{level}", f"{len(reached)} of {_bounds(wanted)}")
    per = workload.per_cluster
    for name, n in counts.items():
        least = max(per.min, workload.at_least.get(name, 0))
        most = min(per.max or n, workload.at_most.get(name, n))
        if not least <= n <= most:
            yield Violation(workload.id, "perCluster", f"{n} on {name}", name)
    for name, least in workload.at_least.items():
        if counts.get(name, 0) < least:
            yield Violation(workload.id, "atLeast", f"{counts.get(name, 0)} on {name}", name)
    if workload.weights and workload.deviation_price is None:
        wanted_counts = {c: n for c, n in webster(workload.size, workload.weights).items() if n}
        if dict(counts) != wanted_counts:
            yield Violation(workload.id, "weights", f"{dict(counts)}; wanted {wanted_counts}")
    yield from _users(federation, workload, counts, known)


def _unsuitable(federation: Federation, workload: Workload, cluster: Cluster) -> str | None:
    if not cluster.ready:
        return "not ready"
    template = workload.template
    if template is not None and not cluster.serves(template.api_version, template.kind):
        return f"does not serve {template.kind}"
    if karmada.untolerated(taints(cluster.taints), tolerations(workload)) is not None:
        return "taint not tolerated"
    if not karmada.matches(cluster_state(cluster), affinity(workload)):
        return "outside the affinity"
    if workload.residency and cluster.jurisdiction not in workload.residency:
        return "outside the residency"
    for data in workload.data:
        if data.rtt_limit is not None and data.region != cluster.region:
            latency = federation.latency
            ms = latency.between(cluster.region, data.region) if latency else None
            if ms is None or ms > data.rtt_limit:
                return f"too far from {data.name}"
    limit = workload.latency_limit
    if limit is not None and not any(
        _near(federation, workload, d.region, cluster) for d in workload.demand
    ):
        return f"further than {limit} ms from all users"
    return None


def _near(federation: Federation, workload: Workload, region: str, cluster: Cluster) -> bool:
    """Whether users in *region* are known to be within the workload's limit of *cluster*."""
    latency = federation.latency
    ms = latency.between(region, cluster.region) if latency else None
    limit = workload.latency_limit
    return ms is not None and (limit is None or Decimal(str(ms)) <= limit)


def _users(
    federation: Federation,
    workload: Workload,
    counts: Mapping[str, int],
    known: Mapping[str, Cluster],
) -> Iterator[Violation]:
    """Whether the replicas near enough to any set of regions carry these regions' users.

    The replicas of a cluster together carry at most one replica's share more than their own, since
    replicas are whole. That this holds for every set of regions is necessary and sufficient for a
    division of the users over the replicas (Hall 1935, Gale 1957).
    """
    if not workload.demand:
        return
    total = sum((d.share for d in workload.demand), Decimal(0))
    regions = {d.region: d.share for d in workload.demand}
    for size in range(1, len(regions) + 1):
        for chosen in combinations(sorted(regions), size):
            wanted = sum((regions[r] for r in chosen), Decimal(0)) * workload.size
            have = sum(
                n + 1
                for name, n in counts.items()
                if any(_near(federation, workload, r, known[name]) for r in chosen)
            )
            if have * total < wanted:
                detail = (
                    f"replicas near enough to {', '.join(chosen)} carry {have} shares, "
                    f"{wanted / total:.2f} needed"
                )
                yield Violation(workload.id, "latencyLimit", detail)
                return


def _capacity(federation: Federation, counts: Counts) -> Iterator[Violation]:
    workloads = {w.id: w for w in federation.workloads}
    for cluster in federation.clusters:
        there = [(workloads[i], n[cluster.name]) for i, n in counts.items() if cluster.name in n]
        yield from _headroom(cluster, there)
        left = left_over(cluster, there)
        if left:
            everyone = tuple(workloads)
            yield Violation(cluster.name, "capacity", _list(left), cluster.name, everyone, left)


def _headroom(cluster: Cluster, there: Sequence[tuple[Workload, int]]) -> Iterator[Violation]:
    """What is asked of the cluster in all leaves its headroom free."""
    for resource in ("cpu", "memory", "pods"):
        free = sum(
            (
                parse_quantity(k.allocatable[resource]) * k.count
                - parse_quantity(k.in_use.get(resource, "0"))
                for k in cluster.node_classes
            ),
            Decimal(0),
        )
        asked = sum((request_of(w).get(resource, Decimal(0)) * n for w, n in there), Decimal(0))
        if asked > max(free, Decimal(0)) * (1 - cluster.headroom):
            detail = f"{asked:f} {resource} asked of {free:f}"
            yield Violation(cluster.name, "headroom", detail, cluster.name)


def _survival(federation: Federation, counts: Counts) -> Iterator[Violation]:
    promised = [w for w in federation.workloads if w.survive is not None]
    if not promised:
        return
    everything = {c.name: c for c in federation.clusters}
    for loss in losses(federation):
        concerned = [w for w in promised if w.survive and w.survive.loss == loss.kind]
        if not concerned:
            continue
        aftermath = after(federation, counts, loss)
        for workload in concerned:
            rule = f"survive.{loss.kind}"
            pending = aftermath.pending.get(workload.id, 0)
            if pending:
                where = [c for c, left in aftermath.crowded.items() if workload.id in left]
                crowding = tuple(
                    w.id
                    for w in federation.workloads
                    if w.survive is not None and where and where[0] in counts[w.id]
                )
                detail = f"{pending} replicas pending after the loss of {loss.name}"
                yield Violation(workload.id, rule, detail, where[0] if where else None, crowding)
            if workload.survive and workload.survive.keep == "spread":
                now = aftermath.counts.get(workload.id, counts[workload.id])
                for level, wanted in workload.groups.items():
                    reached = {g for name in now for g in everything[name].groups(level)}
                    if len(reached) < wanted.min_groups:
                        detail = f"{len(reached)} {level}s after the loss of {loss.name}"
                        yield Violation(workload.id, f"{rule}.spread", detail)


def _within(count: int, wanted: Groups) -> bool:
    return wanted.min_groups <= count <= (wanted.max_groups or count)


def _bounds(wanted: Groups) -> str:
    return f"{wanted.min_groups} to {wanted.max_groups or 'any'}"


def _list(left: Mapping[str, int]) -> str:
    return ", ".join(f"{n} of {name} find no node" for name, n in left.items())
