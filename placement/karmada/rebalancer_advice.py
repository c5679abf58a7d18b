"""Rebalancers that Karmada accepts and that then do nothing, or more than was asked for.

Source: ``pkg/controllers/workloadrebalancer/workloadrebalancer_controller.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.findings import Facts, Finding


def rebalancer_findings(manifest: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a WorkloadRebalancer.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
        facts: what is known of the rebalancers that are there.
    """
    name = (manifest.get("metadata") or {}).get("name") or ""
    if facts.acted is None or name in facts.acted:
        yield Finding(
            "rebalancer-one-shot",
            "metadata.name",
            f"a rebalancer acts once, when it is created: if {name} is there already, nothing "
            "happens; give each rebalance a name of its own",
        )
    if manifest["spec"].get("ttlSecondsAfterFinished") is not None:
        yield Finding(
            "rebalancer-vanishes",
            "spec.ttlSecondsAfterFinished",
            "Karmada deletes the finished object, so a program that declares it creates it anew "
            "on each run, and every run moves replicas; leave it out",
        )
