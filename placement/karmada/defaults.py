"""The defaults that the Karmada API fills into a policy, so that what is sent is what is stored.

Owns both steps of the server: the defaults of the CRD, which stand in the models, and those of the
mutating webhook. What the server makes up on creation (the label ``…/permanent-id`` and the
finalizer) is not foreseen here: nobody can know it.

Source: ``pkg/webhook/propagationpolicy/mutating.go``, ``pkg/util/helper/policy.go``.
"""

from collections.abc import Mapping
from typing import Any, Final

from placement.karmada.encoding import encode, nested_model, schema_default, wire_name
from placement.karmada.meta import WireModel
from placement.karmada.propagation import PropagationSpec

_GRACE_PERIOD_SECONDS: Final = 600
_SERVICE_IMPORT: Final = ("multicluster.x-k8s.io/v1alpha1", "ServiceImport")


def with_defaults(policy: Mapping[str, Any]) -> dict[str, Any]:
    """Return a PropagationPolicy or ClusterPropagationPolicy as the Karmada API stores it.

    Unknown fields of the spec are dropped, as the server drops them. Nothing is validated; a
    second call changes nothing.

    Args:
        policy: the object in wire form; left untouched. Its spec must have the right types.
    """
    namespace = (policy.get("metadata") or {}).get("namespace") or "default"
    spec = _schema_defaults(policy.get("spec") or {}, PropagationSpec)
    spec.setdefault("placement", {})
    if policy.get("kind") != "ClusterPropagationPolicy":
        _default_namespaces(spec, namespace)
    _default_placement(spec["placement"])
    _default_dependencies(spec)
    _default_grace_period(spec)
    return {**policy, "spec": encode(spec, PropagationSpec)}


def _schema_defaults(value: Mapping[str, Any], model: type[WireModel]) -> dict[str, Any]:
    """Return a copy with the defaults of the model in every object that is present."""
    filled: dict[str, Any] = dict(value)
    for name, field in model.model_fields.items():
        key = wire_name(name, field)
        nested = nested_model(field.annotation)
        item = filled.get(key)
        if item is None:
            if (default := schema_default(field)) is not None:
                filled[key] = default
        elif nested is not None and isinstance(item, Mapping):
            filled[key] = _schema_defaults(item, nested)
        elif nested is not None and isinstance(item, list | tuple):
            filled[key] = [_schema_defaults(part, nested) for part in item]
    return filled


def _default_namespaces(spec: dict[str, Any], namespace: str) -> None:
    for selector in spec.get("resourceSelectors") or []:
        selector["namespace"] = selector.get("namespace") or namespace


def _default_placement(placement: dict[str, Any]) -> None:
    for constraint in placement.get("spreadConstraints") or []:
        if not constraint.get("spreadByField") and not constraint.get("spreadByLabel"):
            constraint["spreadByField"] = "cluster"
        constraint["minGroups"] = constraint.get("minGroups") or 1
    scheduling = placement.get("replicaScheduling")
    if scheduling is not None and scheduling["replicaSchedulingType"] == "Divided":
        scheduling["replicaDivisionPreference"] = (
            scheduling.get("replicaDivisionPreference") or "Weighted"
        )


def _default_dependencies(spec: dict[str, Any]) -> None:
    selectors = spec.get("resourceSelectors") or []
    if any((each.get("apiVersion"), each.get("kind")) == _SERVICE_IMPORT for each in selectors):
        spec["propagateDeps"] = True


def _default_grace_period(spec: dict[str, Any]) -> None:
    application = (spec.get("failover") or {}).get("application")
    if (
        application is not None
        and application["purgeMode"] == "Gracefully"
        and application.get("gracePeriodSeconds") is None
    ):
        application["gracePeriodSeconds"] = _GRACE_PERIOD_SECONDS
