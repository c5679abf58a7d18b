"""Which clusters a placement names, as far as the policy alone can tell.

Owns the reading of affinities and static weights by name. An affinity that selects by label or
field has no answer here: that takes the Cluster objects.

Sources: ``ClusterMatches`` in ``pkg/util/selector.go``; the check at the top of
``pkg/scheduler/core/spreadconstraint/select_clusters.go`` for static weights.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from placement.division.webster import webster

_SELECTORS: Final = ("labelSelector", "fieldSelector")


def static_rules(placement: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the static weight list; empty where there is none."""
    preference = (placement.get("replicaScheduling") or {}).get("weightPreference") or {}
    rules: Sequence[Mapping[str, Any]] = preference.get("staticWeightList") or []
    return rules


def is_divided(placement: Mapping[str, Any]) -> bool:
    """Return whether replicas are divided; without ``replicaScheduling`` they are duplicated."""
    scheduling = placement.get("replicaScheduling") or {}
    return bool(scheduling.get("replicaSchedulingType") == "Divided")


def is_static(placement: Mapping[str, Any]) -> bool:
    """Return whether the scheduler divides by static weights, and so ignores spread and capacity.

    A weighted division without any ``weightPreference`` is one with equal weights.
    """
    if not is_divided(placement):
        return False
    scheduling = placement["replicaScheduling"]
    if scheduling.get("replicaDivisionPreference") != "Weighted":
        return False
    preference = scheduling.get("weightPreference")
    if preference is None:
        return True
    return bool(preference.get("staticWeightList")) and not preference.get("dynamicWeight")


def selects(affinity: Mapping[str, Any]) -> bool:
    """Return whether an affinity leaves any cluster out."""
    return any(affinity.get(key) is not None for key in _SELECTORS) or any(
        affinity.get(key) for key in ("clusterNames", "exclude")
    )


def names_of(affinity: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the clusters that an affinity can match; None where it does not go by name alone."""
    by_name = affinity.get("clusterNames")
    if not by_name or any(affinity.get(key) is not None for key in _SELECTORS):
        return None
    return frozenset(by_name) - frozenset(affinity.get("exclude") or ())


def affinities(placement: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the affinities that the scheduler tries in order; a single empty one for none."""
    single = placement.get("clusterAffinity")
    terms: Sequence[Mapping[str, Any]] = placement.get("clusterAffinities") or []
    return terms or [single or {}]


def selections(placement: Mapping[str, Any]) -> list[Mapping[str, int]] | None:
    """Return the weight of each cluster under static weights, for each affinity.

    None where the names do not tell. Where no rule matches a cluster of the affinity, Karmada
    falls back to equal weights over all of them.
    """
    weights = _weights(static_rules(placement))
    if weights is None:
        return None
    chosen: list[Mapping[str, int]] = []
    for affinity in affinities(placement):
        pool = names_of(affinity) if selects(affinity) else frozenset(weights)
        if pool is None:
            return None
        matched = {name: weight for name, weight in weights.items() if name in pool}
        chosen.append(matched or dict.fromkeys(pool, 1))
    return chosen


def served(weights: Mapping[str, int], replicas: int) -> frozenset[str] | None:
    """Return the clusters that get at least one of *replicas*; None where a tie decides that.

    Karmada breaks a tie by the template's UID, which nobody knows before the template exists.
    """
    first, last = (
        frozenset(
            name for name, count in webster(replicas, weights, descending=order).items() if count
        )
        for order in (False, True)
    )
    return first if first == last else None


def affinity_names(placement: Mapping[str, Any]) -> frozenset[str] | None:
    """Return every cluster that some affinity names; None where the names do not tell."""
    return _union([names_of(affinity) for affinity in affinities(placement)])


def _weights(rules: Sequence[Mapping[str, Any]]) -> dict[str, int] | None:
    """Return the weight of each cluster named; of several rules the largest weight counts."""
    weights: dict[str, int] = {}
    for rule in rules:
        names = names_of(rule.get("targetCluster") or {})
        if names is None:
            return None
        for name in names:
            weights[name] = max(rule["weight"], weights.get(name, 0))
    return weights


def _union(groups: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    known = [group for group in groups if group is not None]
    return frozenset().union(*known) if len(known) == len(groups) else None
