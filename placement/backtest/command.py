"""``python -m placement backtest``: its options."""

import json
from pathlib import Path

import click

from placement.backtest.compare import compare
from placement.decision import read_file
from placement.facts.formats.focus import charges
from placement.faults import ExitCode
from placement.federation import load


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--billed",
    type=click.Path(path_type=Path),
    required=True,
    help="The bill: a FOCUS file (CSV).",
)
@click.option(
    "--decision",
    type=click.Path(path_type=Path),
    help="The decision (JSON) that ran; shows what each cluster's workloads were charged.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def backtest(file: Path, billed: Path, decision: Path | None, *, as_json: bool) -> int:
    """Hold what the prices of the federation FILE predict against a bill."""
    from placement.backtest import report  # noqa: PLC0415 - tables load slowly, and few commands print any

    ran = None if decision is None else read_file(decision)
    result = compare(load(file), charges(billed), str(billed), ran)
    if as_json:
        click.echo(json.dumps(report.document(result), indent=2, sort_keys=True))
    else:
        click.echo(report.text(result), nl=False)
    return ExitCode.DONE
