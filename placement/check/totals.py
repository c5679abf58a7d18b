"""Whether an autoscaled workload keeps its rules at every total of its range.

The weights are the counts at the maximum; what Karmada makes of them at each smaller total is
divided anew here (Webster). Room needs no look: the method is house monotone, so that no cluster
holds more at a smaller total than at the maximum, with or without a loss.
"""

from collections.abc import Iterator, Mapping

from placement.check.violation import Violation
from placement.check.workload import within
from placement.division import webster
from placement.failure import losses
from placement.federation.federation import Federation
from placement.federation.workload import Workload

RULE = "replicas.min"
"""What the rules of these violations begin with."""


def every_total(
    federation: Federation, workload: Workload, counts: Mapping[str, int]
) -> Iterator[Violation]:
    """What breaks below the maximum: the violations of the smallest total that has any.

    Args:
        federation: facts and workloads.
        workload: the workload.
        counts: its replicas by cluster at the maximum, in order with all rules.
    """
    if not workload.divided_anew:
        return
    for total in range(workload.smallest, workload.size):
        found = list(_at(federation, workload, counts, total))
        for violation in found:
            detail = f"with {total} replicas: {violation.detail}"
            rule = f"{RULE}: {violation.rule}"
            yield Violation(workload.id, rule, detail, workloads=(workload.id,))
        if found:
            return


def _at(
    federation: Federation, workload: Workload, counts: Mapping[str, int], total: int
) -> Iterator[Violation]:
    # Tie-proof weights divide as the bare counts with an ascending UID: division/webster.py.
    now = _used(webster(total, counts))
    yield from within(federation, workload, workload.groups, now)
    survive = workload.survive
    if survive is None or survive.keep != "spread":
        return
    known = {c.name: c for c in federation.clusters}
    for loss in losses(federation):
        if loss.kind != survive.loss or loss.clusters.isdisjoint(now):
            continue
        left = {name: n for name, n in counts.items() if name not in loss.clusters}
        then = _used(webster(total, left))
        for level, wanted in workload.groups.items():
            reached = {g for name in then for g in known[name].groups(level)}
            if len(reached) < wanted.min_groups:
                detail = f"{len(reached)} {level}s after the loss of {loss.name}"
                yield Violation(workload.id, f"survive.{loss.kind}.spread", detail)


def _used(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: n for name, n in counts.items() if n}
