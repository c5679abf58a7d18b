"""``python -m bench review``: what a review takes beside a bare preview of the same program.

Owns the measurement. Both run on the example, with the carrier up and the federation not yet; the
Karmada API need not answer, since a preview asks it nothing. Runs alternate, so that whatever else
the machine does falls on both.
"""

import json
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import click
import psutil

from bench.commands import Used, used
from lab.engine import CHECKOUT, Workspace
from lab.engine.language_host import install
from lab.tools import catalogue
from placement.faults import ExitCode
from review.record import NOWHERE

_STACK = "federation"
_COMMANDS = {
    "pulumi preview": ("pulumi", "preview", "--stack", _STACK),
    "pulumi preview --policy-pack": (
        *("pulumi", "preview", "--stack", _STACK),
        *("--policy-pack", str(CHECKOUT / "policies" / "pack")),
    ),
    "python -m review": (sys.executable, "-m", "review", "--stack", _STACK),
}
_BARE, *_ = _COMMANDS
_EXPECTED = (ExitCode.DONE, ExitCode.CHANGES)


@click.command()
@click.option("--runs", type=click.IntRange(1), default=7, show_default=True)
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures as JSON.")
def review(runs: int, file: Path | None) -> int:
    """Time a review of the example against a bare preview."""
    install()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        carrier = workspace.stack("tokyo")
        workspace.set_secret("tokyo", "federation:kubeconfig", NOWHERE)
        carrier.up()
        workspace.stack(_STACK)
        environment = workspace.shell
        figures: dict[str, list[Used]] = {name: [] for name in _COMMANDS}
        for command in _COMMANDS.values():
            used(command, workspace.project, environment, _EXPECTED)  # the first one fills caches
        for number in range(runs):
            click.echo(f"run {number + 1} of {runs}", err=True)
            for name, command in _COMMANDS.items():
                figures[name].append(used(command, workspace.project, environment, _EXPECTED))
    medians = {
        name: (statistics.median(u.wall for u in each), statistics.median(u.cpu for u in each))
        for name, each in figures.items()
    }
    click.echo(f"{'':32}{'wall s':>8}{'CPU s':>8}{'wall':>7}{'CPU':>7}   of a bare preview")
    for name, (wall, cpu) in medians.items():
        ratio = [mine / bare for mine, bare in zip((wall, cpu), medians[_BARE], strict=True)]
        click.echo(f"{name:32}{wall:8.2f}{cpu:8.2f}{ratio[0]:7.2f}{ratio[1]:7.2f}")
    if file is not None:
        rows = {
            name: {"wall": round(wall, 2), "cpu": round(cpu, 2)}
            for name, (wall, cpu) in medians.items()
        }
        content = {
            "date": datetime.now(UTC).date().isoformat(),
            "pulumi": catalogue.tool("pulumi").version,
            "machine": {
                "cores": psutil.cpu_count(),
                "loadAverage": round(psutil.getloadavg()[2], 1),
            },
            "runs": runs,
            "medianSeconds": rows,
        }
        file.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", "utf-8")
    return ExitCode.DONE
