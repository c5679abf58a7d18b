"""The committed measurement of the carrier, and the page that shows it."""

import json
from pathlib import Path
from typing import Any

from drill.carrier import PARTS

DOCS = Path(__file__).parents[2] / "docs"
RECORD: dict[str, Any] = json.loads((DOCS / "measured/carrier-ha.json").read_text("utf-8"))["kills"]
LED = {True: "yes", False: "no", None: ""}


def test_the_page_shows_the_record() -> None:
    """The table of docs/drill.md is the file's, row for row."""
    lines = (DOCS / "drill.md").read_text("utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| nothing"))
    rows = [
        f"| {k['killed']} | {LED[k['led']]} | {k['calls']} | {k['failed']} | {k['movedOn']} "
        f"| {k['movedOnAfterServerError']} | {k['slowestSeconds']:.2f} | {k['pauseSeconds']:.1f} |"
        for k in RECORD["kills"]
    ]
    assert lines[first : first + len(rows) + 1] == [*rows, ""]


def test_every_instance_was_killed_and_no_call_failed() -> None:
    """Three of each part; of each part that has a leader, a leader at least once."""
    assert [k["killed"] for k in RECORD["kills"]] == [
        "nothing",
        *(f"{part}-{number}" for part in PARTS for number in range(3)),
    ]
    assert all(k["failed"] == k["lostWrites"] == 0 for k in RECORD["kills"])
    for part in PARTS:
        led = [k["led"] for k in RECORD["kills"] if k["killed"].startswith(part)]
        assert True in led or set(led) == {None}
