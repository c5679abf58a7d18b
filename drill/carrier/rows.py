"""What a rehearsal of the carrier found, a row for each kill, in the form for machines too."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from drill.carrier.client import PATIENCE, Call
from drill.carrier.load import RATE
from drill.carrier.scheduling import LOOKS, TEMPLATES


@dataclass(frozen=True)
class Row:
    """What one kill cost.

    Attributes:
        killed: the instance; empty where none was, for comparison.
        led: whether it was the one of its part that acted; None where all of them act.
        calls: how many were made.
        failed: how many the API did not do, though every address was tried.
        moved: how many were done at another address than the first.
        errors: of those, how many an address before had answered with a server error (5xx).
        slowest: seconds of the slowest call.
        lost: writes that were acknowledged and are not there.
        pause: the longest time in seconds from a new template to its division; None: no end seen.
        faults: what the failed calls were told, each text once.
    """

    killed: str
    led: bool | None
    calls: int
    failed: int
    moved: int
    errors: int
    slowest: float
    lost: int
    pause: float | None
    faults: tuple[str, ...]


def row(
    killed: str, *, led: bool | None, calls: Sequence[Call], lost: int, pause: float | None
) -> Row:
    """The row of one kill."""
    failed = [call for call in calls if not call.ok]
    return Row(
        killed=killed,
        led=led,
        calls=len(calls),
        failed=len(failed),
        moved=sum(call.ok and call.tries > 1 for call in calls),
        errors=sum(call.ok and call.errors > 0 for call in calls),
        slowest=max(call.seconds for call in calls),
        lost=lost,
        pause=pause,
        faults=tuple(sorted({str(call) for call in failed})),
    )


def held(found: Row) -> bool:
    """Whether users noticed nothing but a pause."""
    return not found.failed and not found.lost and found.pause is not None


def plain(rows: Iterable[Row]) -> dict[str, Any]:
    """The rows for machines, with how they were measured."""
    return {
        "callsPerSecond": RATE,
        "templatesPerSecond": TEMPLATES,
        "looksPerSecond": LOOKS,
        "patienceSeconds": PATIENCE,
        "kills": [
            {
                "killed": each.killed or "nothing",
                "led": each.led,
                "calls": each.calls,
                "failed": each.failed,
                "movedOn": each.moved,
                "movedOnAfterServerError": each.errors,
                "slowestSeconds": round(each.slowest, 2),
                "lostWrites": each.lost,
                "pauseSeconds": None if each.pause is None else round(each.pause, 1),
                "faults": list(each.faults),
            }
            for each in rows
        ],
    }
