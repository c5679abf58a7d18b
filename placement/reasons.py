"""Why a workload is where it is: what was demanded, and which better clusters it is not on.

Owns the words. A cluster is better if it comes before the worst one that is used, by the terms of
the objective alone; it is then either refused by a filter, full, or left for the sake of other
workloads, of the spread or of a later goal.
"""

from dataclasses import dataclass
from decimal import Decimal

from placement.decision import Decision, PlacedWorkload
from placement.federation.cluster import Cluster
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.filter import unfit
from placement.packing import left_over, request_of
from placement.program.capacity import free_of
from placement.quantity import parse_quantity
from placement.rank import key
from placement.score import Facts, Terms, terms

_NAMED = 3
"""The most clusters that a line names."""


@dataclass(frozen=True)
class Better:
    """A cluster that the objective prefers to the worst one that is used.

    Attributes:
        refused_by: the filter; None for a candidate.
        full: whether not one replica more finds room there.
        saving: the part of the cost of a replica that it would save; None where cost is unknown.
    """

    cluster: str
    refused_by: str | None
    full: bool
    saving: float | None


def demanded(workload: Workload, placed: PlacedWorkload) -> list[str]:
    """What the federation file asks of the workload beyond its replicas, in a few words each."""
    parts: list[str] = []
    if workload.weights:
        ratio = ", ".join(f"{name} {n}" for name, n in workload.weights.items())
        price = workload.deviation_price
        at = "" if price is None else f" or {price.amount} {price.currency} for each elsewhere"
        parts.append(f"ratio {ratio}{at}")
    for level, groups in workload.groups.items():
        default = " (default)" if placed.spread_defaulted else ""
        price = groups.missing_price
        at = "" if price is None else f" or {price.amount} {price.currency} for each missing"
        parts.append(f"{_range(groups.min_groups, groups.max_groups)} {level}s{default}{at}")
    bounds = workload.per_cluster
    if bounds.min > 1 or bounds.max:
        parts.append(f"{_range(bounds.min, bounds.max)} a cluster")
    parts += [f"at least {n} on {name}" for name, n in workload.at_least.items()]
    parts += [f"at most {n} on {name}" for name, n in workload.at_most.items()]
    parts += [f"with {n.workload} by {n.level}" for n in workload.workload_affinity]
    parts += [f"apart from {n.workload} by {n.level}" for n in workload.workload_anti_affinity]
    if workload.residency:
        parts.append(f"data in {' or '.join(workload.residency)}")
    if workload.latency_limit is not None:
        parts.append(f"users within {workload.latency_limit} ms")
    parts += [f"{d.name} within {d.rtt_limit} ms" for d in workload.data if d.rtt_limit is not None]
    if workload.survive is not None:
        parts.append(f"{workload.survive.keep} after the loss of any {workload.survive.loss}")
    return parts


def _range(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return f"{least} to {most}" if most > least else f"exactly {least}"


def better(
    federation: Federation, facts: Facts, decision: Decision, workload: Workload
) -> list[Better]:
    """The clusters that the objective prefers to the worst used one, best first.

    Of those that are used, the full ones: they are why it is not alone.
    """
    placed = decision.workload(workload.id)
    refused = {r.cluster: r.filter for r in placed.refused}
    known = {
        c.name: found
        for c in federation.clusters
        if (found := _best(facts, workload, c)) is not None
    }
    keys = {name: key(federation.objective, found) for name, found in known.items()}
    used = [name for name in placed.replicas if name in keys]
    if not used:
        return []
    worst = max(used, key=lambda name: (keys[name], name))
    result: list[Better] = []
    for name in sorted(known, key=lambda name: (keys[name], name)):
        if keys[name] >= keys[worst]:
            break
        full = name not in refused and _full(federation, decision, workload, name)
        if full or name not in placed.replicas:
            saving = _saving(known[name].get("cost"), known[worst].get("cost"))
            result.append(Better(name, refused.get(name), full, saving))
    return result


def note(found: Better | None, replicas: int) -> str:
    """Why a candidate holds no more than its *replicas*; *found* if the objective prefers it."""
    if found is not None and found.full:
        return "full"
    if replicas:
        return ""
    return "not better than those used" if found is None else "left to others or a later goal"


def sentence(federation: Federation, facts: Facts, decision: Decision, workload: Workload) -> str:
    """All of it in a line."""
    placed = decision.workload(workload.id)
    found = better(federation, facts, decision, workload)
    parts = ["asked: " + ", ".join(asked)] if (asked := demanded(workload, placed)) else []
    for level, wanted in workload.groups.items():
        reached = {g for name in placed.replicas for g in federation.cluster(name).groups(level)}
        if len(reached) < wanted.min_groups:
            missing = wanted.min_groups - len(reached)
            charged = ""
            if wanted.missing_price is not None:
                charged = f", charged {missing * federation.amount(wanted.missing_price):.2f}"
            parts.append(f"missing: {missing} {level}s{charged}")
    groups = {
        "refused": [f"{b.cluster}{_less(b)} ({b.refused_by})" for b in found if b.refused_by],
        "full": [f"{b.cluster}{_less(b)}" for b in found if b.full],
        "left": [f"{b.cluster}{_less(b)}" for b in found if not b.full and not b.refused_by],
    }
    parts += [f"{title}: {_some(names)}" for title, names in groups.items() if names]
    if not found:
        parts.append(f"best of {len(placed.candidates)} that may hold it")
    return "; ".join(parts)


def _best(facts: Facts, workload: Workload, cluster: Cluster) -> Terms | None:
    """The terms of a replica on the best node class that has room for one, if any has."""
    objective = facts.federation.objective
    found = [
        terms(facts, workload, cluster, node_class)
        for node_class in cluster.node_classes
        if unfit(workload, node_class) is None
    ]
    return min(found, key=lambda each: key(objective, each), default=None)


def _full(federation: Federation, decision: Decision, workload: Workload, name: str) -> bool:
    """Whether one replica more finds no node, or only what is to stay free."""
    cluster = federation.cluster(name)
    counts = decision.counts
    there = [
        (w, counts[w.id].get(name, 0) + (w.id == workload.id))
        for w in federation.workloads
        if name in counts[w.id] or w.id == workload.id
    ]
    if left_over(cluster, there):
        return True
    for resource in request_of(workload):
        free = free_of(cluster, resource)
        kept = parse_quantity(cluster.reserve.get(resource, "0"))
        asked = sum((request_of(w).get(resource, Decimal(0)) * n for w, n in there), Decimal(0))
        if asked > min(free * (1 - cluster.headroom), free - kept):
            return True
    return False


def _saving(cost: float | None, worst: float | None) -> float | None:
    return None if cost is None or not worst else 1 - cost / worst


def _less(found: Better) -> str:
    """What a replica there saves, where it does."""
    return "" if found.saving is None or found.saving < 0.005 else f" -{found.saving:.0%}"


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
