"""Whether no more replicas are moved than may be."""

from collections.abc import Iterator

from placement.check.violation import Violation
from placement.failure import Counts
from placement.federation.federation import Federation


def moved(counts: Counts, present: Counts) -> int:
    """The replicas that are moved: started on a cluster beyond those that there are more of."""
    total = 0
    for name, now in counts.items():
        before = present.get(name, {})
        started = sum(max(0, n - before.get(cluster, 0)) for cluster, n in now.items())
        total += started - max(0, sum(now.values()) - sum(before.values()))
    return total


def moves(federation: Federation, counts: Counts, present: Counts) -> Iterator[Violation]:
    """The bound of the objective on moves."""
    most = federation.objective.moves.at_most
    if most is not None and moved(counts, present) > most:
        yield Violation("objective", "moves.atMost", f"{moved(counts, present)} moved of {most}")
