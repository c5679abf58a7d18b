"""``python -m placement profile``: its options."""

import json
from datetime import datetime
from pathlib import Path

import click

from placement.decision import read_file
from placement.faults import ExitCode
from placement.federation import load
from placement.profile.profile import profile as profiled


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--decision",
    type=click.Path(path_type=Path),
    help="A decision (JSON) whose replicas count as use.",
)
@click.option(
    "--now",
    type=click.DateTime(formats=["%Y-%m-%d"]),
    help="The day against which ages are counted; else the oldest day is shown.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the profile as JSON.")
def profile(file: Path, decision: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Show what the federation FILE has and what is left of it.

    Capacity, use, headroom, price, carbon intensity and age of the facts, by continent, region,
    cluster and accelerator.
    """
    from placement.profile import report  # noqa: PLC0415 - tables load slowly, and few commands print any

    federation = load(file)
    groups = profiled(federation, None if decision is None else read_file(decision))
    day = None if now is None else now.date()
    if as_json:
        found = report.document(groups, federation, day)
        click.echo(json.dumps(found, indent=2, sort_keys=True))
    else:
        click.echo(report.text(groups, federation, day), nl=False)
    return ExitCode.DONE
