"""``python -m review``: validate.

Owns the commands and their options. What they do stands in the modules that they call.
"""

import sys
from pathlib import Path

import click

from placement import console as terminal
from placement.faults import ExitCode
from review.validate import answers, validate_file


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def review() -> None:
    r"""Show what is wrong before it is applied.

    \b
    Exit codes: 0 done, 1 failure, 2 changes, 3 infeasible or violated, 4 bad input.
    """


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

    Each file holds one Karmada object in YAML. Without files, specs of PropagationPolicies come
    from standard input, one {"id", "spec"} a line, and the answers are {"id", "errors", "advice"}.
    """
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
