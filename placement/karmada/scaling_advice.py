"""Autoscalers that Karmada accepts and that then fight with somebody, or do less than they say.

Sources: ``pkg/controllers/federatedhpa``, ``pkg/controllers/cronfederatedhpa`` and
``copyHPAScalingRules`` in ``pkg/util/lifted/federatedhpa.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.cron_validation import AUTOSCALER
from placement.karmada.findings import Facts, Finding


def autoscaler_findings(manifest: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a FederatedHPA.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
        facts: what is known of the templates.
    """
    yield from _owner_findings(manifest, facts)
    behavior = manifest["spec"].get("behavior") or {}
    for direction in ("scaleUp", "scaleDown"):
        if (behavior.get(direction) or {}).get("tolerance") is not None:
            yield Finding(
                "autoscaler-tolerance-lost",
                f"spec.behavior.{direction}.tolerance",
                "the webhook takes the tolerance away while it fills its defaults, so it has no "
                "effect and comes back as a change each time; leave it out",
            )


def cron_findings(manifest: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about a CronFederatedHPA.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
        facts: what is known of the templates.
    """
    target = manifest["spec"]["scaleTargetRef"]
    bounds = (target.get("apiVersion"), target["kind"]) == AUTOSCALER
    if not bounds:
        yield from _owner_findings(manifest, facts)
    ignored = ("targetReplicas",) if bounds else ("targetMinReplicas", "targetMaxReplicas")
    for index, rule in enumerate(manifest["spec"]["rules"]):
        path = f"spec.rules[{index}]"
        if rule.get("timeZone") is None:
            yield Finding(
                "cron-time-zone",
                f"{path}.timeZone",
                "without a time zone the schedule goes by the clock of the controller, wherever "
                "that runs; write one, such as Etc/UTC",
            )
        for key in ignored:
            if rule.get(key) is not None:
                yield Finding(
                    "cron-target-ignored",
                    f"{path}.{key}",
                    f"ignored for a {target['kind']}; write "
                    f"{'targetMinReplicas and targetMaxReplicas' if bounds else 'targetReplicas'}",
                )


def _owner_findings(manifest: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    target = manifest["spec"]["scaleTargetRef"]
    namespace = (manifest.get("metadata") or {}).get("namespace") or "default"
    if facts.fixed is None or f"{namespace}/{target['kind']}/{target['name']}" in facts.fixed:
        yield Finding(
            "autoscaler-owns-replicas",
            "spec.scaleTargetRef",
            f"the autoscaler writes the replicas of {target['kind']} {target['name']}: whoever "
            "writes them too undoes it each time; leave them out of the template and of the "
            "program",
        )
