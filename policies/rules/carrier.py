"""FED001: the carrier runs the control plane and nothing of a user's."""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.named_clusters import static_rules
from policies.known import CLUSTER, Known
from policies.propagation import placement
from policies.resources import Resource
from policies.rule import Rule

_MEMBERSHIP = "federation:compute:Membership"


def _check(resource: Resource, known: Known) -> Iterator[str]:
    """A policy that names the carrier, or a membership that would make it a target at all."""
    for path, names in _named(resource):
        for name in sorted(names & known.carriers):
            yield (
                f"{path} names {name}, the carrier, which runs the control plane and no user "
                "workload; name other clusters"
            )


def _named(resource: Resource) -> Iterator[tuple[str, frozenset[str]]]:
    """The clusters that a resource names as targets, by the path of the field that does."""
    if resource.kind == CLUSTER:
        yield "metadata.name", _names([resource.read("metadata", "name")])
    elif resource.type == _MEMBERSHIP:
        yield "cluster", _names([resource.read("cluster")])
    elif resource.is_propagation:
        yield from _targets(resource)


def _targets(policy: Resource) -> Iterator[tuple[str, frozenset[str]]]:
    given = placement(policy)
    path = "spec.placement"
    yield from _affinity(given.get("clusterAffinity") or {}, f"{path}.clusterAffinity")
    for index, term in enumerate(given.get("clusterAffinities") or ()):
        here = f"{path}.clusterAffinities[{index}]"
        yield from _affinity(term, here)
        for position, overflow in enumerate(term.get("overflowAffinities") or ()):
            yield from _affinity(overflow, f"{here}.overflowAffinities[{position}]")
    here = f"{path}.replicaScheduling.weightPreference.staticWeightList"
    for index, rule in enumerate(static_rules(given)):
        yield from _affinity(rule["targetCluster"], f"{here}[{index}].targetCluster")


def _affinity(affinity: Mapping[str, Any], path: str) -> Iterator[tuple[str, frozenset[str]]]:
    names = _names(affinity.get("clusterNames")) - _names(affinity.get("exclude"))
    if names:
        yield f"{path}.clusterNames", names


def _names(value: Any) -> frozenset[str]:
    return frozenset(name for name in value or () if isinstance(name, str))


CARRIER = Rule(
    code="FED001",
    title="carrier",
    description="No user workload runs on the carrier.",
    level="mandatory",
    severity="critical",
    check=_check,
)
