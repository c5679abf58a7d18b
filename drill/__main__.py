"""``python -m drill``: rehearsals, each a command.

Owns the options and what the commands print. What a rehearsal does is in its own folder.
"""

import json
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from drill.carrier import PARTS, Rehearsal, Row
from drill.carrier.rows import held, plain
from lab.karmada import installation
from lab.measure import record
from placement import console
from placement.faults import ExitCode, FederationError

_WIDTH = 120
"""Whole names, also where the output is no terminal."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Break a federation on purpose, and measure what its users notice.

    Exit codes: 0 nothing that they must not notice, 1 something, or a failure; 4 bad input.
    """


@main.command()
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="Which parts are killed, each instance in turn; may be given several times.  "
    "[default: all]",
)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("examples/three.yaml"),
    show_default=True,
    help="The federation file whose clusters become members, without pods.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was measured as JSON.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write it there, with versions, date and machine.",
)
def carrier(parts: tuple[str, ...], file: Path, output: Path | None, *, as_json: bool) -> ExitCode:
    """Kill each instance of the control plane in turn, under calls.

    A highly available lab of its own with the real Karmada (KARMADA_DIR) is brought up and taken
    down again. Meanwhile its API is called 20 times a second, each call over a connection of its
    own to one of the three API servers, and to the next where that connection is refused, breaks
    or stays silent for 3 s, or is answered with a server error (5xx), each server once. What none
    of them does, or one refuses, is a failed call.
    """
    real = installation.find()
    if real is None:
        raise FederationError("KARMADA_DIR is not set: this rehearsal needs the real Karmada")
    begun = record.run(real.version)
    with tempfile.TemporaryDirectory(prefix="federation-drill-") as folder:
        rows = Rehearsal(Path(folder), file, _said).run(parts or PARTS)
    content = {**begun, **plain(rows)}
    if output is not None:
        record.write(output, "kills", content)
        _said(f"written: {output}")
    if as_json:
        click.echo(json.dumps(content, indent=2, sort_keys=True))
    else:
        Console(width=_WIDTH).print(_table(rows))
    return ExitCode.DONE if all(held(row) for row in rows) else ExitCode.FAILURE


def _said(line: str) -> None:
    click.echo(line, err=True)


def _table(rows: list[Row]) -> Table:
    table = Table("killed", "led", box=None)
    numbers = ("calls", "failed", "moved on", "after 5xx", "slowest", "lost writes")
    for title in (*numbers, "pause in scheduling"):
        table.add_column(title, justify="right")
    for row in rows:
        pause = "no end" if row.pause is None else f"{row.pause:.1f} s"
        table.add_row(
            row.killed or "nothing",
            {True: "yes", False: "no", None: "-"}[row.led],
            str(row.calls),
            str(row.failed),
            str(row.moved),
            str(row.errors),
            f"{row.slowest:.2f} s",
            str(row.lost),
            pause,
        )
    return table


if __name__ == "__main__":
    console.run(main, "drill")
