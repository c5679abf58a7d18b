"""Decisions, steps and verdicts for the tests of a review, with what a test cares about."""

from collections.abc import Mapping
from typing import Any

from pulumi import automation as auto

from placement.decision import (
    AfterLoss,
    Decision,
    ObjectiveValue,
    PlacedWorkload,
    RankedCandidate,
    RefusedCluster,
    Status,
)

POLICY = "kubernetes:policy.karmada.io/v1alpha1:PropagationPolicy"
STACK = "pulumi:pulumi:Stack"


def placed(
    name: str,
    replicas: Mapping[str, int],
    *,
    ranks: Mapping[str, int] | None = None,
    cost: Mapping[str, float] | None = None,
    refused: Mapping[str, str] | None = None,
    lost: Mapping[str, tuple[Mapping[str, int], int]] | None = None,
    total: float | None = None,
) -> PlacedWorkload:
    """A workload's part of a decision; every cluster with replicas is a candidate."""
    ranked = {**dict.fromkeys(replicas, 1), **(ranks or {})}
    return PlacedWorkload(
        id=name,
        replicas=dict(replicas),
        weights=dict(replicas),
        candidates=tuple(
            RankedCandidate(cluster, rank, 50.0, {"cost": (cost or {}).get(cluster)})
            for cluster, rank in ranked.items()
        ),
        refused=tuple(RefusedCluster(c, f, "as told") for c, f in (refused or {}).items()),
        after_loss=tuple(
            AfterLoss(where, dict(left), pending) for where, (left, pending) in (lost or {}).items()
        ),
        terms={"cost": total},
    )


def decided(
    *workloads: PlacedWorkload, cost: float | None = None, status: Status = "optimal"
) -> Decision:
    """A decision with the cost as its only term."""
    return Decision(
        input_hash="hash",
        status=status,
        objective=(ObjectiveValue("cost", cost, "EUR/month allocated net", cost),),
        workloads=workloads,
    )


def urn(type_: str, name: str) -> str:
    """The URN of a resource."""
    return f"urn:pulumi:federation::federation::{type_}::{name}"


def step(op: str, type_: str, name: str, **metadata: Any) -> auto.EngineEvent:
    """The event of a step that is done, as the engine sends it; states as ``{inputs, outputs}``."""
    for key in ("old", "new"):
        state = metadata.get(key)
        if state is not None:
            metadata[key] = {"type": type_, "urn": urn(type_, name), **state}
    content = {"op": op, "urn": urn(type_, name), "type": type_, "provider": "", **metadata}
    return auto.EngineEvent.from_json({"resOutputsEvent": {"metadata": content}})


def said(message: str, severity: str = "error") -> auto.EngineEvent:
    """A diagnostic of the program."""
    content = {"message": message, "color": "never", "severity": severity, "prefix": ""}
    return auto.EngineEvent.from_json({"diagnosticEvent": content})


def judged(policy: str, resource: str, message: str, level: str = "mandatory") -> auto.EngineEvent:
    """What a policy says of a resource."""
    content = {
        "message": message,
        "color": "never",
        "policyName": policy,
        "policyPackName": "federation",
        "policyPackVersion": "1",
        "policyPackVersionTag": "1",
        "enforcementLevel": level,
        "resourceUrn": urn(POLICY, resource),
    }
    return auto.EngineEvent.from_json({"policyEvent": content})
