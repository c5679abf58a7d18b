"""``python -m stacks``: up, down, status.

Owns the options and what is printed around the CLI's own output.
"""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from placement import console
from placement.faults import ExitCode, FederationError
from stacks import cli
from stacks.graph import Stack, chosen, load

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
