"""``python -m lab.tools``: build the tools that are missing.

Owns what the command prints: progress on standard error, the tools on standard output.
"""

import json
import time
from dataclasses import asdict

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lab.alone import alone
from lab.tools.build import build, check_go
from lab.tools.catalogue import TOOLS, Tool
from lab.tools.find import ROOT, Found, find
from placement import console


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the tools as JSON.")
@click.option("--all", "whole", is_flag=True, help="Also what members with running pods need.")
def main(as_json: bool, whole: bool) -> None:
    """Build the tools that the lab and the engine tests need, from pinned Go modules.

    A tool that is on the PATH in a version that will do, or that was built from the present pin,
    is left alone. The first build of all tools takes some minutes and needs Go; modules come from
    the Go module proxy and from nowhere else.
    """
    progress = Console(stderr=True)
    with alone(ROOT, lambda: progress.print("another build is running; waiting for it")):
        wanted = [tool for tool in TOOLS if whole or tool.group == "core"]
        found = {tool.name: find(tool) for tool in wanted}
        missing = [tool for tool in wanted if found[tool.name] is None]
        if missing:
            check_go(missing)
            time_needed = _duration(sum(tool.seconds for tool in missing))
            progress.print(
                f"to build: {len(missing)} of {len(wanted)} tools, {time_needed} on two cores"
            )
        for tool in missing:
            found[tool.name] = _build(tool, progress)
    there = [tool for tool in found.values() if tool is not None]
    if as_json:
        rows = [{**asdict(tool), "path": str(tool.path)} for tool in there]
        click.echo(json.dumps(rows, indent=2))
    else:
        for row in there:
            click.echo(f"{row.tool:<28}{row.version:<10}{row.source:<7}{row.path}")


def _build(tool: Tool, progress: Console) -> Found:
    """Build *tool*, telling before how long it takes and after how long it took."""
    what = f"{tool.name} {tool.version}"
    progress.print(f"building {what}: {_duration(tool.seconds)} on two cores", highlight=False)
    start = time.monotonic()
    columns = (TextColumn("  {task.description}"), BarColumn(), TimeElapsedColumn())
    # Without a terminal there is no bar: the lines before and after say it all.
    with Progress(
        *columns, console=progress, transient=True, disable=not progress.is_terminal
    ) as bar:
        # The bar waits before its end when a build takes longer than the estimate.
        task = bar.add_task(what, total=tool.seconds)
        found = build(
            tool,
            ROOT,
            lambda: bar.update(task, completed=min(time.monotonic() - start, tool.seconds * 0.98)),
        )
    took = time.monotonic() - start
    progress.print(f"built {what} in {took:.0f} s", highlight=False)
    return found


def _duration(seconds: int) -> str:
    return f"about {seconds} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


if __name__ == "__main__":
    console.run(main, "lab.tools")
