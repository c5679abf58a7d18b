"""``python -m bench reassignment``: Google's instances, beside the best that is known."""

import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass

import click
from rich.table import Table

from bench.baselines.command import EFFORT
from bench.console import text
from bench.reassignment.instance import read
from bench.reassignment.judge import cost, violations
from bench.reassignment.published import PUBLISHED
from bench.reassignment.search import search
from bench.record import run
from bench.reference import reference
from placement.faults import ExitCode

_SEED = 1

_TOGETHER = 2
"""Instances at a time, each in a process of its own."""


@dataclass(frozen=True)
class Row:
    """An instance, what is published of it, and the answer.

    Attributes:
        name: of the instance.
        machines, processes: how many.
        start, best: published costs.
        cost: of the answer, as the judge counts it.
        bound: what no assignment costs less than.
        above: by how much of *start* the answer is above *best*.
        target: the most that *above* should be.
        broken: rules that the answer breaks, in words.
        cpu: seconds of processor time.
        wall: seconds.
    """

    name: str
    machines: int
    processes: int
    start: int
    best: int
    cost: int
    bound: int
    above: float
    target: float
    broken: list[str]
    cpu: float
    wall: float

    @property
    def reached(self) -> bool:
        """Whether the answer breaks no rule and is near enough to the best known."""
        return not self.broken and self.above <= self.target


@click.command()
@click.option(
    "--instance",
    "names",
    type=click.Choice(list(PUBLISHED)),
    multiple=True,
    help="One of the instances; all of them by default.",
)
@EFFORT
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
def reassignment(names: tuple[str, ...], effort: int, *, as_json: bool) -> int:
    """Solve Google's instances (REFERENCE_DIR); exit code 3 where a target is missed."""
    rows = []
    with ProcessPoolExecutor(_TOGETHER) as pool:
        for row in pool.map(solved, chosen := names or tuple(PUBLISHED), [effort] * len(chosen)):
            rows.append(row)
            click.echo(f"{row.name}: {row.cost:,}, {row.cpu} CPU s", err=True)
    if as_json:
        document = {
            "run": run(effort) | {"seed": _SEED},
            "instances": [asdict(r) | {"reached": r.reached} for r in rows],
        }
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    else:
        click.echo(_table(rows), nl=False)
    return ExitCode.DONE if all(row.reached for row in rows) else ExitCode.INFEASIBLE


def solved(name: str, effort: int) -> Row:
    """The instance *name*, read, searched and judged.

    Raises:
        BadInputError: REFERENCE_DIR has no such instance.
    """
    instance = read(reference("data", "roadef2012"), name)
    published = PUBLISHED[name]
    began, cpu = time.monotonic(), time.process_time()
    found = search(instance, effort, _SEED)
    used, wall = time.process_time() - cpu, time.monotonic() - began
    total = cost(instance, found.place).total
    return Row(
        name=name,
        machines=len(instance.location),
        processes=len(instance.start),
        start=published.start,
        best=published.best,
        cost=total,
        bound=found.bound,
        above=round((total - published.best) / published.start, 6),
        target=published.target,
        broken=violations(instance, found.place),
        cpu=round(used, 1),
        wall=round(wall, 1),
    )


def _table(rows: Sequence[Row]) -> str:
    shown = Table(box=None, pad_edge=False)
    shown.add_column("instance")
    for name in ("size", "start", "bound", "best known", "ours", "above", "target", "CPU s", "s"):
        shown.add_column(name, justify="right")
    for r in rows:
        shown.add_row(
            r.name,
            f"{r.machines} x {r.processes}",
            f"{r.start:,}",
            f"{r.bound:,}",
            f"{r.best:,}",
            f"{r.cost:,}" if not r.broken else f"{len(r.broken)} rules broken",
            f"{r.above:.2%}",
            f"{r.target:.0%}",
            f"{r.cpu:.1f}",
            f"{r.wall:.1f}",
        )
    return text(shown, width=120)
