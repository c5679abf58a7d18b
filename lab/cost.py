"""``python -m lab.cost``: how long a lab takes to come up and how much memory it has, by size.

Owns the sizes that are measured and the form of ``docs/measured/lab.json``. Leaves nothing running.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from lab.karmada import installation
from lab.lifecycle import Lab
from lab.measure import record
from placement import console, federation
from placement.faults import ExitCode

OUTPUT = record.FOLDER / "lab.json"

_COUNTS = (0, 1, 3, 10)
_COUNTS_OF_THREE = (0, 3)
_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Cost:
    """What a lab of one size costs.

    Attributes:
        members: how many clusters answer.
        kind: ``bare`` or ``full``; ``none`` without members.
        nodes: over all members.
        processes: all in all.
        up: seconds of a first `up`, until every member is ready.
        again: seconds of a second `up`, which finds all running.
        down: seconds of `down`.
        memory: resident memory of all processes together, in MiB, right after the first `up`.
    """

    members: int
    kind: str
    nodes: int
    processes: int
    up: float
    again: float
    down: float
    memory: int


@click.command()
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("examples/global.yaml"),
    show_default=True,
    help="The federation file whose clusters become members.",
)
@click.option(
    "--high-availability", is_flag=True, help="Of labs with three of each part, fewer sizes."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/lab.json]",
)
def main(file: Path, high_availability: bool, output: Path) -> ExitCode:
    """Measure `lab up` by number of members, with the real Karmada where KARMADA_DIR is set."""
    real = installation.find()
    names = [cluster.name for cluster in federation.load(file).clusters]
    before = record.run(real.version if real else "")
    costs: list[Cost] = []
    for count in _COUNTS_OF_THREE if high_availability else _COUNTS:
        for kind in ("bare", "full") if count else ("none",):
            costs.append(_cost(file, names[:count], kind, high_availability=high_availability))
            click.echo(costs[-1])
    section = {
        **before,
        "file": f"{file.parent.name}/{file.name}",
        "up": [_plain(c) for c in costs],
    }
    name = "withKarmada" if real else "withoutKarmada"
    record.write(output, f"{name}HighAvailability" if high_availability else name, section)
    Console().print(_table(costs))
    click.echo(f"written: {output}")
    return ExitCode.DONE


def _cost(file: Path, members: list[str], kind: str, *, high_availability: bool) -> Cost:
    with tempfile.TemporaryDirectory(prefix="federation-cost-") as folder:
        lab = Lab(Path(folder), "cost")
        with lab:
            begun = time.monotonic()
            lab.up(
                file,
                members=",".join(members) or "none",
                bare=kind == "bare",
                high_availability=high_availability,
            )
            up = time.monotonic() - begun
            rows = lab.status()
            nodes = sum(len(lab.api(name).list("v1", "Node")) for name in members)
            begun = time.monotonic()
            lab.up(file)
            again = time.monotonic() - begun
            begun = time.monotonic()
        down = time.monotonic() - begun
    memory = sum(row.memory for row in rows) // _MEBIBYTE
    return Cost(len(members), kind, nodes, len(rows), up, again, down, memory)


def _plain(cost: Cost) -> dict[str, Any]:
    return {
        "members": cost.members,
        "kind": cost.kind,
        "nodes": cost.nodes,
        "processes": cost.processes,
        "upSeconds": round(cost.up, 1),
        "againSeconds": round(cost.again, 1),
        "downSeconds": round(cost.down, 1),
        "memoryMiB": cost.memory,
    }


def _table(costs: list[Cost]) -> Table:
    table = Table("members", "nodes", "processes", "up", "again", "down", "memory", box=None)
    for cost in costs:
        table.add_row(
            f"{cost.members} {cost.kind}" if cost.members else "0",
            str(cost.nodes),
            str(cost.processes),
            *(f"{seconds:.1f} s" for seconds in (cost.up, cost.again, cost.down)),
            f"{cost.memory} MiB",
        )
    return table


if __name__ == "__main__":
    console.run(main, "lab.cost")
