"""Why an object should not go to Karmada: what its API refuses, and what it accepts in vain.

Owns the order of the checks and the lines that a reviewer reads. The rules stand beside their
field or kind: ``admission`` (schema and webhook), and the modules ``…_advice`` (accepted by
Karmada, and broken).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from placement.karmada.admission import admission_errors, schema_errors
from placement.karmada.cluster_advice import cluster_findings
from placement.karmada.defaults import with_defaults
from placement.karmada.findings import NOTHING_KNOWN, Facts, Finding
from placement.karmada.override_advice import override_findings
from placement.karmada.quota_advice import quota_findings
from placement.karmada.rebalancer_advice import rebalancer_findings
from placement.karmada.scaling_advice import autoscaler_findings, cron_findings
from placement.karmada.service_advice import service_findings
from placement.karmada.spread_advice import spread_findings
from placement.karmada.taint_advice import taint_findings
from placement.karmada.weight_advice import division_findings, weight_findings

_Findings = Callable[[Mapping[str, Any], Facts], Iterator[Finding]]


def findings(manifest: Mapping[str, Any], facts: Facts = NOTHING_KNOWN) -> list[Finding]:
    """Return what Karmada accepts in an object and does not do.

    Args:
        manifest: an object of a kind of this package in wire form, without a kind a
            PropagationPolicy, its values of the right types.
        facts: what is known beside it.
    """
    kind = manifest.get("kind") or "PropagationPolicy"
    return list(_RULES[kind](manifest, facts))


def refusals(
    manifest: Mapping[str, Any],
    facts: Facts = NOTHING_KNOWN,
    *,
    allow_no_execute: bool = False,
) -> list[str]:
    """Return every reason not to send an object, as lines ``FIELD: REASON``; none if it is good.

    An object that its schema refuses gets those reasons alone: nothing more can be read from it.

    Args:
        manifest: an object of a kind of this package in wire form, without a kind a
            PropagationPolicy; anything goes.
        facts: what is known beside it.
        allow_no_execute: whether the webhook runs with ``--allow-no-execute-taint-policy``.
    """
    errors = admission_errors(manifest, allow_no_execute=allow_no_execute)
    lines = [error.message for error in errors]
    if schema_errors(manifest):
        return lines
    return [*lines, *(str(finding) for finding in findings(manifest, facts))]


def _propagation_findings(policy: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    spec = with_defaults(policy)["spec"]
    yield from spread_findings(spec["placement"], facts)
    yield from weight_findings(spec["placement"])
    yield from division_findings(spec)


def _override_findings(policy: Mapping[str, Any], _: Facts) -> Iterator[Finding]:
    return override_findings(policy["spec"])


_RULES: Final[dict[str, _Findings]] = {
    "PropagationPolicy": _propagation_findings,
    "ClusterPropagationPolicy": _propagation_findings,
    "OverridePolicy": _override_findings,
    "ClusterOverridePolicy": _override_findings,
    "ClusterTaintPolicy": lambda policy, facts: taint_findings(policy["spec"], facts),
    "FederatedResourceQuota": lambda quota, facts: quota_findings(quota["spec"], facts),
    "FederatedHPA": autoscaler_findings,
    "CronFederatedHPA": cron_findings,
    "MultiClusterService": lambda service, facts: service_findings(service["spec"], facts),
    "WorkloadRebalancer": rebalancer_findings,
    "Cluster": lambda cluster, _: cluster_findings(cluster["spec"]),
}
