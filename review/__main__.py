"""``python -m review``: a preview as a reviewer reads it; drift; record; validate.

Owns the commands and their options. What they do stands in the modules that they call.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from placement import console as terminal
from placement.faults import ExitCode

if TYPE_CHECKING:
    from review.engine import Run

IN = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.option("-s", "--stack", help="The stack, of the project in the present folder.")
@click.option("--plan", type=OUT, help="Save the update plan; `pulumi up --plan` applies it alone.")
@click.option("--json", "json_file", type=OUT, help="Write the digest as JSON.")
@click.option("--infracost", "infracost_file", type=OUT, help="Write the cost in Infracost's form.")
@click.option("--recorded", type=IN, help="Preview on a record, without backend and secrets.")
@click.option("--drift", is_flag=True, help="Show how the real objects differ from the state.")
@click.option("--links", default="", help="A URL to put before the pages of rules.")
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day for which facts are judged.  [default: today, UTC]",
)
@click.pass_context
def review(
    context: click.Context,
    stack: str | None,
    plan: Path | None,
    json_file: Path | None,
    infracost_file: Path | None,
    recorded: Path | None,
    links: str,
    now: datetime | None,
    *,
    drift: bool,
) -> int | None:
    """Show what a change does, and what is wrong, before it is applied.

    With --stack: previews the stack with the policy pack and writes a digest in Markdown. Nothing
    is changed, and no property value or secret is in it.

    Exit codes: 0 no change, 1 failure, 2 changes, 3 infeasible or violated, 4 bad input.
    """
    if context.invoked_subcommand is not None:
        return None
    if stack is None:
        raise click.UsageError("missing --stack, or a command", context)
    if drift:
        if plan or infracost_file or recorded:
            raise click.UsageError("--drift goes with --json alone", context)
        return _drift(stack, json_file)
    # Here, since `validate` needs neither Pulumi nor the solver, which take longer to load than it.
    from review.changes import read  # noqa: PLC0415 - as said
    from review.digest import digest  # noqa: PLC0415 - as said
    from review.infracost import infracost  # noqa: PLC0415 - as said
    from review.markdown import markdown  # noqa: PLC0415 - as said

    click.echo(f"previewing {stack} with the policy pack", err=True)
    day = (now or datetime.now(UTC)).date()
    run = _previewed(stack, plan, recorded)
    changes = read(run.events)
    found = digest(stack, run, changes, day)
    click.echo(markdown(found, links=links), nl=False)
    _write(json_file, found.json())
    _write(infracost_file, infracost(stack, changes.before, changes.after, day))
    return found.exit_code


def _previewed(stack: str, plan: Path | None, record: Path | None) -> "Run":
    from review.engine import UserStack  # noqa: PLC0415 - as in `review`
    from review.record import recorded  # noqa: PLC0415 - as in `review`

    saved = None if plan is None else plan.absolute()
    if record is None:
        return UserStack(stack).preview(plan=saved)
    with recorded(stack, record) as environment:
        return UserStack(stack, environment).preview(plan=saved)


def _write(file: Path | None, text: str) -> None:
    if file is not None:
        file.write_text(text, "utf-8")


def _drift(stack: str, json_file: Path | None) -> int:
    from review.drift import drift  # noqa: PLC0415 - as in `review`
    from review.engine import UserStack  # noqa: PLC0415 - as in `review`
    from review.markdown import drift_markdown  # noqa: PLC0415 - as in `review`

    click.echo(f"reading the objects of {stack}", err=True)
    found = drift(stack, UserStack(stack))
    click.echo(drift_markdown(found), nl=False)
    _write(json_file, found.json())
    return found.exit_code


@review.command()
@click.option("-s", "--stack", required=True, help="The stack, of the project in this folder.")
def record(stack: str) -> int:
    """Print the states of a stack and of those that it reads, every secret replaced.

    For reviews where no secret may be: python -m review --stack STACK --recorded FILE.
    """
    from review.engine import UserStack  # noqa: PLC0415 - as in `review`
    from review.record import record as recording  # noqa: PLC0415 - as in `review`

    click.echo(recording(stack, UserStack(stack)), nl=False)
    return ExitCode.DONE


@review.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--allow-no-execute-taint-policy",
    "allow_no_execute",
    is_flag=True,
    help="Judge as a webhook that runs with the switch of this name.",
)
def validate(files: tuple[Path, ...], *, allow_no_execute: bool) -> int:
    """Say what the Karmada API would refuse in FILES, and what it accepts and does not do.

    Each file holds Karmada objects in YAML, a document each. Without files, specs of
    PropagationPolicies come from standard input, one {"id", "spec"} a line, and the answers are
    {"id", "errors", "advice"}.
    """
    from review.validate import answers, validate_file  # noqa: PLC0415 - as in `review`

    if not files:
        for line in answers(sys.stdin):
            click.echo(line)
        return ExitCode.DONE
    reports = [validate_file(path, allow_no_execute=allow_no_execute) for path in files]
    for report in reports:
        for line in report.lines:
            click.echo(line)
    refused = sum(report.refused for report in reports)
    advised = sum(report.advised for report in reports)
    click.echo(f"{len(reports)} read, {refused} refused, {advised} with advice")
    return ExitCode.INFEASIBLE if refused else ExitCode.DONE


if __name__ == "__main__":
    terminal.run(review, "review")
