"""The defaults that the Karmada API fills into an object, so that what is sent is what is stored.

Owns both steps of the server: the defaults of the CRD, which stand in the models, and those of the
mutating webhook. What the server makes up on creation (the label ``…/permanent-id``, the
finalizer, times) is not foreseen here: nobody can know it.

Sources: ``pkg/webhook/*/mutating.go``, ``pkg/util/helper/policy.go``; for Cluster
``pkg/apis/cluster/mutation/mutation.go``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from placement.karmada.autoscaler_defaults import fill_autoscaler
from placement.karmada.encoding import encode, nested_model, schema_default, wire_name
from placement.karmada.kinds import KINDS
from placement.karmada.meta import WireModel

_SPECS: Final = {served.kind: served.spec for served in KINDS}
_GRACE_PERIOD_SECONDS: Final = 600
_EVERYTHING: Final = str(2**63 - 1)
_SERVICE_IMPORT: Final = ("multicluster.x-k8s.io/v1alpha1", "ServiceImport")


def with_defaults(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of any kind of this package as the Karmada API stores it.

    Where a webhook rewrites the kind, unknown fields of the spec are dropped and empty ones go, as
    there. Nothing is validated; a second call changes nothing.

    Args:
        manifest: the object in wire form, without a kind a PropagationPolicy; left untouched. Its
            spec must have the right types.
    """
    kind = manifest.get("kind") or "PropagationPolicy"
    namespace = (manifest.get("metadata") or {}).get("namespace") or "default"
    model = _SPECS[kind]
    spec = _schema_defaults(manifest.get("spec") or {}, model)
    if kind in ("PropagationPolicy", "OverridePolicy"):
        _default_namespaces(spec, namespace)
    if kind in _FILLED:
        _FILLED[kind](spec)
    return {**manifest, "spec": encode(spec, model) if kind in _REWRITTEN else spec}


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


def _fill_propagation(spec: dict[str, Any]) -> None:
    spec.setdefault("placement", {})
    _default_placement(spec["placement"])
    _default_dependencies(spec)
    _default_grace_period(spec)


def _fill_override(spec: dict[str, Any]) -> None:
    # Go writes the struct even where it is empty.
    spec.setdefault("overriders", {})


def _fill_service(spec: dict[str, Any]) -> None:
    spec.setdefault("range", {})


def _fill_cluster(spec: dict[str, Any]) -> None:
    models = sorted(spec.get("resourceModels") or [], key=lambda model: int(model["grade"]))
    if models:
        spec["resourceModels"] = models
        for each in models[0]["ranges"]:
            each["min"] = "0"
        for each in models[-1]["ranges"]:
            each["max"] = _EVERYTHING


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


_FILLED: Final[dict[str, Callable[[dict[str, Any]], None]]] = {
    "PropagationPolicy": _fill_propagation,
    "ClusterPropagationPolicy": _fill_propagation,
    "OverridePolicy": _fill_override,
    "FederatedHPA": fill_autoscaler,
    "MultiClusterService": _fill_service,
    "Cluster": _fill_cluster,
}
"""By kind: what the server fills into the spec besides the namespaces, in place."""

_REWRITTEN: Final = frozenset(_FILLED) - {"Cluster"}
"""The kinds with a mutating webhook of Karmada, which decodes and encodes the object."""
