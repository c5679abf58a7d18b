"""``python -m placement facts``: publishers' files in, a part of a federation file out.

Owns the command's options and what it prints. Nothing but the named files is read.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path

import click
import yaml

from placement.facts.basis import one_basis
from placement.facts.formats import FORMATS
from placement.facts.fragment import Fragment, fragment
from placement.facts.freshness import stale, stale_in
from placement.facts.given import Given
from placement.facts.rows import Rows, Vat
from placement.faults import BadInputError, ExitCode, Fault
from placement.federation import Federation, load

DAY = click.DateTime(formats=["%Y-%m-%d"])


def _proxies(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> Mapping[str, str]:
    wrong = [v for v in values if "=" not in v]
    if wrong:
        raise click.BadParameter(f"read {wrong[0]!r}; allowed REGION=SITE")
    return dict(value.split("=", 1) for value in values)


@click.command(epilog=f"Formats: {', '.join(sorted(FORMATS))}.")
@click.argument("format_", metavar="FORMAT", type=click.Choice(sorted(FORMATS)))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--for",
    "target",
    type=click.Path(path_type=Path),
    help="The federation file whose node classes and regions the facts are for.",
)
@click.option(
    "--proxy",
    "said",
    multiple=True,
    metavar="REGION=SITE",
    callback=_proxies,
    help="The published region that stands for a region of the federation; may be given again.",
)
@click.option("--date", "day", type=DAY, help="The day of the figures, where a file says none.")
@click.option("--source", help="Where the file comes from; else the publisher's name.")
@click.option("--currency", help="Of the prices, where a file says none.")
@click.option("--vat", type=click.Choice(["net", "gross"]), help="Likewise.")
@click.option("--now", type=DAY, help="The day against which ages are judged; else none is.")
@click.option("--json", "as_json", is_flag=True, help="Print rows, fragment and warnings as JSON.")
def facts(
    format_: str,
    files: tuple[Path, ...],
    target: Path | None,
    said: Mapping[str, str],
    day: datetime | None,
    source: str | None,
    currency: str | None,
    vat: Vat | None,
    now: datetime | None,
    *,
    as_json: bool,
) -> int:
    """Turn FILES of a publisher's FORMAT into a part of a federation file.

    Figures keep their source, date and basis, what stands in for something unpublished is labelled
    as a proxy, and mixed bases (net and gross, average and marginal, ...) are refused. Warnings go
    to standard error.
    """
    federation = None if target is None else load(target)
    read = FORMATS[format_]
    rows = one_basis(
        Rows.joined(
            read(file, Given(str(file), _date(day), source, currency, vat)) for file in files
        ),
        federation,
    )
    found = fragment(rows, federation, said)
    if target is not None and not _says_anything(found):
        message = f"read nothing for {target}; allowed a file about its node classes or regions"
        raise BadInputError(Fault(str(files[0]), 0, "(file)", message))
    warnings = [*found.warnings, *_ages(rows, federation, target, _date(now))]
    for line in warnings:
        click.echo(line, err=True)
    if as_json:
        document = {"rows": asdict(rows), "fragment": found.plain, "warnings": warnings}
        click.echo(json.dumps(document, indent=2, sort_keys=True, default=str))
    else:
        click.echo(yaml.safe_dump(found.plain, sort_keys=False, allow_unicode=True), nl=False)
    return ExitCode.DONE


def _date(value: datetime | None) -> date | None:
    return None if value is None else value.date()


def _ages(
    rows: Rows, federation: Federation | None, target: Path | None, now: date | None
) -> list[str]:
    if now is None:
        return []
    held = [] if federation is None else [f"{target} {line}" for line in stale_in(federation, now)]
    return [*stale(rows, now), *held]


def _says_anything(found: Fragment) -> bool:
    plain = found.plain
    return bool(
        plain.get("prices")
        or plain.get("exchange")
        or plain.get("latency", {}).get("roundTrip")
        or plain.get("carbon", {}).get("intensity")
    )
