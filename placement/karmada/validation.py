"""What Karmada's validating webhook says of a propagation policy.

Owns the rules for the spec as a whole; those for its placement stand in ``placement_validation``.
It works on wire dictionaries, since the models refuse some of these policies by themselves. The
checks of the CRD's schema (enumerations, minimum lengths) are the models' duty, and what Karmada
accepts but does not do is said by ``advice``.

Source: ``ValidatePropagationSpec`` in ``pkg/util/validation/validation.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.field_errors import FieldError, as_go, invalid
from placement.karmada.label_key import label_key_errors
from placement.karmada.placement_validation import placement_errors
from placement.karmada.propagation import Suspension


def policy_errors(spec: Mapping[str, Any], namespace: str = "default") -> list[FieldError]:
    """Return every error of the webhook on creation, sorted by field and message.

    Args:
        spec: the spec in wire form, after the defaults of the server (``defaults``); its values
            must have the right types.
        namespace: the policy's namespace; empty for a ClusterPropagationPolicy.
    """
    return sorted(
        (
            *placement_errors(spec.get("placement") or {}, "spec.placement"),
            *_dependency_errors(spec),
            *_failover_errors(spec.get("failover") or {}, "spec.failover"),
            *namespace_errors(spec, namespace),
            *_preemption_errors(spec),
            *_suspension_errors(spec.get("suspension") or {}, "spec.suspension"),
        )
    )


def _dependency_errors(spec: Mapping[str, Any]) -> Iterator[FieldError]:
    failover = spec.get("failover") or {}
    if failover.get("application") is not None and not spec.get("propagateDeps"):
        detail = "application failover is set, propagateDeps must be true"
        yield invalid("spec.propagateDeps", value=False, detail=detail)


def _failover_errors(failover: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    if (application := failover.get("application")) is not None:
        yield from _application_errors(application, f"{path}.application")
    if (cluster := failover.get("cluster")) is not None:
        yield from _preservation_errors(cluster, f"{path}.cluster")


def _application_errors(application: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    tolerated = (application.get("decisionConditions") or {}).get("tolerationSeconds")
    if tolerated is not None and tolerated < 0:
        field = f"{path}.decisionConditions.tolerationSeconds"
        yield invalid(field, tolerated, "must be greater than or equal to 0")

    field = f"{path}.gracePeriodSeconds"
    gracefully = application.get("purgeMode") == "Gracefully"
    grace = application.get("gracePeriodSeconds")
    if grace is not None and not gracefully:
        yield invalid(field, grace, "only takes effect when purgeMode is gracefully")
    if grace is None and gracefully:
        yield invalid(field, None, "should not be empty when purgeMode is gracefully")
    if grace is not None and grace <= 0:
        yield invalid(field, grace, "must be greater than 0")

    yield from _preservation_errors(application, path)


def _preservation_errors(behavior: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    rules = (behavior.get("statePreservation") or {}).get("rules") or []
    for index, rule in enumerate(rules):
        name = rule.get("aliasLabelName") or ""
        for detail in label_key_errors(name):
            field = f"{path}.statePreservation.rules[{index}].aliasLabelName"
            yield invalid(field, name, detail)


def namespace_errors(spec: Mapping[str, Any], namespace: str) -> Iterator[FieldError]:
    """Yield an error for each resource selector that leaves the policy's namespace.

    Args:
        spec: the spec of a propagation or override policy in wire form.
        namespace: the policy's namespace; empty for a policy of the whole cluster.
    """
    for index, selector in enumerate(spec.get("resourceSelectors") or []):
        selected = selector.get("namespace") or ""
        if namespace and selected != namespace:
            detail = (
                "namespace of resource selector must be the same as the namespace of the policy"
            )
            yield invalid(f"spec.resourceSelectors[{index}].namespace", selected, detail)


def _preemption_errors(spec: Mapping[str, Any]) -> Iterator[FieldError]:
    if spec.get("preemption") != "Always":
        return
    for index, selector in enumerate(spec.get("resourceSelectors") or []):
        if not selector.get("name"):
            detail = (
                "name cannot be empty if preemption is Always, "
                "the empty name may cause unexpected resources preemption"
            )
            yield invalid(f"spec.resourceSelectors[{index}].name", "", detail)


def _suspension_errors(suspension: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    on_clusters = suspension.get("dispatchingOnClusters") or {}
    if suspension.get("dispatching") and on_clusters.get("clusterNames"):
        detail = "suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames"
        # Karmada itself repeats the last part of the path.
        yield invalid(f"{path}.suspension", as_go(suspension, Suspension), detail)
