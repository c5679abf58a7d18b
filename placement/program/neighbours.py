"""Rows between workloads: to be where another one is, and to be where it is not."""

from collections.abc import Mapping, Sequence

from placement.federation.intent import Neighbour
from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.view import View


def neighbours(builder: Builder, views: Sequence[View]) -> None:
    """The rows of every affinity and, once for each pair and level, of every anti-affinity."""
    by_id = {view.workload.id: view for view in views}
    apart: set[tuple[frozenset[str], str]] = set()
    for view in views:
        for neighbour in view.workload.workload_affinity:
            _with(builder, view, by_id[neighbour.workload], neighbour)
        for neighbour in view.workload.workload_anti_affinity:
            pair = (frozenset({view.workload.id, neighbour.workload}), neighbour.level)
            if pair not in apart:
                apart.add(pair)
                _apart(builder, view, by_id, neighbour)


def _with(builder: Builder, view: View, other: View, neighbour: Neighbour) -> None:
    """Each cluster that is used shares a group with one that the other uses at every total."""
    level = neighbour.level
    rule = f"workloadAffinity {neighbour.workload} in its {level}"
    requirement = Requirement(view.workload.id, rule, "clusters")
    there = other.members(level)
    for used, candidate in zip(view.used, view.candidates, strict=True):
        near = {
            place for group in candidate.cluster.groups(level) for place in there.get(group, ())
        }
        hosts = sum_of([other.seated[place] for place in sorted(near)], -1.0)
        builder.row({**hosts, used: 1.0}, upper=0, requirement=requirement)


def _apart(builder: Builder, view: View, by_id: Mapping[str, View], neighbour: Neighbour) -> None:
    """No group is used by both."""
    level = neighbour.level
    own, other = view.groups(level), by_id[neighbour.workload].groups(level)
    rule = f"workloadAntiAffinity {neighbour.workload} by {level}"
    requirement = Requirement(view.workload.id, rule, f"{level}s")
    for group in sorted(set(own) & set(other)):
        builder.row({own[group]: 1.0, other[group]: 1.0}, upper=1, requirement=requirement)
