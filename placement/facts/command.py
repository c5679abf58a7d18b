"""``python -m placement facts``: publishers' files in, a part of a federation file out.

Owns the command's options and what it prints. Nothing but the named files is read; with ``--live``
the members of a Karmada API are held against the file instead.
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
@click.argument("format_", metavar="[FORMAT]", required=False, type=click.Choice(sorted(FORMATS)))
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--live",
    type=click.Path(path_type=Path),
    metavar="KUBECONFIG",
    help="Instead of files: hold the members of this Karmada API against the federation file.",
)
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
    format_: str | None,
    files: tuple[Path, ...],
    live: Path | None,
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

    With --live KUBECONFIG --for FEDERATION: where the members of a Karmada API differ from what the
    file declares of its clusters, with the time of the reading; exit code 2 where they do.
    """
    if live is not None:
        if format_ is not None or target is None:
            raise click.UsageError("--live takes the place of FORMAT and FILES, and needs --for")
        return _against(live, target, as_json=as_json)
    if format_ is None or not files:
        raise click.UsageError("missing FORMAT and FILES; allowed those, or --live KUBECONFIG")
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


def _against(kubeconfig: Path, target: Path, *, as_json: bool) -> int:
    """Print where the live members differ from the clusters of *target*."""
    # Kubernetes' client and tables load slowly, and only this needs them.
    from placement.facts import live_report  # noqa: PLC0415 - as said
    from placement.facts.live import read  # noqa: PLC0415 - as said
    from placement.facts.live_difference import differences  # noqa: PLC0415 - as said

    federation = load(target)
    snapshot = read(kubeconfig)
    found = list(differences(federation, snapshot))
    if as_json:
        document = live_report.document(snapshot, found)
        click.echo(json.dumps(document, indent=2, sort_keys=True))
    else:
        click.echo(live_report.text(snapshot, found), nl=False)
    return ExitCode.CHANGES if found else ExitCode.DONE


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
