"""``python -m placement``: plan, explain, render, divide, check, schema, facts, backtest, profile.

Owns the commands and their options. What they do stands in the modules that they call.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from placement import console as terminal
from placement.decision import Decision, read_file
from placement.division import answer
from placement.document import Document, Location
from placement.faults import BadInputError, ExitCode, Fault, InfeasibleError
from placement.federation import Federation, load
from placement.federation.objective import UNITS, Term

_ELSEWHERE = {
    "backtest": "placement.backtest.command",
    "check": "placement.karmada.command",
    "facts": "placement.facts.command",
    "profile": "placement.profile.command",
}
"""The commands that are defined beside what they do, by module."""

FILE = click.argument("file", type=click.Path(path_type=Path))
EFFORT = click.option(
    "--effort",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    help="How much work the solver may do, 1 to 5: a limit in branch-and-bound nodes.",
)
PRESENT = click.option(
    "--present",
    type=click.Path(path_type=Path),
    help="A decision (JSON) that says where replicas run now; shows the moves.",
)


def _two_terms(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[Term, Term] | None:
    """The value of ``--pareto``."""
    del context
    if text is None:
        return None
    names = text.split(",")
    known: list[Term] = [term for name in names for term in UNITS if term == name]
    if len(names) != 2 or len(set(known)) != 2:
        message = f"read {text!r}; allowed two different ones of {', '.join(UNITS)}"
        raise BadInputError(Fault("--pareto", 0, parameter.name or "", message))
    return known[0], known[1]


@click.group(
    cls=terminal.LazyGroup,
    modules=_ELSEWHERE,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def placement() -> None:
    """Decide where every replica of a federation runs, and say why.

    Exit codes: 0 done, 1 failure, 2 changes, 3 infeasible or violated, 4 bad input.
    """


@placement.command()
@FILE
@EFFORT
@PRESENT
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
@click.option(
    "--pareto",
    metavar="TERM,TERM",
    callback=_two_terms,
    help="Instead of one decision, the front between two terms, such as cost,carbon.",
)
@click.option(
    "--points",
    type=click.IntRange(2, 99),
    default=5,
    show_default=True,
    help="How many points of the front to solve.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="That share the work on a large federation; the decision does not depend on them.",
)
@click.option("--prices", is_flag=True, help="Also say what the binding requirements cost.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write a page to look at, one file; with --pareto, the front is on it.",
)
def plan(
    file: Path,
    effort: int,
    present: Path | None,
    pareto: tuple[Term, Term] | None,
    points: int,
    processes: int,
    html: Path | None,
    *,
    as_json: bool,
    prices: bool,
) -> int:
    """Decide on the federation FILE and print the decision."""
    if pareto is not None and prices:
        raise click.UsageError("--pareto and --prices do not go together; allowed one of them")
    federation = load(file)
    if pareto is not None and html is None:
        return _front(federation, pareto, points, effort, present, as_json=as_json)
    decision = _decide(federation, effort, present, processes, prices=prices)
    if html is not None:
        wanted = pareto if decision.status != "infeasible" else None
        found = _points(federation, wanted, points, effort, present) if wanted else []
        _write_page(html, file.name, federation, decision, wanted, found)
    if as_json:
        click.echo(decision.json(), nl=False)
    else:
        _echo(lambda report, console: report.show(federation, decision, console, _where(file)))
    return ExitCode.INFEASIBLE if decision.status == "infeasible" else ExitCode.DONE


@placement.command()
@FILE
@click.argument("workload")
@EFFORT
def explain(file: Path, workload: str, effort: int) -> int:
    """Say of WORKLOAD (namespace/name) why each cluster was taken, refused or left out."""
    federation = load(file)
    known = [w.id for w in federation.workloads]
    if workload not in known:
        raise BadInputError(
            Fault("WORKLOAD", 0, workload, f"unknown workload; allowed {', '.join(known)}")
        )
    decision = _decide(federation, effort, None)
    if decision.status == "infeasible":
        raise _refused(file, decision)
    _echo(lambda report, console: report.explain(federation, decision, workload, console))
    return ExitCode.DONE


@placement.command()
@FILE
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@EFFORT
@PRESENT
def render(file: Path, out: Path, effort: int, present: Path | None) -> int:
    """Write the objects that reproduce the decision as YAML, for Argo CD or Flux."""
    federation = load(file)
    decision = _decide(federation, effort, present)
    if decision.status == "infeasible":
        raise _refused(file, decision)
    from placement.render import render as write  # noqa: PLC0415 - as in _decide

    for path in write(federation, decision, file.parent, out):
        click.echo(path)
    return ExitCode.DONE


@placement.command()
def divide() -> int:
    """Answer scheduler cases, one JSON object a line, from standard input.

    A line is {"id", "clusters", "placement", "replicas", ...}; the answer is {"id", "replicas"}
    or {"id", "error"} in the words of Karmada's scheduler.
    """
    for number, line in _lines():
        if line.strip():
            try:
                click.echo(answer(line, number=number, file="<stdin>"))
            except RecursionError:
                message = "read too many levels of nesting; allowed a case"
                raise BadInputError(Fault("<stdin>", number, "(line)", message)) from None
    return ExitCode.DONE


def _lines() -> Iterator[tuple[int, str]]:
    """The lines of standard input with their numbers, from 1."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            message = f"byte {error.start} is not UTF-8; allowed UTF-8 text"
            raise BadInputError(Fault("<stdin>", number, "(line)", message)) from None


