"""Where the live members of a federation differ from what its file declares of them.

Owns the comparison, fact by fact. What a file declares and Karmada does not know (prices, models of
accelerators, classes of nodes) is not compared; of what Karmada knows and the file leaves open,
only accelerators are: capacity that nobody counts on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from placement.facts.live import Snapshot
from placement.federation import Cluster, Federation
from placement.karmada.readiness import unready
from placement.quantity import parse_quantity

_KARMADAS = "cluster.karmada.io/"
"""What the keys of the taints begin with that Karmada's controllers put and take away."""


@dataclass(frozen=True)
class Difference:
    """A fact that is not as declared.

    Attributes:
        cluster: by name.
        fact: which one, such as ``allocatable cpu``.
        declared: in the federation file.
        live: on the Karmada API.
    """

    cluster: str
    fact: str
    declared: str
    live: str


def differences(federation: Federation, live: Snapshot) -> Iterator[Difference]:
    """What differs, cluster by cluster in the order of the file; then members that it lacks."""
    declared = {cluster.name: cluster for cluster in federation.clusters}
    for name, cluster in declared.items():
        found = live.clusters.get(name)
        if found is None:
            yield Difference(name, "member", "yes", "no")
        else:
            for fact, said, seen in _compared(cluster, found):
                if said != seen:
                    yield Difference(name, fact, said, seen)
    for name in sorted(set(live.clusters) - set(declared)):
        yield Difference(name, "member", "no", "yes")


_Compared = Iterator[tuple[str, str, str]]
"""A fact, what is declared of it, and what is live."""


def _compared(cluster: Cluster, live: Mapping[str, Any]) -> _Compared:
    spec, status = live.get("spec") or {}, live.get("status") or {}
    yield "ready", "yes" if cluster.ready else "no", _ready(cluster, live)
    for fact, said in (("provider", cluster.provider), ("region", cluster.region)):
        yield fact, said, spec.get(fact) or "-"
    yield "zones", _listed(cluster.zones), _listed(spec.get("zones") or ())
    labels = (live.get("metadata") or {}).get("labels") or {}
    for key, value in sorted(cluster.labels.items()):
        yield f"label {key}", value, labels.get(key, "-")
    taints = [
        f"{taint['key']}={taint.get('value') or ''}:{taint['effect']}"
        for taint in spec.get("taints") or ()
        if not taint["key"].startswith(_KARMADAS)
    ]
    declared = [f"{t.key}={t.value or ''}:{t.effect}" for t in cluster.taints]
    yield "taints", _listed(declared), _listed(taints)
    yield from _served(cluster, status)
    yield from _capacity(cluster, status)


def _ready(cluster: Cluster, live: Mapping[str, Any]) -> str:
    reason = unready(live)
    if reason is None:
        return "yes"
    return reason if cluster.ready else "no"


def _served(cluster: Cluster, status: Mapping[str, Any]) -> _Compared:
    """The kinds that the file counts on and the member does not serve."""
    served = {
        (group["groupVersion"], resource["kind"])
        for group in status.get("apiEnablements") or ()
        for resource in group.get("resources") or ()
    }
    for api in cluster.apis:
        missing = [kind for kind in api.kinds if (api.group_version, kind) not in served]
        if missing:
            yield f"kinds of {api.group_version}", _listed(missing), "-"


def _capacity(cluster: Cluster, status: Mapping[str, Any]) -> _Compared:
    nodes = status.get("nodeSummary") or {}
    total = str(nodes.get("totalNum", 0))
    yield "nodes", str(sum(each.count for each in cluster.node_classes)), total
    yield "nodes that are ready", total, str(nodes.get("readyNum", 0))
    summary = status.get("resourceSummary") or {}
    live = summary.get("allocatable") or {}
    declared = {name for each in cluster.node_classes for name in each.allocatable}
    accelerators = {name for name, amount in live.items() if "/" in name and _amount(amount)}
    for name in sorted(declared | accelerators):
        said = sum((each.total(name) for each in cluster.node_classes), Decimal(0))
        yield f"allocatable {name}", _shown(said), _shown(_amount(live.get(name, "0")))
    for name in sorted(declared):
        others = sum(
            (parse_quantity(each.in_use.get(name, "0")) for each in cluster.node_classes),
            Decimal(0),
        )
        used = sum(
            (
                _amount((summary.get(part) or {}).get(name, "0"))
                for part in ("allocated", "allocating")
            ),
            Decimal(0),
        )
        # More is what this federation's own workloads use.
        if used < others:
            yield f"in use of {name}", _shown(others), _shown(used)


def _amount(quantity: Any) -> Decimal:
    return parse_quantity(str(quantity))


def _shown(amount: Decimal) -> str:
    return f"{amount.normalize():f}"


def _listed(items: Any) -> str:
    return ", ".join(sorted(items)) or "-"
