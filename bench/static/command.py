"""``python -m bench static``: even static weights beside the optimum, as a distribution."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import RenderableType
from rich.table import Table

from bench.baselines.command import EFFORT
from bench.console import text
from bench.record import run
from bench.scale.generate import Size, generate
from bench.static.price import HEADLINE, Price, price
from placement.faults import ExitCode, FederationError
from placement.federation import Federation, load

_SIZE = Size(clusters=20, workloads=20, load=0.5, mean=15)
"""Of the generated federations: some 190 replicas, solved to the proven optimum in seconds."""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--generated", type=click.IntRange(0), default=20, show_default=True,
              help="Federations of the scale benchmark's generator, seeds from 1.")  # fmt: skip
@EFFORT
@click.option("--plot", "picture", type=click.Path(path_type=Path), help="Draw to this file.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print every federation and workload as JSON."
)
def static(
    files: tuple[Path, ...], generated: int, effort: int, picture: Path | None, *, as_json: bool
) -> int:
    """Price a static split on federation FILES and on a generated set."""
    prices: list[Price] = []
    for name, federation in _set(files, generated):
        click.echo(f"{name} ...", err=True)
        try:
            prices.append(price(name, federation, effort))
        except FederationError as error:
            click.echo(f"{name}: left out: {error}", err=True)
    if picture is not None:
        from bench.static.plot import plot  # noqa: PLC0415 - loads slowly, and few runs draw

        plot(prices, picture)
    if as_json:
        document = {"run": run(effort), "federations": [p.document() for p in prices]}
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    else:
        click.echo(_table(prices), nl=False)
    return ExitCode.DONE


def _set(files: Sequence[Path], generated: int) -> Iterator[tuple[str, Federation]]:
    for file in files:
        yield file.name, load(file)
    for seed in range(1, generated + 1):
        plain, _ = generate(_SIZE, seed)
        yield f"generated {seed}", Federation.model_validate(plain)


def _table(prices: Sequence[Price]) -> str:
    shown = Table(box=None, pad_edge=False)
    shown.add_column("federation")
    for name in ("static/month", "saved", "at most", "without choice", "no node", "status"):
        shown.add_column(name, justify="right")
    for p in prices:
        shown.add_row(
            p.name,
            f"{p.static:,.0f}",
            f"{p.saving:.1%}",
            f"{p.possible:.1%}",
            f"{p.pinned:.1%}",
            f"{p.crowded} of {p.replicas}",
            p.status,
        )
    parts: list[RenderableType] = [shown]
    if savings := sorted(p.saving for p in prices):
        middle = savings[len(savings) // 2]
        reached = sum(s >= HEADLINE for s in savings)
        parts.append(
            f"saved: {savings[0]:.1%} to {savings[-1]:.1%}, median {middle:.1%}; "
            f"{reached} of {len(savings)} reach {HEADLINE:.0%}"
        )
    return text(*parts)
