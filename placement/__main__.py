"""``python -m placement``: plan, explain, render, divide, check, schema.

Owns the commands and their options. What they do stands in the modules that they call.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from placement import console as terminal
from placement.decision import Decision, read
from placement.division import answer
from placement.document import Document
from placement.faults import BadInputError, ExitCode, Fault, InfeasibleError
from placement.federation import Federation, load

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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def placement() -> None:
    r"""Decide where every replica of a federation runs, and say why.

    \b
    Exit codes: 0 done, 1 failure, 2 changes, 3 infeasible or violated, 4 bad input.
    """


@placement.command()
@FILE
@EFFORT
@PRESENT
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def plan(file: Path, effort: int, present: Path | None, *, as_json: bool) -> int:
    """Decide on the federation FILE and print the decision."""
    federation = load(file)
    decision = _decide(federation, effort, present)
    if as_json:
        click.echo(decision.json(), nl=False)
    else:
        _echo(lambda report, console: report.show(federation, decision, console))
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
        raise InfeasibleError("\n".join(decision.conflicts))
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
        raise InfeasibleError("\n".join(decision.conflicts))
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
@click.argument("policy", type=click.Path(path_type=Path))
def check(policy: Path) -> int:
    """Check a PropagationPolicy file: what Karmada refuses, and what it accepts and does not do."""
    from placement.karmada.advice import refusals  # noqa: PLC0415 - as in _decide

    document = Document(policy)
    metadata = document.plain.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        message = "read no mapping; allowed a mapping of keys"
        raise BadInputError(document.fault(("metadata",), message))
    # Through JSON, in which a date is text as Kubernetes reads it.
    found = refusals(json.loads(json.dumps(document.plain, default=str)))
    for line in found:
        click.echo(f"{policy}: {line}", err=True)
    if not found:
        click.echo(f"{policy}: accepted")
    return ExitCode.INFEASIBLE if found else ExitCode.DONE


@placement.command()
def schema() -> int:
    """Print the JSON schema of the federation file, for editors."""
    click.echo(json.dumps(Federation.model_json_schema(by_alias=True), indent=2, sort_keys=True))
    return ExitCode.DONE


def _decide(federation: Federation, effort: int, present: Path | None) -> Decision:
    """The decision.

    The engine is imported here: the solver and its libraries take longer to load than the
    commands that need none of them take to run.
    """
    from placement.plan import plan as decide  # noqa: PLC0415 - as said

    if present is None:
        return decide(federation, effort=effort)
    try:
        before = read(json.loads(present.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInputError(
            Fault(str(present), 0, "(file)", f"{error}; allowed a decision in JSON")
        ) from None
    return decide(federation, effort=effort, present=before.counts)


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
