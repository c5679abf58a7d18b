"""What Karmada's validating webhook says of a FederatedHPA.

Owns the rules for its bounds and its behavior; those for metrics stand in ``metric_validation``.

Source: ``ValidateFederatedHPA`` in ``pkg/util/lifted/validatingfhpa.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.field_errors import FieldError, invalid, not_supported, required
from placement.karmada.metadata import metadata_errors
from placement.karmada.metric_validation import metric_errors, reference_errors
from placement.karmada.names import dns_subdomain_errors

_LONGEST_WINDOW: Final = 3600
_LONGEST_PERIOD: Final = 1800
_SELECTIONS: Final = ("Disabled", "Max", "Min")
_POLICY_TYPES: Final = ("Percent", "Pods")


def autoscaler_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the webhook, sorted by field and message.

    Args:
        manifest: the whole object in wire form, after the defaults of the server (``defaults``);
            the values of its spec must have the right types.
    """
    spec = manifest["spec"]
    return sorted(
        (
            *metadata_errors(manifest, dns_subdomain_errors),
            *_bound_errors(spec.get("minReplicas"), spec["maxReplicas"]),
            *reference_errors(spec["scaleTargetRef"], "spec.scaleTargetRef"),
            *metric_errors(spec.get("metrics") or [], "spec.metrics"),
            *_behavior_errors(spec.get("behavior") or {}, "spec.behavior"),
        )
    )


def _bound_errors(fewest: int | None, most: int) -> Iterator[FieldError]:
    if fewest is not None and fewest < 1:
        yield invalid("spec.minReplicas", fewest, "must be greater than or equal to 1")
    if most < 1:
        yield invalid("spec.maxReplicas", most, "must be greater than 0")
    if fewest is not None and most < fewest:
        yield invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")


def _behavior_errors(behavior: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    for direction in ("scaleUp", "scaleDown"):
        if (rules := behavior.get(direction)) is not None:
            yield from _rule_errors(rules, f"{path}.{direction}")


def _rule_errors(rules: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    window = rules.get("stabilizationWindowSeconds")
    field = f"{path}.stabilizationWindowSeconds"
    if window is not None and window < 0:
        yield invalid(field, window, "must be greater than or equal to zero")
    if window is not None and window > _LONGEST_WINDOW:
        yield invalid(field, window, f"must be less than or equal to {_LONGEST_WINDOW}")
    selection = rules.get("selectPolicy")
    if selection is not None and selection not in _SELECTIONS:
        yield not_supported(f"{path}.selectPolicy", selection, _SELECTIONS)
    policies = rules.get("policies") or []
    if not policies:
        yield required(f"{path}.policies", "must specify at least one Policy")
    for index, policy in enumerate(policies):
        yield from _policy_errors(policy, f"{path}.policies[{index}]")


def _policy_errors(policy: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    if policy["type"] not in _POLICY_TYPES:
        yield not_supported(f"{path}.type", policy["type"], _POLICY_TYPES)
    if policy["value"] <= 0:
        yield invalid(f"{path}.value", policy["value"], "must be greater than zero")
    period = policy["periodSeconds"]
    if period <= 0:
        yield invalid(f"{path}.periodSeconds", period, "must be greater than zero")
    if period > _LONGEST_PERIOD:
        detail = f"must be less than or equal to {_LONGEST_PERIOD}"
        yield invalid(f"{path}.periodSeconds", period, detail)
