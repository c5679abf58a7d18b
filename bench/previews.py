"""``python -m bench previews``: preview, up, refresh and destroy by number of workloads.

Owns the measurement: generated federations, each with a lab and a backend of its own, each step a
fresh ``pulumi`` as a user runs it. The templates are the users' own and not there, so that every
workload is one policy. The lab serves Karmada's kinds without its controllers: what Karmada does
with a policy is not in the figures.
"""

import json
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import psutil
from pulumi import automation as auto
from rich.console import Console
from rich.table import Table

from bench.commands import used
from bench.scale.generate import Size, generate, text
from lab import Lab
from lab.engine import CHECKOUT, Workspace
from lab.engine.language_host import install
from lab.karmada import installation
from lab.tools import catalogue
from placement.faults import ExitCode

_STACK = "federation"
_EFFORT = 1
_CLUSTERS = 20
_SEED = 1
_FILE = "generated.yaml"
_RESULTS = CHECKOUT / "docs" / "measured" / "previews.json"
_STEPS = {
    "placement plan": (
        *(sys.executable, "-m", "placement"),
        *("plan", _FILE, "--effort", str(_EFFORT), "--json"),
    ),
    "preview": ("pulumi", "preview", "--stack", _STACK),
    # The engine serialises the whole state after every step, on a preview for nobody.
    "preview, no checkpoints": (
        *("env", "PULUMI_SKIP_CHECKPOINTS=true"),
        *("pulumi", "preview", "--stack", _STACK),
    ),
    "up": ("pulumi", "up", "--stack", _STACK, "--yes", "--skip-preview"),
    # These two fail where anything is not as it was.
    "preview again": ("pulumi", "preview", "--stack", _STACK, "--expect-no-changes"),
    "preview --refresh": (
        *("pulumi", "preview", "--stack", _STACK),
        *("--refresh", "--expect-no-changes"),
    ),
    "destroy": ("pulumi", "destroy", "--stack", _STACK, "--yes", "--skip-preview"),
}
"""The steps in order; the first is the engine alone, which the first preview and up run too."""


@click.command()
@click.argument("sizes", type=click.IntRange(1), nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=_RESULTS,
    show_default=True,
    help="Where the figures go; those of other sizes in it stay.",
)
def previews(sizes: tuple[int, ...], out: Path) -> int:
    """Time every step of federations of SIZES workloads (100 and 1,000 by default)."""
    os.environ.pop(installation.VARIABLE, None)
    install()
    found: dict[int, dict[str, Any]] = {}
    if out.exists():
        found = {row["workloads"]: row for row in json.loads(out.read_text("utf-8"))}
    for size in sizes or (100, 1000):
        found[size] = {**_run(), **_measured(size)}
        rows = [found[known] for known in sorted(found)]
        out.write_text(json.dumps(rows, indent=2, sort_keys=True) + "\n", "utf-8")
    Console(width=100).print(_table(rows))
    return ExitCode.DONE


def _run() -> dict[str, Any]:
    """What each row says of its run."""
    load = round(psutil.getloadavg()[2], 1)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "pulumi": catalogue.tool("pulumi").version,
        "machine": {"cores": psutil.cpu_count(), "loadAverage": load},
    }


def _measured(size: int) -> dict[str, Any]:
    """What each step takes for *size* workloads, and what the stack then holds."""
    document, _ = generate(Size(_CLUSTERS, size), _SEED)
    with tempfile.TemporaryDirectory(prefix="federation-previews-") as name:
        folder = Path(name)
        workspace = Workspace(folder / "pulumi")
        path = workspace.project / _FILE
        path.write_text(text(document), "utf-8")
        with Lab(folder / "lab", "previews") as lab:
            lab.up(path)
            api = lab.api()
            for namespace in sorted({w["namespace"] for w in document["workloads"]}):
                metadata = {"name": namespace}
                api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
            stack = _stacks(workspace, lab)
            steps: dict[str, dict[str, float]] = {}
            held: dict[str, float] = {}
            for title, command in _STEPS.items():
                taken = used(command, workspace.project, workspace.shell)
                click.echo(
                    f"{size} workloads: {title}: {taken.wall:.1f} s, CPU {taken.cpu:.1f} s",
                    err=True,
                )
                steps[title] = {
                    "wallSeconds": round(taken.wall, 1),
                    "cpuSeconds": round(taken.cpu, 1),
                    "peakMiB": round(taken.peak),
                }
                if title == "up":
                    held = _held(stack)
    plain = {"workloads": size, "clusters": _CLUSTERS, "effort": _EFFORT}
    return {**plain, **held, "steps": steps}


def _stacks(workspace: Workspace, lab: Lab) -> auto.Stack:
    """The federation stack on a carrier that is up."""
    carrier = workspace.stack("tokyo")
    workspace.set_secret("tokyo", "federation:kubeconfig", lab.kubeconfig().read_text("utf-8"))
    carrier.up()
    stack = workspace.stack(_STACK)
    stack.set_config("federation:file", auto.ConfigValue(_FILE))
    effort = auto.ConfigValue(str(_EFFORT))
    stack.set_config("federation:federation.effort", effort, path=True)
    return stack


def _held(stack: auto.Stack) -> dict[str, float]:
    """How many resources the state of *stack* holds, and how large it is."""
    deployment = stack.export_stack().deployment or {}
    size = len(json.dumps(deployment))
    return {"resources": len(deployment["resources"]), "stateMiB": round(size / (1 << 20), 1)}


def _table(rows: list[dict[str, Any]]) -> Table:
    """Seconds and memory by step and size, and the growth from the first size to the last."""
    table = Table(title="wall seconds, CPU seconds, MiB of the largest process")
    table.add_column("")
    for row in rows:
        table.add_column(f"{row['workloads']:,} workloads", justify="right")
    table.add_column("growth: wall", justify="right")
    table.add_column("CPU", justify="right")
    for title in _STEPS:
        taken = [row["steps"][title] for row in rows]
        table.add_row(
            title,
            *(f"{t['wallSeconds']:.1f}  {t['cpuSeconds']:.1f}  {t['peakMiB']}" for t in taken),
            *(f"{taken[-1][k] / taken[0][k]:.1f}" for k in ("wallSeconds", "cpuSeconds")),
        )
    return table
