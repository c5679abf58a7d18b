"""``python -m bench truth``: the engine's optima beside the published ones."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from bench.record import run
from bench.truth import csplib, orlib
from bench.truth.location import Problem
from placement.faults import ExitCode
from placement.plan import plan


@click.command()
@click.option(
    "--orlib",
    "folder",
    type=click.Path(path_type=Path),
    help="A folder with the OR-Library's cap71, cap101 and cap131; else CSPLib alone.",
)
@click.option("--effort", type=click.IntRange(1, 5), default=4, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON at the end.")
def truth(folder: Path | None, effort: int, *, as_json: bool) -> int:
    """Solve problems with a published optimum; exit code 3 where the engine's is another."""
    rows = []
    for problem, optimum in _problems(folder):
        row = solved(problem, optimum, effort)
        rows.append(row)
        line = f"{row['name']}: {row['value']:,} ({row['status']}), published {optimum:,}"
        click.echo(f"{line}, {row['seconds']} s", err=as_json)
    if as_json:
        document = {"run": run(effort), "problems": rows}
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    return ExitCode.DONE if all(row["equal"] for row in rows) else ExitCode.INFEASIBLE


def solved(problem: Problem, optimum: float, effort: int) -> dict[str, Any]:
    """What the engine answers: value, bound, and whether the value is the published one."""
    began = time.process_time()
    decision = plan(problem.federation(), effort=effort)
    (objective,) = (o for o in decision.objective if o.term == "weighted")
    value, bound = objective.value or 0.0, objective.bound
    return {
        "name": problem.name,
        "warehouses": len(problem.capacity),
        "customers": len(problem.demand),
        "replicas": sum(problem.demand),
        "published": optimum,
        "value": value,
        "bound": bound,
        "status": decision.status,
        # Published optima have three decimals.
        "equal": abs(value - optimum) < 2e-3,
        "seconds": round(time.process_time() - began, 1),
    }


def _problems(folder: Path | None) -> Iterator[tuple[Problem, float]]:
    yield csplib.PROBLEM, csplib.OPTIMUM
    if folder is not None:
        yield from orlib.problems(folder)
