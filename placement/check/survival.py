"""Whether each workload keeps what it promises after a loss, under Karmada's own division."""

from collections.abc import Iterator

from placement.check.violation import Violation
from placement.failure import Counts, Standing, losses
from placement.federation.federation import Federation


def survival(federation: Federation, counts: Counts) -> Iterator[Violation]:
    """The promises that a loss breaks: replicas without a place, a spread that is no more."""
    promised = [w for w in federation.workloads if w.survive is not None]
    if not promised:
        return
    standing = Standing(federation, counts)
    everything = {c.name: c for c in federation.clusters}
    for loss in losses(federation):
        concerned = [w for w in promised if w.survive and w.survive.loss == loss.kind]
        if not concerned:
            continue
        aftermath = standing.after(loss)
        for workload in concerned:
            rule = f"survive.{loss.kind}"
            pending = aftermath.pending.get(workload.id, 0)
            if pending:
                where = [c for c, left in aftermath.crowded.items() if workload.id in left]
                crowding = tuple(
                    w.id
                    for w in federation.workloads
                    if w.survive is not None and where and where[0] in counts[w.id]
                )
                detail = f"{pending} replicas pending after the loss of {loss.name}"
                yield Violation(workload.id, rule, detail, where[0] if where else None, crowding)
            if workload.survive and workload.survive.keep == "spread":
                now = aftermath.counts.get(workload.id, counts[workload.id])
                for level, wanted in workload.groups.items():
                    reached = {g for name in now for g in everything[name].groups(level)}
                    if len(reached) < wanted.min_groups:
                        detail = f"{len(reached)} {level}s after the loss of {loss.name}"
                        yield Violation(workload.id, f"{rule}.spread", detail)
