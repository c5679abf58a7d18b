"""Static weights that Karmada accepts and then uses in another way, or not at all.

Owns the rules for ``staticWeightList`` and for what is divided.

Source: ``pkg/scheduler/core/division_algorithm.go``, ``pkg/util/selector.go``, and the kinds of
``pkg/resourceinterpreter/default/native/replica.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.findings import Finding
from placement.karmada.named_clusters import (
    affinity_names,
    is_divided,
    is_static,
    names_of,
    static_rules,
)

_PATH: Final = "spec.placement.replicaScheduling.weightPreference.staticWeightList"
_FIELD_KEYS: Final = ("provider", "region", "zone")
_FIELD_OPERATORS: Final = ("In", "NotIn")
_WITH_REPLICAS: Final = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "Job", "Pod"})


def weight_findings(placement: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield every finding about the static weights of a placement.

    Args:
        placement: the placement in wire form, with the defaults of the server.
    """
    rules = static_rules(placement)
    if not rules:
        return
    if not is_static(placement):
        yield Finding(
            "static-weights-ignored",
            _PATH,
            "the static weights are ignored: Karmada reads them only with replicaSchedulingType "
            "Divided, replicaDivisionPreference Weighted and no dynamicWeight; take one or the "
            "other away",
        )
        return
    for index, rule in enumerate(rules):
        target = rule.get("targetCluster") or {}
        yield from _selector_findings(target, f"{_PATH}[{index}].targetCluster")
    yield from _match_findings(rules, affinity_names(placement))


def division_findings(spec: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for a division of templates that have no replicas.

    A policy that also selects a workload is in order: the others go along to every cluster.

    Args:
        spec: the spec in wire form, with the defaults of the server.
    """
    selectors = spec.get("resourceSelectors") or []
    if not is_divided(spec["placement"]) or not all(map(_lacks_replicas, selectors)):
        return
    kinds = ", ".join(sorted({selector["kind"] for selector in selectors}))
    yield Finding(
        "divided-without-replicas",
        "spec.placement.replicaScheduling.replicaSchedulingType",
        f"{kinds} cannot be divided: Karmada copies the object whole to every cluster chosen; "
        "write Duplicated, or select a workload",
    )


def _lacks_replicas(selector: Mapping[str, Any]) -> bool:
    """Return whether a kind surely has no replicas; those of other projects may have some."""
    group = selector["apiVersion"].rpartition("/")[0]
    built_in = "." not in group or group.endswith(".k8s.io")
    return built_in and selector["kind"] not in _WITH_REPLICAS


def _selector_findings(target: Mapping[str, Any], path: str) -> Iterator[Finding]:
    if any(target.get(key) is not None for key in ("labelSelector", "fieldSelector")):
        yield Finding(
            "static-weight-not-shared",
            path,
            "the weight is not shared: each cluster that the selector matches gets the whole of "
            "it; write one rule a cluster, by clusterNames",
        )
    for expression in (target.get("fieldSelector") or {}).get("matchExpressions") or []:
        key, operator = expression.get("key"), expression.get("operator")
        if key not in _FIELD_KEYS or operator not in _FIELD_OPERATORS:
            yield Finding(
                "static-field-selector-unknown",
                f"{path}.fieldSelector",
                f"read {key} {operator}, which the webhook checks everywhere but here: the rule "
                "matches other clusters than it says; allowed provider, region or zone with In "
                "or NotIn",
            )


def _match_findings(
    rules: Sequence[Mapping[str, Any]], pool: frozenset[str] | None
) -> Iterator[Finding]:
    if pool is None:
        return
    targets = [names_of(rule.get("targetCluster") or {}) for rule in rules]
    outside = [
        index for index, names in enumerate(targets) if names is not None and not names & pool
    ]
    if len(outside) == len(rules):
        yield Finding(
            "static-weights-match-nothing",
            _PATH,
            "no weight is for a cluster of the affinity: Karmada divides equally over all of it; "
            f"name clusters out of {', '.join(sorted(pool))}",
        )
        return
    for index in outside:
        yield Finding(
            "static-weight-outside-affinity",
            f"{_PATH}[{index}].targetCluster",
            f"{', '.join(sorted(targets[index] or ()))} is in no affinity: Karmada drops the rule "
            "without a word; add the cluster to the affinity, or take the rule away",
        )
