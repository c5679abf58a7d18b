"""What Karmada's validating webhook says of ``spec.placement``.

Owns the rules for affinity terms, overflow, spread, workload affinity and tolerations.

Source: ``ValidatePlacement`` in ``pkg/util/validation/validation.go`` (Karmada 1.18).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from placement.karmada.affinity import ClusterAffinityTerm, OverflowClusterAffinity
from placement.karmada.affinity_validation import affinity_errors
from placement.karmada.field_errors import FieldError, as_go, invalid, not_supported
from placement.karmada.label_key import label_key_errors
from placement.karmada.named_clusters import selects
from placement.karmada.placement_spec import Placement, SpreadConstraint, WorkloadAffinity


def placement_errors(placement: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yield every error of a placement.

    Args:
        placement: the placement in wire form.
        path: its path, such as ``spec.placement``.
    """
    terms = placement.get("clusterAffinities") or []
    if placement.get("clusterAffinity") is not None and terms:
        detail = "clusterAffinities cannot co-exist with clusterAffinity"
        yield invalid(path, as_go(placement, Placement), detail)
    yield from affinity_errors(placement.get("clusterAffinity") or {}, f"{path}.clusterAffinity")
    yield from _term_errors(
        terms,
        f"{path}.clusterAffinities",
        overflow_allowed=_overflow_allowed(placement.get("replicaScheduling") or {}),
    )
    yield from _spread_errors(placement.get("spreadConstraints") or [], f"{path}.spreadConstraints")
    yield from _workload_affinity_errors(
        placement.get("workloadAffinity") or {}, f"{path}.workloadAffinity"
    )
    for index, toleration in enumerate(placement.get("clusterTolerations") or []):
        operator = toleration.get("operator")
        if operator in ("Lt", "Gt"):
            field = f"{path}.clusterTolerations[{index}].operator"
            yield not_supported(field, operator, ("", "Exists", "Equal"))


def _overflow_allowed(scheduling: Mapping[str, Any]) -> bool:
    if scheduling.get("replicaSchedulingType") != "Divided":
        return False
    preference = scheduling.get("replicaDivisionPreference")
    weights = scheduling.get("weightPreference") or {}
    return preference == "Aggregated" or (
        preference == "Weighted" and bool(weights.get("dynamicWeight"))
    )


def _term_errors(
    terms: Sequence[Mapping[str, Any]], path: str, *, overflow_allowed: bool
) -> Iterator[FieldError]:
    names: set[str] = set()
    for index, term in enumerate(terms):
        here = f"{path}[{index}]"
        name = term.get("affinityName") or ""
        for detail in label_key_errors(name):
            yield invalid(here, name, detail)
        if name in names:
            detail = "each affinity term in a policy must have a unique name"
            yield invalid(path, as_go(terms, ClusterAffinityTerm), detail)
        names.add(name)
        yield from affinity_errors(term, here)
        if overflow := term.get("overflowAffinities") or []:
            value = as_go(overflow, OverflowClusterAffinity)
            if not overflow_allowed:
                detail = (
                    "overflowAffinities can only be used together with dynamic weight or "
                    "aggregated scheduling"
                )
                yield invalid(f"{here}.overflowAffinities", value, detail)
            if not selects(term):
                detail = (
                    "overflowAffinities can only be used together with the inline ClusterAffinity"
                )
                yield invalid(f"{here}.overflowAffinities", value, detail)
            yield from _overflow_errors(overflow, name, f"{here}.overflowAffinities")


def _overflow_errors(
    overflow: Sequence[Mapping[str, Any]], primary: str, path: str
) -> Iterator[FieldError]:
    names = {primary}
    for index, affinity in enumerate(overflow):
        here = f"{path}[{index}]"
        name = affinity.get("affinityName") or ""
        for detail in label_key_errors(name):
            yield invalid(f"{here}.affinityName", name, detail)
        if name in names:
            detail = (
                "overflow affinity name must be unique and must not duplicate the primary "
                "group's affinityName"
            )
            yield invalid(f"{here}.affinityName", name, detail)
        names.add(name)
        yield from affinity_errors(affinity, here)


def _spread_errors(constraints: Sequence[Mapping[str, Any]], path: str) -> Iterator[FieldError]:
    for index, constraint in enumerate(constraints):
        for detail in _constraint_faults(constraint):
            yield invalid(f"{path}[{index}]", as_go(constraint, SpreadConstraint), detail)

    fields = Counter(
        field for constraint in constraints if (field := constraint.get("spreadByField"))
    )
    details = [
        f"multiple {field} spread constraints are not allowed"
        for field, count in fields.items()
        if count > 1
    ]
    if fields and "cluster" not in fields:
        details.append(
            "the cluster spread constraint must be enabled in one of the constraints "
            "in case of SpreadByField is enabled"
        )
    for detail in details:
        yield invalid(path, as_go(constraints, SpreadConstraint), detail)


def _constraint_faults(constraint: Mapping[str, Any]) -> Iterator[str]:
    fewest = constraint.get("minGroups") or 0
    most = constraint.get("maxGroups") or 0
    if constraint.get("spreadByField") and constraint.get("spreadByLabel"):
        yield "spreadByLabel should not co-exist with spreadByField"
    if fewest < 0:
        yield "minGroups lower than 0 is not allowed"
    if most < 0:
        yield "maxGroups lower than 0 is not allowed"
    if 0 < most < fewest:
        yield "maxGroups lower than minGroups is not allowed"


def _workload_affinity_errors(affinity: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    keys = {
        side: affinity[side].get("groupByLabelKey") or ""
        for side in ("affinity", "antiAffinity")
        if affinity.get(side) is not None
    }
    for side, key in keys.items():
        for detail in label_key_errors(key):
            yield invalid(f"{path}.{side}.groupByLabelKey", key, detail)
    if len(keys) == 2 and len(set(keys.values())) == 1:
        detail = "affinity and antiAffinity must not use the same groupByLabelKey"
        yield invalid(path, as_go(affinity, WorkloadAffinity), detail)
