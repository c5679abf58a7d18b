"""Which clusters may hold a workload at all, and for each other one the reason.

Owns the hard rules that look at one workload and one cluster. It does not compare clusters
(``score.py``) and does not look at other workloads (``program``). A pair that fails here has
no column in the program, so its reason needs no solver.

The filters run in this order and the first that fails gives the reason. Those that Karmada's
scheduler has as well bear its plugins' names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from placement import state
from placement.division import filters as karmada
from placement.division.types import ClusterAffinity
from placement.federation.cluster import Cluster, NodeClass, Taint
from placement.federation.federation import Federation
from placement.federation.objective import Term
from placement.federation.workload import Workload
from placement.quantity import parse_quantity
from placement.score import Facts, Terms, terms

_NOT_NAMED = "affinity.clusterNames does not name it"


@dataclass(frozen=True)
class Fit:
    """How a workload fits a node class.

    Attributes:
        node_class: the class.
        most: replicas that the class holds if nothing else of ours runs there.
        terms: the terms of one replica there.
    """

    node_class: NodeClass
    most: int
    terms: Terms


@dataclass(frozen=True)
class Candidate:
    """A cluster that may hold replicas of a workload.

    Attributes:
        cluster: the cluster.
        fits: its node classes that a replica fits, at least one.
    """

    cluster: Cluster
    fits: tuple[Fit, ...]


@dataclass(frozen=True)
class Refusal:
    """A cluster that may not hold a workload: which filter says so, and why."""

    cluster: str
    filter: str
    detail: str


def candidates(
    facts: Facts, workload: Workload
) -> tuple[tuple[Candidate, ...], tuple[Refusal, ...]]:
    """The clusters that may hold *workload*, and the others with the reason, in file order."""
    taken: list[Candidate] = []
    refused: list[Refusal] = []
    named, unnamed = workload.affinity.cluster_names, _unnamed(facts, workload)
    for cluster in facts.federation.clusters:
        if cluster.name in unnamed and cluster.name not in named:
            refused.append(unnamed[cluster.name])
            continue
        result = _judge(facts, workload, cluster)
        if isinstance(result, Candidate):
            taken.append(result)
        else:
            refused.append(result)
    return tuple(taken), tuple(refused)


def _unnamed(facts: Facts, workload: Workload) -> Mapping[str, Refusal]:
    """What the affinity says of the clusters that it might name and does not, told once for all.

    Of a large federation that is most pairs: a look at each by itself would take minutes.
    """
    given = workload.affinity
    if not given.cluster_names:
        return {}
    others = given.model_copy(update={"cluster_names": ()})
    template = workload.template
    kind = None if template is None else (template.api_version, template.kind)
    key = (kind, others.model_dump_json())
    if key not in facts.unnamed:
        rest = workload.model_copy(update={"affinity": others})
        facts.unnamed[key] = {
            c.name: Refusal(
                c.name, "ClusterAffinity", _affinity(facts.federation, rest, c) or _NOT_NAMED
            )
            for c in facts.federation.clusters
            # No rule before this one refuses it, whatever the workload.
            if c.ready and not (c.drained or c.cordoned or c.taints)
            if kind is None or c.serves(*kind)
        }
    found: Mapping[str, Refusal] = facts.unnamed[key]
    return found


def _judge(facts: Facts, workload: Workload, cluster: Cluster) -> Candidate | Refusal:
    for name, rule in _RULES:
        detail = rule(facts.federation, workload, cluster)
        if detail is not None:
            return Refusal(cluster.name, name, detail)
    fits: list[Fit] = []
    reasons: list[str] = []
    for node_class in cluster.node_classes:
        reason = unfit(workload, node_class)
        most = _most(workload, node_class)
        if reason is None and most == 0:
            reason = f"none of the {node_class.count} nodes has room for a replica"
        if reason is not None:
            reasons.append(f"{node_class.name}: {reason}")
        else:
            fits.append(Fit(node_class, most, terms(facts, workload, cluster, node_class)))
    if not fits:
        return Refusal(cluster.name, "NodeFit", "; ".join(reasons))
    return _known(facts.federation, workload, cluster, tuple(fits))


def _known(
    federation: Federation, workload: Workload, cluster: Cluster, fits: tuple[Fit, ...]
) -> Candidate | Refusal:
    """A candidate has a known value of every term that the objective weighs."""
    unknown: list[Term] = []
    for term in federation.weighed(workload):
        if term == "latency":
            continue  # the filter Latency has seen to it: one region of users is enough
        known = tuple(fit for fit in fits if fit.terms.get(term, 0.0) is not None)
        if not known:
            unknown.append(term)
        fits = known or fits
    if unknown:
        detail = (
            f"its {' and '.join(unknown)} for {workload.id} is unknown and the objective or a "
            "budget weighs it; state the fact or drop the term"
        )
        return Refusal(cluster.name, "Facts", detail)
    return Candidate(cluster, fits)


def _readiness(_: Federation, __: Workload, cluster: Cluster) -> str | None:
    return None if cluster.ready else "the cluster is not ready"


def _drained(_: Federation, __: Workload, cluster: Cluster) -> str | None:
    return "the cluster is drained" if cluster.drained else None


def _cordoned(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    if not cluster.cordoned or workload.at_most.get(cluster.name, 1):
        return None
    return "the cluster is cordoned, and nothing of the workload runs there"


def _api(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    template = workload.template
    if template is None or cluster.serves(template.api_version, template.kind):
        return None
    return f"it does not serve {template.kind} of {template.api_version}"


def _taint(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    taint = _untolerated(workload, cluster.taints)
    return None if taint is None else f"taint {taint} is not tolerated"


def _affinity(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    given = workload.affinity
    unnamed = bool(given.cluster_names) and cluster.name not in given.cluster_names
    if not (given.exclude or given.label_selector or given.field_selector):
        return _NOT_NAMED if unnamed else None
    wanted = state.affinity(workload)
    seen = state.cluster_state(cluster)
    if karmada.matches(seen, wanted):
        return None
    if not karmada.matches(seen, ClusterAffinity(exclude=wanted.exclude)):
        return "affinity.exclude names it"
    if not karmada.matches(seen, ClusterAffinity(label_selector=wanted.label_selector)):
        return f"its labels {_shown(cluster.labels)} do not match affinity.labelSelector"
    if not karmada.matches(seen, ClusterAffinity(field_selector=wanted.field_selector)):
        zones = ", ".join(cluster.zones) or "none"
        return (
            f"region {cluster.region}, provider {cluster.provider}, zones {zones} do not match "
            "affinity.fieldSelector"
        )
    return _NOT_NAMED


def _ratio(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    hard = workload.weights and workload.deviation_price is None
    if not hard or cluster.name in workload.weights:
        return None
    return f"weights name only {', '.join(sorted(workload.weights))}"


def _residency(_: Federation, workload: Workload, cluster: Cluster) -> str | None:
    if not workload.residency or cluster.jurisdiction in workload.residency:
        return None
    return (
        f"jurisdiction {cluster.jurisdiction or 'unknown'}; "
        f"residency allows {', '.join(workload.residency)}"
    )


def _latency(federation: Federation, workload: Workload, cluster: Cluster) -> str | None:
    """A cluster serves users if it is known to be near enough to those of one region at least."""
    if not workload.demand:
        return None
    latency = federation.latency
    times = {
        d.region: latency.between(d.region, cluster.region) if latency else None
        for d in workload.demand
    }
    known = {region: ms for region, ms in times.items() if ms is not None}
    if not known:
        return f"no round trip from {', '.join(times)} to {cluster.region} is known"
    nearest = min(known, key=lambda region: (known[region], region))
    limit = workload.latency_limit
    if limit is not None and known[nearest] > limit:
        return f"nearest users, {nearest}, at {known[nearest]:g} ms; latencyLimit {limit:g} ms"
    return None


def _locality(federation: Federation, workload: Workload, cluster: Cluster) -> str | None:
    for data in workload.data:
        if data.rtt_limit is None or data.region == cluster.region:
            continue
        latency = federation.latency
        ms = latency.between(cluster.region, data.region) if latency else None
        if ms is None:
            return f"the round trip to {data.name} in {data.region} is unknown"
        if ms > data.rtt_limit:
            return f"{ms:g} ms to {data.name} in {data.region}; rttLimit {data.rtt_limit:g} ms"
    return None


Rule = Callable[[Federation, Workload, Cluster], str | None]
_RULES: tuple[tuple[str, Rule], ...] = (
    ("Readiness", _readiness),
    ("Drained", _drained),
    ("Cordoned", _cordoned),
    ("APIEnablement", _api),
    ("TaintToleration", _taint),
    ("ClusterAffinity", _affinity),
    ("Ratio", _ratio),
    ("Residency", _residency),
    ("Latency", _latency),
    ("Locality", _locality),
)


def unfit(workload: Workload, node_class: NodeClass) -> str | None:
    """Why not even one replica fits a node of the class."""
    taint = _untolerated(workload, node_class.taints)
    if taint is not None:
        return f"node taint {taint} is not tolerated"
    if node_class.spot and not workload.interruptible:
        what = "critical" if workload.class_ == "critical" else "stateful"
        return f"spot nodes, which a {what} workload never gets"
    for resource, amount in workload.request.items():
        total = node_class.allocatable.get(resource, "0")
        if parse_quantity(amount) > parse_quantity(total):
            return f"a replica asks for {amount} {resource}, a node has {total}"
    models = workload.accelerator_models
    if models and node_class.model not in models:
        return f"model {node_class.model or 'none'}; wanted {' or '.join(models)}"
    return None


def _most(workload: Workload, node_class: NodeClass) -> int:
    """Replicas that the class holds alone: whole ones by node, and within what is free over all."""
    request = {"pods": "1", **workload.request}
    by_node = node_class.count * min(
        int(parse_quantity(node_class.allocatable.get(r, "0")) / parse_quantity(a))
        for r, a in request.items()
        if parse_quantity(a) > 0
    )
    free = min(
        int(node_class.free(r) / parse_quantity(a))
        for r, a in request.items()
        if parse_quantity(a) > 0
    )
    return max(0, min(by_node, free))


def _untolerated(workload: Workload, taints: tuple[Taint, ...]) -> str | None:
    if not taints:
        return None
    found = karmada.untolerated(state.taints(taints), state.tolerations(workload))
    return None if found is None else str(found)


def _shown(labels: dict[str, str]) -> str:
    return "{" + ", ".join(f"{k}: {v}" for k, v in sorted(labels.items())) + "}"
