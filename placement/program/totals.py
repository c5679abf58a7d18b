"""Rows of an autoscaled workload: what its rules at the minimum ask of the replicas at the maximum.

The replicas at the maximum are the weights. Karmada divides each smaller total by them (Webster),
and the method is house monotone: room at the maximum is room at every total, and what is used at
the minimum is used at every total. So the rules from below are those of the minimum.
"""

from placement.program.matrix import Builder, Requirement, sum_of
from placement.program.spread import reached
from placement.program.view import View


def every_total(builder: Builder, view: View) -> None:
    """The rows of a workload with a range; none where nothing is divided anew."""
    workload = view.workload
    if not workload.divided_anew:
        return
    at = f"at replicas.min {workload.smallest}"
    columns = dict(view.by_cluster)
    for name, least in workload.at_least.items():
        requirement = Requirement(workload.id, f"atLeast.{name} {least} {at}", "replicas")
        view.seat(columns.get(name, ()), least, requirement=requirement)
    least = workload.per_cluster.min
    if least > 1:
        requirement = Requirement(workload.id, f"perCluster.min {least} {at}", "replicas")
        for used, of_cluster in zip(view.used, view.columns, strict=True):
            view.seat(of_cluster, least, used, requirement)
    for level, wanted in workload.groups.items():
        if wanted.least > 1 and view.seated is not view.used:
            rule = f"spread.{level}.minGroups {wanted.least} {at}"
            requirement = Requirement(workload.id, rule, f"{level}s")
            every = [True] * len(view.candidates)
            reached(builder, view, level, wanted.least, view.seated, every, requirement)
    if view.seated is not view.used:
        _no_seat_before(builder, view)


def _no_seat_before(builder: Builder, view: View) -> None:
    """A cluster that is seated at the minimum n is not passed by another one's later seats.

    With g clusters or more seated, no cluster has more than n - g + 1 seats; the one after these
    comes after the first seat of cluster i, so x_j <= (2 (n - g + 1) + 1) x_i for every j.
    """
    workload = view.workload
    seated = (w.least for level, w in workload.groups.items() if level != "zone")
    seats = workload.smallest - max([1, *seated]) + 1
    for i, (indicator, own) in enumerate(zip(view.seated, view.columns, strict=True)):
        for j, other in enumerate(view.columns):
            if i != j:
                row = {**sum_of(other), **sum_of(own, -(2.0 * seats + 1)), indicator: workload.size}
                builder.row(row, upper=workload.size)
