"""The defaults that Karmada's webhook fills into a FederatedHPA.

Source: ``SetDefaultsFederatedHPA`` in ``pkg/util/lifted/federatedhpa.go`` (Karmada 1.18).
"""

from collections.abc import Mapping
from typing import Any, Final

from placement.karmada.canonical_quantity import as_printed

_CPU_PERCENT: Final = 80
_PERIOD_SECONDS: Final = 15
_UP: Final = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": _PERIOD_SECONDS},
        {"type": "Percent", "value": 100, "periodSeconds": _PERIOD_SECONDS},
    ],
}
# The window downwards stays open: a flag of the controller says it.
_DOWN: Final = {
    "selectPolicy": "Max",
    "policies": [{"type": "Percent", "value": 100, "periodSeconds": _PERIOD_SECONDS}],
}


def fill_autoscaler(spec: dict[str, Any]) -> None:
    """Fill the defaults into the spec of a FederatedHPA, in place.

    Quantities are written as the webhook writes them back: ``1000m`` as ``1``.

    Args:
        spec: the spec in wire form; its values must have the right types.
    """
    if spec.get("minReplicas") is None:
        spec["minReplicas"] = 1
    if not spec.get("metrics"):
        target = {"type": "Utilization", "averageUtilization": _CPU_PERCENT}
        spec["metrics"] = [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]
    for metric in spec["metrics"]:
        for source in metric.values():
            if isinstance(source, dict):
                _print_quantities(source["target"])
    if (behavior := spec.get("behavior")) is not None:
        spec["behavior"] = {
            "scaleUp": _filled(behavior.get("scaleUp"), _UP),
            "scaleDown": _filled(behavior.get("scaleDown"), _DOWN),
        }


def _print_quantities(target: dict[str, Any]) -> None:
    for key in ("value", "averageValue"):
        if target.get(key) is not None:
            target[key] = as_printed(str(target[key]))


def _filled(rules: Mapping[str, Any] | None, defaults: Mapping[str, Any]) -> dict[str, Any]:
    stated = {key: value for key, value in (rules or {}).items() if value is not None}
    # Karmada starts from its defaults, which know no tolerance, and so loses a stated one.
    stated.pop("tolerance", None)
    return {**defaults, **stated}
