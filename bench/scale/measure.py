"""One instance through the engine, in this process: what each step takes, how good the answer is.

Owns the clock: CPU seconds of the process and of those that work for it, so that a busy machine
does not count. ``command.py`` starts a fresh process for each instance, since the peak of the
memory is one of the process.
"""

import json
import resource
import sys
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from placement.assemble import after_losses
from placement.federation import load
from placement.filter import candidates
from placement.program import build
from placement.score import Facts
from placement.search import Unplaced, search


def measure(file: Path, present: Path | None, effort: int, processes: int) -> dict[str, Any]:
    """Every figure of the table, by its column."""
    before = None if present is None else json.loads(present.read_text(encoding="utf-8"))
    clock = _Clock()
    federation = load(file)
    clock.lap("read")
    facts = Facts.of(federation)
    taken = [candidates(facts, workload)[0] for workload in federation.workloads]
    clock.lap("filter")
    program = build(federation, taken, before)
    clock.lap("build")
    answer = search(federation, taken, before, effort, processes)
    clock.lap("search")
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures: dict[str, Any] = {
        "clusters": len(federation.clusters),
        "workloads": len(federation.workloads),
        "replicas": sum(w.size for w in federation.workloads),
        "pairs": sum(len(t) for t in taken),
        "columns": len(program.lower),
        "entries": len(program.values),
        "effort": effort,
        "processes": processes,
        "othersSeconds": round(others.ru_utime + others.ru_stime, 2),
    }
    if isinstance(answer, Unplaced):
        return {**figures, **clock.laps, "status": "none found"}
    after_losses(federation, answer.counts, {})
    clock.lap("losses")
    outcome, bound = answer.solution.outcomes[0], answer.relaxed[0].bound
    moved = None if before is None else _moved(answer.counts, before)
    return {
        **figures,
        **clock.laps,
        "status": "optimal" if answer.proven else "gap",
        "objective": round(outcome.value, 2),
        "bound": round(bound, 2),
        "gapPercent": round(100 * (outcome.value - bound) / bound, 3),
        "moved": moved,
        "elapsedSeconds": round(monotonic() - clock.begun, 1),
        "peakMiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "othersMiB": others.ru_maxrss // 1024,
        "counts": answer.counts,
    }


class _Clock:
    """CPU seconds between laps."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.begun = monotonic()
        self._last = process_time()

    def lap(self, name: str) -> None:
        """Note what has passed since the last lap as *name*."""
        now = process_time()
        self.laps[f"{name}Seconds"] = round(now - self._last, 2)
        self._last = now


def _moved(counts: dict[str, dict[str, int]], before: dict[str, dict[str, int]]) -> int:
    """Workloads of *before* that are not where they were."""
    return sum(counts[name] != there for name, there in before.items() if name in counts)


if __name__ == "__main__":
    path, present_path, level, number, out = sys.argv[1:]
    before_path = Path(present_path) if present_path else None
    found = measure(Path(path), before_path, int(level), int(number))
    Path(out).write_text(json.dumps(found), encoding="utf-8")
