"""The verdict on a placement of a federation."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bench.baselines.eligible import Eligible
from bench.baselines.methods import Method
from bench.judge.money import charged
from bench.judge.users import served
from placement.check import violations
from placement.check.neighbours import neighbours
from placement.failure import Counts, losses
from placement.federation.federation import Federation
from placement.packing import left_over

Runs = dict[str, dict[str, int]]

_NO_NEIGHBOURS = {"workload_affinity": (), "workload_anti_affinity": ()}

_OF_ROOM = ("capacity", "headroom", "reserve", "survive")
"""The rules of room, which the other counts are about."""


@dataclass(frozen=True)
class Verdict:
    """What a placement is worth.

    Attributes:
        method: what placed.
        replicas: asked for.
        running: of them with a node.
        cost: of those that run, objective's currency a month.
        carbon: of those that run, kgCO2e a month.
        latency: mean over the replicas that serve users, ms; None where none does.
        unplaced: replicas that the method gave no cluster.
        crowded: replicas on a cluster whose nodes do not hold them: violations of capacity.
        spread: workloads placed whole whose spread is not met.
        rules: workloads placed whole that break another rule of their own.
        losses: pairs of a workload with a promise and a loss that it does not survive.
        promises: such pairs in all.
    """

    method: str
    replicas: int
    running: int
    cost: float
    carbon: float
    latency: float | None
    unplaced: int
    crowded: int
    spread: int
    rules: int
    losses: int
    promises: int

    @property
    def placed(self) -> float:
        """The part of the demand that runs."""
        return self.running / self.replicas if self.replicas else 1.0

    @property
    def each(self) -> float:
        """What a replica that runs costs in the mean: placements that place less are cheaper."""
        return self.cost / self.running if self.running else 0.0

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        plain = asdict(self)
        for key in ("cost", "carbon", "latency"):
            plain[key] = None if plain[key] is None else round(plain[key], 2)
        return {**plain, "placed": round(self.placed, 4), "each": round(self.each, 2)}


def judge(federation: Federation, eligible: Eligible, method: Method) -> Verdict:
    """Let *method* place the workloads, and say what that is worth."""
    counts = method.place(federation, eligible)
    runs, crowded = _running(federation, counts)
    cost, carbon = _charged(federation, eligible, runs)
    flows = [served(federation, w, runs[w.id]) for w in federation.workloads]
    serving = sum(n for _, n in flows)
    spread, rules = _broken(federation, counts)
    lost, promises = _losses(federation, eligible, method, counts)
    total = sum(w.size for w in federation.workloads)
    return Verdict(
        method=method.name,
        replicas=total,
        running=sum(n for there in runs.values() for n in there.values()),
        cost=cost,
        carbon=carbon,
        latency=sum(ms for ms, _ in flows) / serving if serving else None,
        unplaced=total - sum(n for there in counts.values() for n in there.values()),
        crowded=crowded,
        spread=spread,
        rules=rules,
        losses=lost,
        promises=promises,
    )


def _running(federation: Federation, counts: Counts) -> tuple[Runs, int]:
    """What finds a node, by workload and cluster; and how many replicas find none."""
    workloads = {w.id: w for w in federation.workloads}
    runs: Runs = {w.id: dict(counts.get(w.id, {})) for w in federation.workloads}
    crowded = 0
    for cluster in federation.clusters:
        there = [(workloads[i], n[cluster.name]) for i, n in runs.items() if cluster.name in n]
        for name, left in left_over(cluster, there).items():
            crowded += left
            runs[name][cluster.name] -= left
    return {i: {c: n for c, n in there.items() if n} for i, there in runs.items()}, crowded


def _charged(federation: Federation, eligible: Eligible, runs: Runs) -> tuple[float, float]:
    workloads = {w.id: w for w in federation.workloads}
    cost = carbon = 0.0
    for cluster in federation.clusters:
        there = {i: n[cluster.name] for i, n in runs.items() if cluster.name in n}
        candidates = {
            i: next(c for c in eligible[i] if c.cluster.name == cluster.name) for i in there
        }
        if there:
            of_cluster = charged(cluster, there, workloads, candidates)
            cost += of_cluster.cost
            carbon += of_cluster.carbon
    return cost, carbon


def _broken(federation: Federation, counts: Counts) -> tuple[int, int]:
    """Workloads placed whole, each by itself, that break their spread; and any other rule."""
    spread = rules = 0
    every = {w.id: counts.get(w.id, {}) for w in federation.workloads}
    astray = {violation.subject for violation in neighbours(federation, every)}
    for workload in federation.workloads:
        there = every[workload.id]
        if sum(there.values()) != workload.size:
            continue
        single = workload.model_copy(update=_NO_NEIGHBOURS)
        alone = federation.model_copy(update={"workloads": (single,), "budgets": ()})
        found = {v.rule for v in violations(alone, {workload.id: there})}
        own = {r for r in found if not r.startswith(_OF_ROOM)}
        spread += any(r.startswith("spread") for r in own)
        rules += workload.id in astray or any(not r.startswith("spread") for r in own)
    return spread, rules


def _losses(
    federation: Federation, eligible: Eligible, method: Method, counts: Counts
) -> tuple[int, int]:
    """Of the pairs of a workload with a promise and a loss, those that break it; and all."""
    workloads = {w.id: w for w in federation.workloads}
    broken = promises = 0
    for loss in losses(federation):
        promised = [w for w in federation.workloads if w.survive and w.survive.loss == loss.kind]
        if not promised:
            continue
        now = method.replace(federation, eligible, counts, loss)
        pending = _pending(federation, now, loss.clusters)
        for workload in promised:
            short = workloads[workload.id].size - sum(now.get(workload.id, {}).values())
            promises += 1
            broken += short + pending.get(workload.id, 0) > 0
    return broken, promises


def _pending(federation: Federation, now: Counts, lost: frozenset[str]) -> Mapping[str, int]:
    """Replicas that find no node on the clusters that are left, critical ones served first."""
    workloads = {w.id: w for w in federation.workloads}
    found: dict[str, int] = {}
    for cluster in federation.clusters:
        there = [(workloads[i], n[cluster.name]) for i, n in now.items() if cluster.name in n]
        if cluster.name not in lost and there:
            for name, left in left_over(cluster, there, by_priority=True).items():
                found[name] = found.get(name, 0) + left
    return found
