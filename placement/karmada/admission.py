"""Whether the Karmada API would take an object of any kind of this package.

Owns the order of the server (schema, defaults, webhook) and which rules belong to which kind.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from placement.karmada.autoscaler_validation import autoscaler_errors
from placement.karmada.cluster_validation import cluster_errors
from placement.karmada.cron_validation import cron_errors
from placement.karmada.defaults import with_defaults
from placement.karmada.field_errors import FieldError
from placement.karmada.kinds import KINDS, Served
from placement.karmada.metadata import metadata_errors
from placement.karmada.names import dns_subdomain_errors
from placement.karmada.override_validation import override_errors
from placement.karmada.quota_validation import quota_errors
from placement.karmada.schema import metadata_shape_errors, spec_errors
from placement.karmada.service_validation import service_errors
from placement.karmada.taint_validation import taint_policy_errors
from placement.karmada.validation import policy_errors

_Errors = Callable[[Mapping[str, Any]], list[FieldError]]


def schema_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return what the schema says of an object; where it says something, nothing more is read.

    Args:
        manifest: an object of a kind of this package, without a kind a PropagationPolicy; anything
            goes.
    """
    return [
        *metadata_shape_errors(manifest.get("metadata")),
        *spec_errors(manifest.get("spec"), served(manifest).spec),
    ]


def admission_errors(
    manifest: Mapping[str, Any], *, allow_no_execute: bool = False
) -> list[FieldError]:
    """Return every reason of the Karmada API to refuse the creation of an object.

    Where the schema refuses it, those reasons come alone; else sorted by field and message.

    Args:
        manifest: an object of a kind of this package, without a kind a PropagationPolicy; anything
            goes.
        allow_no_execute: whether the webhook runs with ``--allow-no-execute-taint-policy``.
    """
    if schema := schema_errors(manifest):
        return schema
    stored = with_defaults(manifest)
    if served(manifest).scope == "Cluster":
        # The server takes a namespace away before it looks (``BeforeCreate`` of its registry).
        metadata = stored.get("metadata") or {}
        stored = {**stored, "metadata": {k: v for k, v in metadata.items() if k != "namespace"}}
    kind = served(manifest).kind
    if kind == "ClusterTaintPolicy":
        own = taint_policy_errors(stored["spec"], allow_no_execute=allow_no_execute)
    else:
        own = _RULES.get(kind, _nothing)(stored)
    generic = metadata_errors(
        stored, dns_subdomain_errors, namespaced=served(manifest).scope == "Namespaced"
    )
    # Some webhooks look at the metadata too, often in the same words.
    named = {error.field for error in own}
    return sorted([*own, *(error for error in generic if error.field not in named)])


def served(manifest: Mapping[str, Any]) -> Served:
    """Return the kind of an object, without one PropagationPolicy.

    Raises:
        KeyError: the kind is none of this package's.
    """
    return _SERVED[manifest.get("kind") or "PropagationPolicy"]


def _namespace(manifest: Mapping[str, Any]) -> str:
    namespace: str = (manifest.get("metadata") or {}).get("namespace") or "default"
    return namespace


def _nothing(_: Mapping[str, Any]) -> list[FieldError]:
    return []


_SERVED: Final = {each.kind: each for each in KINDS}
_RULES: Final[dict[str, _Errors]] = {
    "PropagationPolicy": lambda policy: policy_errors(policy["spec"], _namespace(policy)),
    "ClusterPropagationPolicy": lambda policy: policy_errors(policy["spec"], ""),
    "OverridePolicy": lambda policy: override_errors(policy["spec"], _namespace(policy)),
    "ClusterOverridePolicy": lambda policy: override_errors(policy["spec"], ""),
    "FederatedResourceQuota": quota_errors,
    "FederatedHPA": autoscaler_errors,
    "CronFederatedHPA": cron_errors,
    "MultiClusterService": service_errors,
    "Cluster": cluster_errors,
}
