"""Multi-cluster services that Karmada accepts and then does not expose.

Source: ``pkg/controllers/multiclusterservice`` and ``pkg/util/helper/mcs.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.findings import Facts, Finding, gate_findings

_READ_BY_NOTHING: Final = ("range", "serviceProvisionClusters", "serviceConsumptionClusters")


def service_findings(spec: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a MultiClusterService.

    Args:
        spec: the spec in wire form; its values must have the right types.
        facts: what is known of the control plane.
    """
    yield from gate_findings("MultiClusterService", "nothing is exposed", facts)
    if not spec["types"]:
        yield Finding(
            "service-without-type",
            "spec.types",
            "without a type nothing is exposed, and the types cannot be changed later; write "
            "CrossCluster or LoadBalancer",
        )
    for key in _READ_BY_NOTHING:
        if spec.get(key):
            yield Finding(
                "service-field-ignored",
                f"spec.{key}",
                "deprecated, and read by nothing: every cluster takes part; write "
                "providerClusters and consumerClusters",
            )
