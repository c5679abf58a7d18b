"""``python -m lab.demo``: the main job, done once on real parts, and shown.

Owns the order of the demonstration: a lab for the example, the planes ``tokyo`` and ``federation``
through the real engine, a second preview that must be empty, the decision, and the policies that
then stand in the API server. Leaves nothing running.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from pulumi import automation as auto
from rich.console import Console
from rich.table import Table

from lab import Lab
from lab.engine import CHECKOUT, Workspace
from lab.karmada import installation
from lab.measure.running import rows
from placement import console as terminal
from placement.decision import Decision, read
from placement.division import Division, parse_placement, predict
from placement.emit import REPLICAS_ANNOTATION, WORKLOAD_LABEL
from placement.faults import ExitCode, FederationError
from placement.federation import Federation, load
from placement.report import WIDTH, show
from placement.state import cluster_state

WITHOUT_KARMADA = Path("examples/global.yaml")
WITH_KARMADA = Path("examples/three.yaml")
"""Small enough for nodes in every member."""

_POLICY = ("policy.karmada.io/v1alpha1", "PropagationPolicy")


@click.command()
def demo() -> int:
    """Bring up a lab, run both planes, show the decision and the policies, leave nothing.

    Where KARMADA_DIR names the real Karmada, three members with nodes run too, and what was
    predicted is shown beside what runs in them.
    """
    console = Console(width=WIDTH, highlight=False, no_color=not sys.stdout.isatty())
    real = installation.find()
    file = WITH_KARMADA if real else WITHOUT_KARMADA
    with tempfile.TemporaryDirectory(prefix="federation-demo-") as folder:
        lab = Lab(Path(folder) / "lab", "demo")
        parts = f"Karmada {real.version} and three members" if real else "Karmada API, controllers"
        with lab:
            with _timed(console, f"lab: etcd, {parts}"):
                lab.up(CHECKOUT / file, members="all" if real else "none")
            decision = _planes(console, Workspace(Path(folder) / "pulumi"), lab, file)
            federation = load(CHECKOUT / file)
            console.rule("the decision")
            show(federation, decision, console)
            console.rule("the policies in the API server, and what Karmada's rules make of them")
            wrong = _policies(console, federation, lab)
            if real:
                console.rule("what runs in the members")
                wrong += _members(console, lab, federation, decision)
    if wrong:
        raise FederationError("not as decided: " + ", ".join(sorted(set(wrong))))
    return ExitCode.DONE


def _members(console: Console, lab: Lab, federation: Federation, decision: Decision) -> list[str]:
    """Show what runs beside what was predicted; the workloads that differ."""
    with _timed(console, "templates applied, divided by Karmada, pods running"):
        found = rows(lab, federation, decision)
    table = Table(box=None, pad_edge=False)
    table.add_column("workload")
    table.add_column("member")
    for title in ("predicted", "divided", "running"):
        table.add_column(title, justify="right")
    for row in found:
        figures = (str(n) for n in (row.predicted, row.divided, row.running))
        table.add_row(row.workload, row.cluster, *figures)
    console.print(table)
    return [row.workload for row in found if not row.equal]


def _planes(console: Console, workspace: Workspace, lab: Lab, file: Path) -> Decision:
    """Both planes: preview, up, and a second preview, which must be empty; the decision."""
    stacks = {name: workspace.stack(name) for name in ("tokyo", "federation")}
    workspace.set_secret("tokyo", "federation:kubeconfig", lab.kubeconfig().read_text())
    stacks["federation"].set_config("federation:file", auto.ConfigValue(str(file)))
    for name, stack in stacks.items():
        with _timed(console, f"pulumi preview -s {name}") as details:
            details.append(_shown(stack.preview().change_summary))
        with _timed(console, f"pulumi up -s {name}") as details:
            result = stack.up()
            details.append(_shown(result.summary.resource_changes or {}))
        with _timed(console, f"pulumi preview -s {name}, again") as details:
            # The engine's own verdict: an error if there is anything to change.
            details.append(_shown(stack.preview(expect_no_changes=True).change_summary))
    return read(stacks["federation"].outputs()["decision"].value)


def _policies(console: Console, federation: Federation, lab: Lab) -> list[str]:
    """Show each policy in the API server with the division that it gives; those that are wrong."""
    states = [cluster_state(cluster) for cluster in federation.clusters]
    replicas = {w.id: w.size for w in federation.workloads}
    table = Table(box=None, pad_edge=False)
    for title in ("namespace", "policy", "divides", "as decided"):
        table.add_column(title, overflow="fold")
    wrong: list[str] = []
    for item in lab.api().list(*_POLICY):
        metadata, spec = item["metadata"], item["spec"]
        workload = f"{metadata['namespace']}/{metadata['labels'][WORKLOAD_LABEL]}"
        placement = parse_placement(spec["placement"], number=0, file=f"policy {metadata['name']}")
        kinds = tuple(selector["kind"] for selector in spec["resourceSelectors"])
        division = predict(
            [replace(state, apis=kinds) for state in states],
            placement,
            replicas[workload],
            kind=kinds[0],
        )
        decided = json.loads(metadata["annotations"][REPLICAS_ANNOTATION])
        divided = dict(division.replicas) if isinstance(division, Division) else division.message
        if divided != decided:
            wrong.append(workload)
        shown = (
            ", ".join(f"{n} {c}" for c, n in divided.items())
            if isinstance(divided, dict)
            else divided
        )
        table.add_row(
            metadata["namespace"], metadata["name"], shown, "yes" if divided == decided else "NO"
        )
    console.print(table)
    return wrong


def _operation(operation: object) -> str:
    """The name of an operation of the engine, which comes as an enum or as text."""
    return str(getattr(operation, "value", operation))


def _shown(changes: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {_operation(name)}" for name, count in sorted(changes.items()))


@contextmanager
def _timed(console: Console, title: str) -> Iterator[list[str]]:
    """Print *title* with the time that the block took, and what it adds to the list."""
    details: list[str] = []
    begun = time.monotonic()
    with console.status(title):
        yield details
    console.print(f"{time.monotonic() - begun:6.1f} s  {title}  {' '.join(details)}")


if __name__ == "__main__":
    terminal.run(demo, "lab.demo")
