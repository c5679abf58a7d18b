"""Whose a template is: Karmada gives it to one policy, and the first claim stays.

Owns the rules by which a policy of somebody else's stands in the way of ours. Policies of this
project bear its label: a template that is claimed by one of them, such as under a workload's former
name, is ours.

Source: ``pkg/detector/detector.go`` and ``policy.go`` (Karmada 1.18), without the gate
``PropagationPolicyPreemption``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from components.federation.emitted import Policy
from components.federation.emitted import policies as policies_of
from placement.emit import WORKLOAD_LABEL, Manifest

_GROUPS = {
    "PropagationPolicy": "propagationpolicy.karmada.io",
    "ClusterPropagationPolicy": "clusterpropagationpolicy.karmada.io",
}
"""By kind: before the slash of the annotations that say who claimed a template."""


def contested(
    policies: Sequence[Manifest],
    emitted: Sequence[Manifest],
    templates: Mapping[str, Manifest | None],
) -> Iterator[str]:
    """A line for each template that a policy of somebody else's has, or would get.

    Args:
        policies: every policy of both kinds on the Karmada API.
        emitted: our objects.
        templates: the user's objects by workload id; None where one is not there yet.
    """
    foreign = [p for p in policies if WORKLOAD_LABEL not in (p["metadata"].get("labels") or {})]
    for ours in policies_of(emitted):
        for theirs in foreign:
            reason = _reason(theirs, ours, templates.get(ours.workload))
            if reason is not None:
                yield (
                    f"{ours.workload}: {reason}. Delete that policy, which leaves what runs where "
                    "it is, or take the workload out of the federation file"
                )


def _reason(theirs: Manifest, ours: Policy, template: Manifest | None) -> str | None:
    metadata = theirs["metadata"]
    namespace, kind, name = ours.target
    here = metadata.get("namespace") == namespace
    where = f"{metadata['namespace']}/" if "namespace" in metadata else ""
    who = f"{theirs['kind']} {where}{metadata['name']}"
    if here and metadata["name"] == ours.content["metadata"]["name"]:
        return f"{who} is there already and is not this project's"
    what = f"{kind} {name}"
    claimed = _claimer(template)
    if claimed == (theirs["kind"], metadata.get("namespace"), metadata["name"]):
        return f"{what} is claimed by {who}, and the first claim stays"
    if claimed is None and here and any(_means(s, kind, name) for s in _selectors(theirs)):
        return f"{what} is named by {who} too, and Karmada gives it to one of the two"
    return None


def _claimer(template: Manifest | None) -> tuple[str, str | None, str] | None:
    """Kind, namespace and name of the policy that claimed a template."""
    annotations = ((template or {}).get("metadata") or {}).get("annotations") or {}
    for kind, group in _GROUPS.items():
        name = annotations.get(f"{group}/name")
        if name is not None:
            return kind, annotations.get(f"{group}/namespace"), name
    return None


def _selectors(policy: Manifest) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = policy["spec"]["resourceSelectors"]
    return found


def _means(selector: Mapping[str, Any], kind: str, name: str) -> bool:
    """Whether a selector means an object by its name: others have the lower rank."""
    return (selector["kind"], selector.get("name")) == (kind, name)
