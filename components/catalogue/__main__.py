"""``python -m components.catalogue``: charts, images.

Owns the options and what is printed.
"""

import json

import click
from rich.console import Console
from rich.table import Table

from components.catalogue.entry import FILE, catalogue
from components.catalogue.images import mirrored
from components.catalogue.newer import GITHUB, Standing, pin, standings
from components.settings.mirror import Mirror
from placement import console
from placement.faults import BadInputError, ExitCode, Fault

_WIDTH = 120
"""Of a table whose names are to be copied from a log as well as from a terminal."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Look after the catalogue of third-party charts, manifests and images."""


@main.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--pin", "write", is_flag=True, help="Write the digests that the catalogue lacks.")
@click.option("--github", default=GITHUB, show_default=True, help="The API that lists tags.")
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def charts(names: tuple[str, ...], github: str, *, write: bool, as_json: bool) -> ExitCode:
    """Ask every repository for newer versions, and whether the pinned one is still the same.

    Exit codes: 0 none newer, 1 a repository cannot be read or has changed a version, 2 newer ones,
    4 bad input.
    """
    entries = {entry.name: entry for entry in catalogue().entries}
    if unknown := sorted(set(names) - set(entries)):
        message = f"read {', '.join(unknown)}; allowed {', '.join(entries)}"
        raise BadInputError(Fault("(command line)", 0, "NAME", message))
    chosen = [entry for name, entry in entries.items() if name in names or not names]
    found = list(standings(chosen, github, lambda it: click.echo(f"reading {it}", err=True)))
    if as_json:
        click.echo(json.dumps([each.plain() for each in found], indent=2))
    else:
        wide = Console(width=_WIDTH, markup=False, emoji=False, highlight=False)
        wide.print(_table(found))
        for each in found:
            if each.fault:
                click.echo(f"{each.entry.name}: {each.fault}", err=True)
    if write:
        written = pin(FILE, found)
        click.echo(f"digests written: {', '.join(written) or 'none'}", err=True)
    if any(each.fault for each in found):
        return ExitCode.FAILURE
    return ExitCode.CHANGES if any(each.newer for each in found) else ExitCode.DONE


@main.command()
@click.option("--mirror", help="A registry: print where it must have each image.")
@click.option("--json", "as_json", is_flag=True, help="Print the images by entry as JSON.")
def images(mirror: str | None, *, as_json: bool) -> ExitCode:
    """List the images of every entry, with tags, for a mirror to copy."""
    told = Mirror(charts=".", images=mirror) if mirror else None
    by_entry = {entry.name: entry.images for entry in catalogue().entries}
    own = catalogue().images
    listed = {
        **{name: [_line(image, told) for image in found] for name, found in by_entry.items()},
        "federation": [_line(image, told) for image in own.values()],
    }
    if as_json:
        click.echo(json.dumps(listed, indent=2))
    else:
        for line in sorted({line for lines in listed.values() for line in lines}):
            click.echo(line)
    return ExitCode.DONE


def _line(image: str, mirror: Mirror | None) -> str:
    """An image; with a mirror, as a line that a copying tool takes: from, and to."""
    return f"{image} {mirrored(image, mirror)}" if mirror else image


def _table(found: list[Standing]) -> Table:
    table = Table("name", "version", "newest", "digest", "", box=None)
    for each in found:
        digest = "pinned" if each.entry.digest or each.entry.files else "not pinned"
        note = "see below" if each.fault else "newer" if each.newer else ""
        table.add_row(each.entry.name, each.entry.version, each.newest or "-", digest, note)
    return table


if __name__ == "__main__":
    console.run(main, "components.catalogue")