@placement.command()
def schema() -> int:
    """Print the JSON schema of the federation file, for editors."""
    click.echo(json.dumps(Federation.model_json_schema(by_alias=True), indent=2, sort_keys=True))
    return ExitCode.DONE


def _front(
    federation: Federation,
    terms: tuple[Term, Term],
    points: int,
    effort: int,
    present: Path | None,
    *,
    as_json: bool,
) -> int:
    """Print the Pareto front between two terms."""
    from placement import pareto  # noqa: PLC0415 - as in _decide

    found = _points(federation, terms, points, effort, present)
    if as_json:
        document = pareto.document(federation, terms, found)
        click.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))
    else:
        _echo(lambda _, console: pareto.show(federation, terms, found, console))
    return ExitCode.DONE


def _points(
    federation: Federation,
    terms: tuple[Term, Term],
    points: int,
    effort: int,
    present: Path | None,
) -> list[Any]:
    """The points of the front, each said as it is found."""
    from placement import pareto  # noqa: PLC0415 - as in _decide

    found: list[pareto.Point] = []
    running = _running(present)
    for point in pareto.front(federation, terms, points=points, effort=effort, present=running):
        found.append(point)
        click.echo(f"point {len(found)} of at most {points}", err=True)
    return found


def _write_page(
    html: Path,
    title: str,
    federation: Federation,
    decision: Decision,
    terms: tuple[Term, Term] | None,
    points: Sequence[Any],
) -> None:
    from placement import page, pareto  # noqa: PLC0415 - as in _decide

    front = pareto.document(federation, terms, points) if terms and points else None
    try:
        html.write_text(page.html(federation, decision, title, front), encoding="utf-8")
    except OSError as error:
        reason = f"{error.strerror}; allowed a file that can be written"
        raise BadInputError(Fault(str(html), 0, "--html", reason)) from None


def _running(present: Path | None) -> Mapping[str, Mapping[str, int]] | None:
    """Where replicas run now, from the decision in the file *present*."""
    return None if present is None else read_file(present).counts


def _where(file: Path) -> Callable[[Location, str], str]:
    """Puts before a text the line of *file* in which its key stands."""
    document = Document(file)
    return lambda location, text: str(document.fault(location, text))


def _refused(file: Path, decision: Decision) -> InfeasibleError:
    """That there is no placement, and why."""
    from placement.conflicts import lines  # noqa: PLC0415 - as in _decide

    return InfeasibleError("\n".join(lines(decision.infeasibility, _where(file))))


def _decide(
    federation: Federation,
    effort: int,
    present: Path | None,
    processes: int = 1,
    *,
    prices: bool = False,
) -> Decision:
    """The decision, with the prices of its requirements where they are wanted.

    The engine is imported here: the solver and its libraries take longer to load than the
    commands that need none of them take to run.
    """
    from placement.plan import plan as decide  # noqa: PLC0415 - as said
    from placement.plan import priced  # noqa: PLC0415 - as said

    running = _running(present)
    decision = decide(federation, effort=effort, present=running, processes=processes)
    if not prices:
        return decision
    click.echo("prices: planning again with a little less of each requirement", err=True)
    return priced(decision, federation, effort=effort, present=running)


def _echo(write: Callable[[Any, Any], None]) -> None:
    """Print what *write* writes with the report, whole.

    Rich itself would end the process if the reader leaves.
    """
    from rich.console import Console  # noqa: PLC0415 - as in _decide

    from placement import report  # noqa: PLC0415 - as in _decide

    console = Console(width=report.WIDTH, no_color=not sys.stdout.isatty())
    with console.capture() as captured:
        write(report, console)
    click.echo(captured.get(), nl=False)


if __name__ == "__main__":
    terminal.run(placement, "placement")
