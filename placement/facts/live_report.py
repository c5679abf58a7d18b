"""Live members against the declared ones, as a table for people and as JSON for programs."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from placement.facts.live import Snapshot
from placement.facts.live_difference import Difference

SCHEMA = "placement/facts-live/v1"
_WIDTH = 140


def document(live: Snapshot, found: Sequence[Difference]) -> dict[str, Any]:
    """The JSON form: what was read, with its source and time, and what differs."""
    return {
        "schema": SCHEMA,
        "source": live.server,
        "time": live.time,
        "clusters": {
            name: {
                "kubernetesVersion": status.get("kubernetesVersion"),
                "conditions": {
                    condition["type"]: {
                        "status": condition["status"],
                        "since": condition.get("lastTransitionTime"),
                    }
                    for condition in status.get("conditions") or ()
                },
                "nodes": status.get("nodeSummary"),
                "resources": status.get("resourceSummary"),
            }
            for name, status in (
                (name, item.get("status") or {}) for name, item in sorted(live.clusters.items())
            )
        },
        "differences": [asdict(each) for each in found],
    }


def text(live: Snapshot, found: Sequence[Difference]) -> str:
    """The table."""
    console = Console(width=_WIDTH, no_color=not sys.stdout.isatty())
    with console.capture() as captured:
        told = "as declared" if not found else f"{len(found)} facts are not as declared"
        console.print(f"{len(live.clusters)} members of {live.server} at {live.time}: {told}")
        if found:
            table = Table(box=None, pad_edge=False)
            for title in ("cluster", "fact", "declared", "live"):
                table.add_column(title)
            for each in found:
                table.add_row(each.cluster, each.fact, each.declared, each.live)
            console.print(table)
    return captured.get()
