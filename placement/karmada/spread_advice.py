"""Spread constraints that Karmada accepts and then does not keep.

Owns the rules for ``spec.placement.spreadConstraints``.

Source: ``pkg/scheduler/core/spreadconstraint`` and
``pkg/scheduler/framework/plugins/spreadconstraint`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.findings import Facts, Finding
from placement.karmada.named_clusters import is_divided, is_static, selections, served

_PATH: Final = "spec.placement.spreadConstraints"


def spread_findings(placement: Mapping[str, Any], facts: Facts) -> Iterator[Finding]:
    """Yield every finding about the spread of a placement.

    Args:
        placement: the placement in wire form, with the defaults of the server.
        facts: what is known of clusters and replicas.
    """
    constraints = placement.get("spreadConstraints") or []
    if constraints and is_static(placement):
        yield from _static_findings(constraints, placement, facts)
    for index, constraint in enumerate(constraints):
        yield from _constraint_findings(constraint, f"{_PATH}[{index}]")
        if is_divided(placement):
            yield from _replica_findings(constraint, f"{_PATH}[{index}]", facts.total)
    yield from _group_findings(constraints)


def _static_findings(
    constraints: Sequence[Mapping[str, Any]], placement: Mapping[str, Any], facts: Facts
) -> Iterator[Finding]:
    chosen = selections(placement)
    doubts = [
        doubt
        for constraint in constraints
        if (doubt := _doubt(constraint, chosen, facts)) is not None
    ]
    if doubts:
        yield Finding(
            "static-weights-ignore-spread",
            _PATH,
            "static weights ignore spread: Karmada divides by the weights alone and never reads "
            f"these constraints ({'; '.join(doubts)}); choose the clusters so that the weights "
            "themselves meet the spread, or divide by dynamicWeight",
        )


def _doubt(
    constraint: Mapping[str, Any], chosen: Sequence[Mapping[str, int]] | None, facts: Facts
) -> str | None:
    """Return why the weights may not meet a constraint; None where they are known to."""
    field = constraint.get("spreadByField")
    if field not in ("region", "cluster"):
        return f"{field or 'spreadByLabel'} cannot be checked against weights"
    if chosen is None:
        return "the weights do not name their clusters"
    for position, weights in enumerate(chosen):
        # The counts are those of the affinity that is tried first.
        placed = _placed(weights, facts, counted=position == 0)
        if placed is None:
            return "a tie between weights decides which cluster gets a replica"
        groups = _groups(field, placed, facts)
        if groups is None:
            return f"the regions of {', '.join(sorted(placed))} are not all known"
        fewest = constraint.get("minGroups") or 0
        most = constraint.get("maxGroups") or len(groups)
        if not fewest <= len(groups) <= most:
            return f"the weights make {len(groups)} by {field}, allowed {fewest} to {most}"
    return None


def _placed(weights: Mapping[str, int], facts: Facts, *, counted: bool) -> frozenset[str] | None:
    """Return the clusters with a replica; None where only a tie decides."""
    if counted and facts.counts is not None:
        return frozenset(name for name in weights if facts.counts.get(name, 0) > 0)
    if facts.total is not None:
        return served(weights, facts.total)
    return frozenset(weights)


def _groups(field: str, clusters: frozenset[str], facts: Facts) -> frozenset[str] | None:
    if field == "cluster":
        return clusters
    regions = facts.regions or {}
    known = frozenset(regions[name] for name in clusters if regions.get(name))
    return known if all(regions.get(name) for name in clusters) else None


def _constraint_findings(constraint: Mapping[str, Any], path: str) -> Iterator[Finding]:
    if not constraint.get("maxGroups"):
        yield Finding(
            "max-groups-missing",
            f"{path}.maxGroups",
            "maxGroups has no default: absent or 0, the scheduler chooses no group and places "
            "nothing; write it, the number of clusters at most",
        )
    field = constraint.get("spreadByField")
    if field in ("zone", "provider"):
        yield Finding(
            "spread-only-filters",
            f"{path}.spreadByField",
            f"{field} does not spread: Karmada only leaves out clusters that state no {field}; "
            "spread by region or cluster",
        )
    if constraint.get("spreadByLabel"):
        yield Finding(
            "spread-by-label",
            f"{path}.spreadByLabel",
            "the scheduler has no spread by label and places nothing; spread by region or cluster, "
            "or name the clusters in the affinity",
        )


def _replica_findings(
    constraint: Mapping[str, Any], path: str, replicas: int | None
) -> Iterator[Finding]:
    fewest = constraint.get("minGroups") or 0
    if replicas and fewest > replicas:
        yield Finding(
            "min-groups-above-replicas",
            f"{path}.minGroups",
            f"{replicas} replicas cannot be in {fewest} groups: Karmada chooses the groups and "
            f"leaves some empty; allowed {replicas} or fewer, or more replicas",
        )


def _group_findings(constraints: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    by_field = {
        constraint.get("spreadByField"): (index, constraint)
        for index, constraint in enumerate(constraints)
    }
    if "cluster" not in by_field or "region" not in by_field:
        return
    index, cluster = by_field["cluster"]
    most = cluster.get("maxGroups") or 0
    regions = by_field["region"][1].get("minGroups") or 0
    if 0 < most < regions:
        yield Finding(
            "fewer-clusters-than-regions",
            f"{_PATH}[{index}].maxGroups",
            f"{most} clusters cannot be in {regions} regions: Karmada takes one cluster of each "
            f"region and exceeds maxGroups; allowed {regions} or more",
        )
