"""What Karmada's webhooks say of a change to an object.

Owns the rules that compare an object with its predecessor; what is wrong with the new object alone
is said by ``admission``.

Sources: ``pkg/webhook/propagationpolicy/validating.go``,
``pkg/webhook/clusterpropagationpolicy/validating.go`` and
``pkg/webhook/multiclusterservice/validating.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.defaults import with_defaults
from placement.karmada.field_errors import FieldError
from placement.karmada.service_validation import type_update_errors

PERMANENT_ID: Final = {
    "PropagationPolicy": "propagationpolicy.karmada.io/permanent-id",
    "ClusterPropagationPolicy": "clusterpropagationpolicy.karmada.io/permanent-id",
}
"""By kind: the label that Karmada sets on creation, and by which bindings know their policy."""


def update_errors(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the webhook about a change; none for kinds without such rules.

    The texts for policies are Karmada's, which name no field; it says the first of them alone.

    Args:
        old: the object as it is stored.
        new: the object as it would be stored: after a server-side apply with the labels that
            Karmada set, after a replacement with those of the new object alone.
    """
    kind = old.get("kind")
    if kind == "MultiClusterService":
        return type_update_errors(old, new)
    if kind in PERMANENT_ID:
        return list(_policy_errors(with_defaults(old), with_defaults(new), PERMANENT_ID[kind]))
    return []


def _policy_errors(
    old: Mapping[str, Any], new: Mapping[str, Any], label: str
) -> Iterator[FieldError]:
    if old["spec"]["schedulerName"] != new["spec"]["schedulerName"]:
        detail = "the schedulerName should not be updated"
        yield FieldError("spec.schedulerName", "FieldValueForbidden", detail)
    before, after = _label(old, label), _label(new, label)
    field = f"metadata.labels[{label}]"
    if (before or "") != (after or ""):
        detail = f"label {label} is immutable, it can only be set by the system during creation"
        yield FieldError(field, "FieldValueForbidden", detail)
    elif after is None:
        detail = (
            f"label {label} is required, it should be set by the mutating admission webhook "
            "during creation"
        )
        yield FieldError(field, "FieldValueRequired", detail)


def _label(policy: Mapping[str, Any], label: str) -> str | None:
    labels: Mapping[str, str] = (policy.get("metadata") or {}).get("labels") or {}
    return labels.get(label)
