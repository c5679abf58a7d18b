"""``python -m lab.charts``: the real charts with our values on a real API server, and kept.

Owns the lab that they are judged in and the form of ``docs/measured/charts.json``. How they are
rendered and judged is in ``measure``. Leaves nothing running.
"""

import tempfile
from pathlib import Path

import click

from components.catalogue import catalogue, entry
from components.settings import Mirror
from lab.engine import Workspace
from lab.lifecycle import Lab
from lab.measure import record
from lab.measure.chart_values import rows
from lab.measure.charts import define, judge, render
from placement import console
from placement.faults import ExitCode

OUTPUT = record.FOLDER / "charts.json"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/charts.json]",
)
def main(folder: Path, output: Path) -> ExitCode:
    """Render the catalogue's charts from FOLDER, a mirror, and let an API server judge them.

    Every object is a dry run against the definitions of all of them. Exit code 3 where one is
    refused, or runs an image that the catalogue does not list.
    """
    manifests = (each.name for each in catalogue().entries if each.install == "manifest")
    wanted = [*rows(), *((name, {}) for name in manifests)]
    mirror = Mirror(charts=str(folder.resolve()))
    with (
        tempfile.TemporaryDirectory(prefix="federation-charts-") as scratch,
        Lab(Path(scratch) / "labs", "charts") as lab,
    ):
        lab.up(Path("examples/three.yaml"), members="none", report=click.echo)
        server = lab.kubeconfig().read_text("utf-8")
        workspace = Workspace(Path(scratch) / "workspace")
        # Twice: some charts render more where other charts' kinds are served.
        define(render(wanted, mirror, workspace, server), lab.api())
        click.echo("definitions applied")
        found = judge(render(wanted, mirror, workspace, server), lab.api())
    record.write(
        output,
        "charts",
        {
            **record.run(entry("karmada-operator").version.removeprefix("v")),
            "rendered": [each.plain() for each in found],
        },
    )
    for each in found:
        size = len(each.rendered.objects)
        click.echo(f"{each.rendered.entry.name}: {size} objects, {len(each.refused)} refused")
    click.echo(f"written: {output}")
    wrong = any(each.refused or each.unlisted for each in found)
    return ExitCode.INFEASIBLE if wrong else ExitCode.DONE


if __name__ == "__main__":
    console.run(main, "lab.charts")
