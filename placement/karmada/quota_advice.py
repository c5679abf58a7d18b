"""Quotas that Karmada accepts and then does not hold.

Source: ``pkg/controllers/federatedresourcequota`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.findings import Facts, Finding, gate_findings


def quota_findings(spec: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a FederatedResourceQuota.

    Args:
        spec: the spec in wire form; its values must have the right types.
        facts: what is known of the control plane.
    """
    yield from gate_findings("FederatedQuotaEnforcement", "the overall quota is not held", facts)
    seen: set[str] = set()
    for index, assignment in enumerate(spec.get("staticAssignments") or []):
        if assignment["clusterName"] in seen:
            yield Finding(
                "quota-assigned-twice",
                f"spec.staticAssignments[{index}].clusterName",
                f"{assignment['clusterName']} has an assignment above, and Karmada takes the "
                "first; write one for each cluster",
            )
        seen.add(assignment["clusterName"])
