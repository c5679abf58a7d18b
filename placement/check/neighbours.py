"""Whether workloads are with and apart from each other as they ask."""

from collections.abc import Iterator, Mapping

from placement.check.totals import RULE
from placement.check.violation import Violation
from placement.division import webster
from placement.failure import Counts
from placement.federation.base import Level
from placement.federation.federation import Federation


def neighbours(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """What breaks a workload's affinity or anti-affinity to another.

    Being with an autoscaled workload means being where it is at its minimum: what it uses then, it
    uses at every total.
    """
    others = {w.id: w for w in federation.workloads}
    for workload in federation.workloads:
        own = counts[workload.id]
        for neighbour in workload.workload_affinity:
            other = others[neighbour.workload]
            least = counts[other.id]
            if other.divided_anew:
                least = webster(other.smallest, least)
            there = _groups(federation, least, neighbour.level)
            for name in own:
                groups = set(federation.cluster(name).groups(neighbour.level))
                if not groups & there:
                    rule = "workloadAffinity"
                    if other.divided_anew:
                        rule = f"{RULE}: {rule}"
                    detail = f"on {name} without {other.id} in its {neighbour.level}"
                    yield Violation(workload.id, rule, detail, workloads=(workload.id, other.id))
        for neighbour in workload.workload_anti_affinity:
            there = _groups(federation, counts[neighbour.workload], neighbour.level)
            shared = sorted(_groups(federation, own, neighbour.level) & there)
            if shared:
                detail = f"with {neighbour.workload} in {', '.join(shared)}"
                yield Violation(workload.id, "workloadAntiAffinity", detail)


def _groups(federation: Federation, counts: Mapping[str, int], level: Level) -> set[str]:
    return {
        group for name, n in counts.items() if n for group in federation.cluster(name).groups(level)
    }
