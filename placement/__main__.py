"""``python -m placement``: plan, explain, render, divide, check, schema.

Owns the commands and their options. What they do stands in the modules that they call.
"""

import json
import sys
from pathlib import Path

import click
from rich.console import Console

from placement import console as terminal
from placement.decision import Decision, read
from placement.document import Document
from placement.division import answer
from placement.faults import BadInputError, ExitCode, Fault, InfeasibleError
from placement.federation import Federation, load
from placement.karmada.advice import refusals
from placement.plan import plan as decide
from placement.render import render as write
from placement.report import WIDTH, show

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
    """Decide where every replica of a federation runs, and say why.

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
        show(federation, decision, _console())
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
    placed = decision.workload(workload)
    console = _console()
    for candidate in placed.candidates:
        count = placed.replicas.get(candidate.cluster, 0)
        terms = ", ".join(f"{k} {'unknown' if v is None else f'{v:g}'}" for k, v in candidate.terms.items())
        console.print(
            f"{'taken' if count else 'left'} {candidate.cluster}: {count} replicas, rank "
            f"{candidate.rank}, score {candidate.score:g} ({terms})",
            highlight=False,
            soft_wrap=True,
        )
    for refused in placed.refused:
        console.print(
            f"refused {refused.cluster}: {refused.filter}: {refused.detail}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    for entry in placed.after_loss:
        console.print(
            f"loss of {entry.lost}: {entry.replicas}, {entry.pending} pending",
            highlight=False,
            markup=False,
        )
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
    for path in write(federation, decision, file.parent, out):
        click.echo(path)
    return ExitCode.DONE


@placement.command()
def divide() -> int:
    """Answer scheduler cases, one JSON object a line, from standard input.

    A line is {"id", "clusters", "placement", "replicas", ...}; the answer is {"id", "replicas"}
    or {"id", "error"} in the words of Karmada's scheduler.
    """
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            try:
                click.echo(answer(line))
            except BadInputError as error:
                raise BadInputError(
                    *(Fault("<stdin>", number, f.key, f.message) for f in error.faults)
                ) from None
    return ExitCode.DONE


@placement.command()
@click.argument("policy", type=click.Path(path_type=Path))
def check(policy: Path) -> int:
    """Check a PropagationPolicy file: what Karmada refuses, and what it accepts and does not do."""
    document = Document(policy)
    found = refusals(document.plain)
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
    if present is None:
        return decide(federation, effort=effort)
    try:
        before = read(json.loads(present.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise BadInputError(
            Fault(str(present), 0, "(file)", f"{error}; allowed a decision in JSON")
        ) from None
    return decide(federation, effort=effort, present=before.counts)


def _console() -> Console:
    return Console(width=WIDTH, no_color=not sys.stdout.isatty(), soft_wrap=False)


if __name__ == "__main__":
    terminal.run(placement, "placement")
