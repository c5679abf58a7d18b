"""What Karmada's validating webhook says of a CronFederatedHPA.

Source: ``pkg/webhook/cronfederatedhpa/validating.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from placement.karmada.cron_schedule import is_schedule
from placement.karmada.field_errors import FieldError, duplicate, invalid
from placement.karmada.metadata import metadata_errors
from placement.karmada.metric_validation import reference_errors
from placement.karmada.names import dns_subdomain_errors

AUTOSCALER: Final = ("autoscaling.karmada.io/v1alpha1", "FederatedHPA")
"""API version and kind of the targets whose bounds are written, and not their replicas."""

_LARGEST: Final = 2**31 - 1


def cron_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the webhook, sorted by field and message.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
    """
    spec = manifest["spec"]
    target = spec["scaleTargetRef"]
    found = list(metadata_errors(manifest, dns_subdomain_errors))
    version, kind = target.get("apiVersion"), target["kind"]
    if version == AUTOSCALER[0] and kind != AUTOSCALER[1]:
        detail = f"invalid scaleTargetRef kind: {kind}, only support {AUTOSCALER[1]}"
        found.append(invalid("spec.scaleTargetRef.kind", kind, detail))
        return sorted(found)  # Karmada reads no further
    found.extend(reference_errors(target, "spec.scaleTargetRef"))
    names: set[str] = set()
    for index, rule in enumerate(spec["rules"]):
        path = f"spec.rules[{index}]"
        if rule["name"] in names:
            found.append(duplicate(f"{path}.name", rule["name"]))
        names.add(rule["name"])
        found.extend(_time_errors(rule, path))
        if version == AUTOSCALER[0]:
            found.extend(_bound_errors(rule, path))
        else:
            found.extend(_replica_errors(rule, kind, path))
    return sorted(found)


def _time_errors(rule: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    if not is_schedule(rule["schedule"]):
        yield invalid(f"{path}.schedule", rule["schedule"], "invalid cron format")
    zone = rule.get("timeZone")
    if zone is not None and (detail := _zone_error(zone)):
        yield invalid(f"{path}.timeZone", zone, detail)


def _zone_error(zone: str) -> str:
    if zone in ("", "Local"):
        return ""
    if ".." in zone or zone[0] in "/\\":
        return "time: invalid location name"
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        # Without any zones at hand nothing can be said.
        return f"unknown time zone {zone}" if available_timezones() else ""
    return ""


def _bound_errors(rule: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    # Karmada quotes an empty text for each of these values.
    low, high = rule.get("targetMinReplicas"), rule.get("targetMaxReplicas")
    fewest = 1 if low is None else low
    most = _LARGEST if high is None else high
    if low is None and high is None:
        detail = (
            "targetMinReplicas and targetMaxReplicas cannot be nil at the same time "
            "if you want to scale FederatedHPA"
        )
        yield invalid(f"{path}.targetMaxReplicas", "", detail)
    if fewest <= 0:
        yield invalid(f"{path}.targetMinReplicas", "", "targetMinReplicas should be larger than 0")
    if most <= 0:
        yield invalid(f"{path}.targetMaxReplicas", "", "targetMaxReplicas should be larger than 0")
    if fewest > most:
        detail = "targetMaxReplicas should be larger than or equal to targetMinReplicas"
        yield invalid(f"{path}.targetMinReplicas", "", detail)


def _replica_errors(rule: Mapping[str, Any], kind: str, path: str) -> Iterator[FieldError]:
    replicas = rule.get("targetReplicas")
    field = f"{path}.targetReplicas"
    if replicas is None:
        yield invalid(field, "", f"targetReplicas cannot be nil if you want to scale {kind}")
    elif replicas < 0:
        yield invalid(field, "", "targetReplicas should be larger than or equal to 0")
