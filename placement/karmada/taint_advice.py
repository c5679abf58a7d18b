"""Taint policies that Karmada accepts and then cannot carry out.

Source: ``pkg/controllers/taint/clustertaintpolicy_controller.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.findings import Facts, Finding, gate_findings

_OPERATORS: Final = ("In", "NotIn")
_EFFECTS: Final = ("NoSchedule", "NoExecute")
_LISTS: Final = {
    "addOnConditions": "the taints are never added",
    "removeOnConditions": "the taints are never taken away again",
}


def taint_findings(spec: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a ClusterTaintPolicy.

    Args:
        spec: the spec in wire form; its values must have the right types.
        facts: what is known of the control plane.
    """
    yield from gate_findings("Failover", "no controller reads taint policies", facts)
    for key, effect in _LISTS.items():
        conditions = spec.get(key) or []
        if not conditions:
            yield Finding(
                "taint-without-condition",
                f"spec.{key}",
                f"without a condition {effect}; write the condition of the cluster",
            )
        for index, condition in enumerate(conditions):
            if condition["operator"] not in _OPERATORS:
                yield Finding(
                    "taint-operator-unknown",
                    f"spec.{key}[{index}].operator",
                    f"read {condition['operator']}, which never matches; allowed In or NotIn",
                )
    for index, taint in enumerate(spec["taints"]):
        if taint["effect"] not in _EFFECTS:
            yield Finding(
                "taint-effect-refused",
                f"spec.taints[{index}].effect",
                f"read {taint['effect']}, which the Cluster refuses when the policy acts; allowed "
                "NoSchedule or NoExecute",
            )
