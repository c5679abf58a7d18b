"""``python -m bench baselines``: the engine and every baseline on the same federation files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from bench.baselines.eligible import eligible
from bench.baselines.methods import BASELINES, engine
from bench.console import text
from bench.judge.judge import Verdict, judge
from bench.record import run
from placement.decision import Decision
from placement.faults import ExitCode, InfeasibleError
from placement.federation import Federation, load
from placement.plan import plan

_COLUMNS = (
    "runs",
    "cost/month",
    "each",
    "kgCO2e",
    "ms",
    "unplaced",
    "no node",
    "spread",
    "rules",
    "losses",
)
"""``each`` is the cost of a replica that runs; the last five are counts of what is broken."""

EFFORT = click.option("--effort", type=click.IntRange(1, 5), default=3, show_default=True)


def compared(federation: Federation, effort: int) -> tuple[Decision, list[Verdict]]:
    """The engine's decision, and the verdicts on it and on each baseline.

    Raises:
        InfeasibleError: the engine finds no placement.
    """
    decision = plan(federation, effort=effort)
    if decision.status == "infeasible":
        raise InfeasibleError("\n".join(decision.conflicts))
    return decision, verdicts(federation, decision)


def verdicts(federation: Federation, decision: Decision) -> list[Verdict]:
    """The verdicts on *decision* and on each baseline."""
    can = eligible(federation)
    found = []
    for method in (engine(lambda _: decision.counts), *BASELINES):
        click.echo(f"{method.name} ...", err=True)
        found.append(judge(federation, can, method))
    return found


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@EFFORT
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def baselines(files: tuple[Path, ...], effort: int, *, as_json: bool) -> int:
    """Compare the engine with what users have, on federation FILES."""
    found = {str(file): compared(load(file), effort) for file in files}
    if as_json:
        plain = {file: document(*pair) for file, pair in found.items()}
        click.echo(json.dumps({"run": run(effort), "files": plain}, indent=2, sort_keys=True))
    else:
        for file, (_, judged) in found.items():
            click.echo(f"{file}\n{table(judged)}")
    return ExitCode.DONE


def document(decision: Decision, judged: Sequence[Verdict]) -> dict[str, Any]:
    """The JSON form: how good the engine's answer is proven to be, and the verdicts."""
    first = decision.objective[0]
    return {
        "status": decision.status,
        "objective": {"term": first.term, "value": first.value, "bound": first.bound},
        "verdicts": [v.document() for v in judged],
    }


def table(judged: Sequence[Verdict]) -> str:
    """The verdicts, one a line."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("method")
    for name in _COLUMNS:
        shown.add_column(name, justify="right")
    for v in judged:
        shown.add_row(
            v.method,
            f"{v.placed:.1%}",
            f"{v.cost:,.0f}",
            f"{v.each:,.2f}",
            f"{v.carbon:,.0f}",
            "-" if v.latency is None else f"{v.latency:.1f}",
            str(v.unplaced),
            str(v.crowded),
            str(v.spread),
            str(v.rules),
            f"{v.losses}/{v.promises}",
        )
    return text(shown)
