"""Why a policy should not go to Karmada: what its API refuses, and what it accepts in vain.

Owns the order of the checks and the lines that a reviewer reads. The rules stand beside their
field: ``validation`` (the webhook), ``spread_advice`` and ``weight_advice`` (accepted by Karmada,
and broken).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from placement.karmada.defaults import with_defaults
from placement.karmada.findings import NOTHING_KNOWN, Facts, Finding
from placement.karmada.propagation import PropagationSpec
from placement.karmada.spread_advice import spread_findings
from placement.karmada.validation import policy_errors
from placement.karmada.weight_advice import division_findings, weight_findings


def findings(policy: Mapping[str, Any], facts: Facts = NOTHING_KNOWN) -> list[Finding]:
    """Return what Karmada accepts in a policy and does not do.

    Args:
        policy: a PropagationPolicy or ClusterPropagationPolicy in wire form, its values of the
            right types.
        facts: what is known of clusters and replicas.
    """
    spec = with_defaults(policy)["spec"]
    placement = spec["placement"]
    return [
        *spread_findings(placement, facts),
        *weight_findings(placement),
        *division_findings(spec),
    ]


def refusals(policy: Mapping[str, Any], facts: Facts = NOTHING_KNOWN) -> list[str]:
    """Return every reason not to send a policy, as lines ``FIELD: REASON``; none if it is good.

    A policy that its schema refuses gets those reasons alone: nothing more can be read from it.

    Args:
        policy: a PropagationPolicy or ClusterPropagationPolicy in wire form; anything goes.
        facts: what is known of clusters and replicas.
    """
    if schema := list(_schema_errors(policy)):
        return schema
    stored = with_defaults(policy)
    namespace = (
        ""
        if policy.get("kind") == "ClusterPropagationPolicy"
        else (policy.get("metadata") or {}).get("namespace") or "default"
    )
    return [
        *(error.message for error in policy_errors(stored["spec"], namespace)),
        *(str(finding) for finding in findings(policy, facts)),
    ]


def _schema_errors(policy: Mapping[str, Any]) -> Iterator[str]:
    try:
        # JSON, because its strict mode knows lists where Python's asks for tuples.
        PropagationSpec.model_validate_json(
            json.dumps(policy.get("spec")), strict=True, by_alias=True, by_name=False
        )
    except ValidationError as error:
        for fault in error.errors():
            path = "spec" + "".join(
                f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault["loc"]
            )
            yield f"{path}: {fault['msg']}"
