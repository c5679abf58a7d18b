"""Rows of spread: groups of a level used, and the bounds on a cluster that is used at all."""

from collections import defaultdict
from collections.abc import Sequence

from placement.federation.base import Level
from placement.federation.workload import Groups
from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.view import View


def spread(builder: Builder, view: View) -> None:
    """The rows of a workload's spread; nothing where nothing is asked."""
    workload = view.workload
    bounds = workload.per_cluster
    if not workload.all_groups and bounds.min == 1 and bounds.max is None:
        return
    used = [_used(builder, view, of_cluster) for of_cluster in view.columns]
    for level, wanted in workload.all_groups.items():
        _groups(builder, view, level, wanted, used)
    survive = workload.survive
    if survive is None or survive.keep != "spread":
        return
    for scope in sorted({g for c in view.candidates for g in c.cluster.groups(survive.loss)}):
        left = [scope not in c.cluster.groups(survive.loss) for c in view.candidates]
        for level, wanted in workload.groups.items():
            _groups_left(builder, view, level, wanted, used, left, f"{survive.loss} {scope}")


def _used(builder: Builder, view: View, of_cluster: Sequence[int]) -> int:
    """The indicator that a cluster is used, and with it the bounds on its replicas."""
    workload = view.workload
    bounds = workload.per_cluster
    indicator = builder.column(0, 1, integer=True, owner=view.index)
    most = min(bounds.max or workload.size, workload.size)
    requirement = None
    if bounds.max is not None:
        requirement = Requirement(workload.id, f"perCluster.max {most}", "replicas")
    builder.row({**sum_of(of_cluster), indicator: -most}, upper=0, requirement=requirement)
    requirement = None
    if bounds.min > 1:
        requirement = Requirement(workload.id, f"perCluster.min {bounds.min}", "replicas")
    builder.row({**sum_of(of_cluster), indicator: -bounds.min}, lower=0, requirement=requirement)
    return indicator


def _groups(
    builder: Builder, view: View, level: Level, wanted: Groups, used: Sequence[int]
) -> None:
    members: dict[str, list[int]] = defaultdict(list)
    for candidate, indicator in zip(view.candidates, used, strict=True):
        for group in candidate.cluster.groups(level):
            members[group].append(indicator)
    indicators: list[int] = []
    for _, of_group in sorted(members.items()):
        if level == "cluster":
            indicators += of_group
            continue
        group_used = builder.column(0, 1, integer=True, owner=view.index)
        indicators.append(group_used)
        builder.row({**sum_of(of_group, -1.0), group_used: 1.0}, upper=0)
        for indicator in of_group:
            builder.row({indicator: 1.0, group_used: -1.0}, upper=0)
    for key, bound, sign in (
        ("minGroups", wanted.min_groups, 1),
        ("maxGroups", wanted.max_groups, -1),
    ):
        if bound is None or (sign > 0 and bound == 1):
            continue
        rule = f"spread.{level}.{key} {bound}"
        requirement = Requirement(view.workload.id, rule, f"{level}s")
        if sign > 0:
            builder.row(sum_of(indicators), lower=bound, requirement=requirement)
        else:
            builder.row(sum_of(indicators), upper=bound, requirement=requirement)


def _groups_left(
    builder: Builder,
    view: View,
    level: Level,
    wanted: Groups,
    used: Sequence[int],
    left: Sequence[bool],
    lost: str,
) -> None:
    """Enough groups are used besides what is lost: Karmada keeps every cluster that is left."""
    members: dict[str, list[int]] = defaultdict(list)
    for candidate, indicator, is_left in zip(view.candidates, used, left, strict=True):
        if is_left:
            for group in candidate.cluster.groups(level):
                members[group].append(indicator)
    reached: list[int] = []
    for _, of_group in sorted(members.items()):
        group_used = builder.column(0, 1, integer=False, owner=view.index)
        reached.append(group_used)
        builder.row({**sum_of(of_group, -1.0), group_used: 1.0}, upper=0)
    rule = f"spread.{level}.minGroups {wanted.min_groups} after the loss of {lost}"
    requirement = Requirement(view.workload.id, rule, f"{level}s")
    builder.row(sum_of(reached), lower=wanted.min_groups, requirement=requirement)
