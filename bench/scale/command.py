"""``python -m bench scale``: instances of every size, each in a fresh process, as a table."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from bench.baselines.command import EFFORT
from bench.record import run
from bench.scale.generate import Size, generate, text

SIZES = {
    "20x100": Size(20, 100),
    "100x300": Size(100, 300),
    "100x1000": Size(100, 1000, candidates=20),
    "300x3000": Size(300, 3000, candidates=20),
    "million": Size(200, 2000, candidates=12, mean=640, copies=5),
    "1000x10000": Size(1000, 10_000, candidates=20, mean=53, load=0.5, stocked=True),
}
"""The instances by name: clusters x workloads."""

_RESULTS = Path("docs/measured/scale.json")
_SHOWN = {
    "instance": "",
    "effort": "",
    "replicas": "",
    "buildSeconds": "build s",
    "searchSeconds": "search s",
    "othersSeconds": "others s",
    "cpuSeconds": "all s",
    "elapsedSeconds": "elapsed s",
    "peakMiB": "MiB",
    "othersMiB": "others MiB",
    "objective": "",
    "bound": "",
    "gapPercent": "gap %",
    "moved": "moved",
}
"""The columns of the table, with their titles where these differ."""

_CHANGED = 50
"""One workload in so many is changed for a solve from where replicas run now."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(SIZES)))
@click.option("--seed", default=1, show_default=True, help="Of the instance.")
@EFFORT
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="That share the work; the answer does not depend on them.",
)
@click.option("--again", is_flag=True, help="Solve again after 2 % of the workloads changed.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=_RESULTS,
    show_default=True,
    help="Where the figures go; those of other instances in it stay.",
)
def scale(
    names: tuple[str, ...], seed: int, effort: int, processes: int, out: Path, *, again: bool
) -> None:
    """What the engine takes for instances NAMES, and how far it is from the bound.

    CPU seconds, those of the processes beside the first as "others s"; all of it, with the file,
    its reading and filters, is in "all s". Elapsed seconds say something on a quiet machine alone.
    """
    found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {"instances": []}
    for name in names or tuple(SIZES)[:3]:
        with tempfile.TemporaryDirectory() as folder:
            for row in _measured(Path(folder), name, seed, (effort, processes), again=again):
                key = ("instance", "seed", "effort", "processes")
                kept = [r for r in found["instances"] if any(r[k] != row[k] for k in key)]
                found = {"instances": [*kept, {**row, **run(effort)}]}
                out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    Console(width=170).print(_table(found["instances"]))


def _measured(
    folder: Path, name: str, seed: int, how: tuple[int, int], *, again: bool
) -> list[dict[str, Any]]:
    """The row of an instance, and on request that of the changed one."""
    document, present = generate(SIZES[name], seed)
    file, before = folder / "federation.yaml", folder / "present.json"
    file.write_text(text(document), encoding="utf-8")
    before.write_text(json.dumps(present), encoding="utf-8")
    cold = _run(folder, file, before, how)
    counts = cold.pop("counts", None)
    rows = [{"instance": name, "seed": seed, **cold}]
    if again and counts is not None:
        for workload in document["workloads"][::_CHANGED]:
            workload["replicas"] += max(1, workload["replicas"] // 10)
        file.write_text(text(document), encoding="utf-8")
        before.write_text(json.dumps(counts), encoding="utf-8")
        warm = _run(folder, file, before, how)
        warm.pop("counts", None)
        rows.append({"instance": f"{name}, 2 % changed", "seed": seed, **warm})
    return rows


def _run(folder: Path, file: Path, present: Path, how: tuple[int, int]) -> dict[str, Any]:
    """The figures of one fresh process: by effort and number of processes."""
    out = folder / "figures.json"
    arguments = [str(file), str(present), *map(str, how), str(out)]
    subprocess.run([sys.executable, "-m", "bench.scale.measure", *arguments], check=True)
    figures: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    # The program is built once more inside the search.
    steps = ("read", "filter", "search", "others", "losses")
    figures["cpuSeconds"] = round(sum(figures.get(f"{s}Seconds", 0.0) for s in steps), 2)
    return figures


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="CPU seconds")
    for column, title in _SHOWN.items():
        table.add_column(title or column, justify="left" if column == "instance" else "right")
    for row in rows:
        table.add_row(*(_cell(row.get(column)) for column in _SHOWN))
    return table


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, (int, float)) else str(value)
