"""``python -m stacks``: up, down, status, orphans.

Owns the options and what is printed around the CLI's own output.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from components.settings.hetzner.server_types import price_list
from placement import console
from placement.faults import ExitCode, FederationError
from stacks import cli, hetzner
from stacks.graph import Stack, chosen, load
from stacks.orphans import Orphan, held, total
from stacks.orphans import orphans as found_in

_names = click.argument("names", metavar="[STACK]...", nargs=-1)
_project = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of the project.  [default: the present one]",
)
_environment = click.option(
    "--environment", help="Whose stacks, where none is named and there are several environments."
)
_WIDTH = 120
"""Of a table whose names are to be copied from a log as well as from a terminal."""

_yes = click.option("--yes", is_flag=True, help="Do not ask before each stack.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run several stacks, each after those that it reads.

    Exit codes: 0 no change, 1 failure, 2 changes, 4 bad input.
    """


@main.command()
@_names
@_project
@_environment
@_yes
def up(names: tuple[str, ...], project: Path, environment: str | None, *, yes: bool) -> ExitCode:
    """Bring stacks up: the carrier first, the federation last; a failure stops what follows."""
    return _each(project, "up", chosen(load(project), names, environment), yes=yes)


@main.command()
@_names
@_project
@_environment
@_yes
def down(names: tuple[str, ...], project: Path, environment: str | None, *, yes: bool) -> ExitCode:
    """Destroy stacks in the opposite order. What is protected stops it, as with the CLI."""
    order = chosen(load(project), names, environment)
    return _each(project, "destroy", order[::-1], yes=yes)


@main.command()
@_project
@_environment
@click.option("--json", "as_json", is_flag=True, help="Print the stacks as JSON.")
def status(project: Path, environment: str | None, *, as_json: bool) -> ExitCode:
    """Show each stack in order: what it is, what it reads, what the backend knows of it."""
    known = cli.listed(project)
    stacks = load(project)
    rows = [
        {
            "name": stack.name,
            "plane": stack.plane,
            "environment": stack.environment,
            "reads": sorted(stack.reads),
            "resources": known.get(stack.name, {}).get("resourceCount", 0),
            "lastUpdate": known.get(stack.name, {}).get("lastUpdate"),
            "updating": known.get(stack.name, {}).get("updateInProgress", False),
        }
        for name in sorted({s.environment for s in stacks.values()})
        if environment in (None, name)
        for stack in chosen(stacks, (), name)
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return ExitCode.DONE
    table = Table("stack", "plane", "environment", "reads", "resources", "last update", box=None)
    for row in rows:
        when = "running now" if row["updating"] else row["lastUpdate"] or "never"
        reads = ", ".join(row["reads"]) or "-"
        table.add_row(
            row["name"], row["plane"], row["environment"], reads, str(row["resources"]), when
        )
    Console().print(table)
    return ExitCode.DONE


@main.command()
@_project
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day by which ages are counted.  [default: today, UTC]",
)
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def orphans(project: Path, now: datetime | None, *, as_json: bool) -> ExitCode:
    """List what is the federation's at Hetzner Cloud and in no stack's state. Nothing is changed.

    Compared are servers, load balancers, volumes, networks, primary IPs and placement groups with
    every stack that the backend lists. HCLOUD_TOKEN says whose project (reading is enough),
    HCLOUD_ENDPOINT another API, as for the provider.

    Exit codes: 0 none, 1 failure, 2 some, 4 bad input.
    """
    # The cloud first: what a run makes in between is in its state by then.
    endpoint = os.environ.get("HCLOUD_ENDPOINT", hetzner.ENDPOINT)
    click.echo(f"reading {endpoint}", err=True)
    items = hetzner.read(os.environ.get("HCLOUD_TOKEN", ""), endpoint)
    states = {}
    for name in sorted(cli.listed(project)):
        click.echo(f"reading the state of {name}", err=True)
        states[name] = cli.resources(project, name)
    if not states:
        click.echo("the backend lists no stack of this project: is it the right one?", err=True)
    prices = price_list()
    found = found_in(items, held(states), prices)
    whole = total(found, prices)
    if as_json:
        click.echo(
            json.dumps({"orphans": [one.plain() for one in found], "total": whole}, indent=2)
        )
    elif found:
        wide = Console(width=_WIDTH, markup=False, emoji=False, highlight=False)
        wide.print(_shown(found, now.replace(tzinfo=UTC) if now else datetime.now(UTC)))
        lacking = ", ".join(whole["unknown"])
        click.echo(
            f"{whole['amount']} EUR a month net, price list of {prices.date}"
            + (f", and what it does not say: {lacking}" if lacking else "")
        )
    else:
        click.echo(f"none: {len(items)} things read, {len(states)} states")
    return ExitCode.CHANGES if found else ExitCode.DONE


def _shown(found: tuple[Orphan, ...], now: datetime) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("name", "what", "where"):
        table.add_column(title, overflow="fold")
    table.add_column("age", justify="right", no_wrap=True)
    table.add_column("EUR a month", justify="right", no_wrap=True)
    table.add_column("known by", overflow="fold")
    for each in found:
        item = each.item
        table.add_row(
            item.name,
            f"{item.kind} {item.type}",
            item.location or item.zone or "-",
            "unknown" if item.created is None else f"{(now - item.created).days} d",
            "unknown" if each.month is None else f"{each.month:.2f}",
            each.known_by if each.certain else f"perhaps: {each.known_by}",
        )
    return table


def _each(project: Path, action: cli.Action, order: list[Stack], *, yes: bool) -> ExitCode:
    names = [stack.name for stack in order]
    click.echo(f"{action}: {', then '.join(names)}", err=True)
    changed = False
    for number, name in enumerate(names, start=1):
        click.echo(f"[{number}/{len(names)}] {action} {name}", err=True)
        try:
            changed |= cli.run(project, action, name, yes=yes)
        except FederationError as error:
            left = f"; not run: {', '.join(names[number:])}" if names[number:] else ""
            raise FederationError(f"{error}{left}") from None
    return ExitCode.CHANGES if changed else ExitCode.DONE


if __name__ == "__main__":
    console.run(main, "stacks")
