"""``python -m lab``: bring a lab up, look at it, take it down.

Owns the options and what the commands print. What they do is in ``lifecycle``.
"""

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from lab.lifecycle import ROOT, Lab
from lab.processes.health import ProcessStatus
from placement import console
from placement.faults import ExitCode

_MEBIBYTE = 1 << 20
_WIDTH = 120
"""Whole names and ports, also where the output is no terminal."""

_name = click.option("--name", default="default", show_default=True, help="The lab's name.")
_root = click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    default=ROOT,
    help="The folder of all labs.  [default: .lab of this checkout]",
)


@click.group()
def main() -> None:
    """A real federation on this machine: ordinary processes on 127.0.0.1, no containers."""


@main.command()
@_name
@_root
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("examples/global.yaml"),
    show_default=True,
    help="The federation file, whose clusters become members.",
)
@click.option(
    "--members",
    help="Which clusters answer: all, none, or names with commas between them.  "
    "[default: those that the lab has; none in a new one]",
)
@click.option("--bare", is_flag=True, help="Members without scheduler and kubelets: no pod runs.")
@click.option(
    "--high-availability",
    is_flag=True,
    help="A new lab has three of each part of its control plane, behind load balancers.",
)
@click.option(
    "--estimators",
    is_flag=True,
    help="Karmada's scheduler estimators, one for each full member, and its descheduler run too. "
    "Off by default, as in Karmada's own chart: they change divisions by free room. Their "
    "programs must be in KARMADA_DIR; an estimator listens on every address, for the lab's own "
    "certificates alone.",
)
@click.option(
    "--unjoined",
    is_flag=True,
    help="The members of a new lab answer and do not join: a stack of yours lets them.",
)
@click.option(
    "--port-base",
    type=click.IntRange(1024, 65000),
    help="The first of fixed ports for a new lab.  [default: free ports]",
)
def up(
    name: str,
    root: Path,
    file: Path,
    members: str | None,
    bare: bool,
    high_availability: bool,
    estimators: bool,
    unjoined: bool,
    port_base: int | None,
) -> None:
    """Bring the lab up, or mend it: what runs is kept, what does not is started.

    Where KARMADA_DIR names a folder with the programs, kinds and webhooks of its release, the real
    Karmada runs.
    """
    lab = Lab(root, name)
    lab.up(
        file,
        members=members,
        bare=bare,
        high_availability=high_availability,
        estimators=estimators,
        joined=not unjoined,
        port_base=port_base,
        report=click.echo,
    )
    click.echo(f"lab {name!r} is up: export KUBECONFIG={lab.kubeconfig()}")


@main.command()
@_name
@_root
@click.option("--keep-data", is_flag=True, help="Leave data, logs and ports for the next `up`.")
def down(name: str, root: Path, keep_data: bool) -> None:
    """End every process that `up` started, and remove the lab's folder."""
    there = Lab(root, name).down(keep_data=keep_data, report=click.echo)
    click.echo(f"lab {name!r} is down" if there else f"there is no lab {name!r}")


@main.command()
@_name
@_root
@click.option("--json", "as_json", is_flag=True, help="Print the processes as JSON.")
def status(name: str, root: Path, as_json: bool) -> ExitCode:
    """Show each process of the lab; exit code 0 if all of them run, else 1."""
    lab = Lab(root, name)
    rows = lab.status()
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        Console(width=_WIDTH).print(_table(rows))
        together, *each = lab.endpoints()
        click.echo(f"Karmada API: {together}" + (f", of {', '.join(each)}" if each else ""))
    return ExitCode.DONE if all(row.alive for row in rows) else ExitCode.FAILURE


def _table(rows: tuple[ProcessStatus, ...]) -> Table:
    table = Table("process", "pid", "port", "alive", "memory", "uptime", box=None, pad_edge=False)
    for row in rows:
        table.add_row(
            row.name,
            str(row.pid) if row.pid else "-",
            ", ".join(map(str, row.ports)) or "-",
            "yes" if row.alive else "no",
            f"{row.memory / _MEBIBYTE:.0f} MiB" if row.alive else "-",
            f"{row.uptime:.0f} s" if row.alive else "-",
        )
    return table


if __name__ == "__main__":
    console.run(main, "lab")
