"""How every command line of the project ends.

Owns the mapping from errors to exit codes and the rule that a user sees messages, not tracebacks.
It does not define commands: each package's ``__main__`` does.
"""

import sys
from typing import NoReturn

import click

from placement.faults import ExitCode, FederationError


def run(command: click.Command, name: str) -> NoReturn:
    """Run *command* as ``python -m NAME`` and exit with the project's exit codes.

    Args:
        command: the click command or group.
        name: the package, as the user typed it after ``python -m``.
    """
    try:
        code = command.main(prog_name=f"python -m {name}", standalone_mode=False)
    except FederationError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except click.UsageError as error:
        error.show()
        sys.exit(ExitCode.BAD_INPUT)
    except click.ClickException as error:
        error.show()
        sys.exit(ExitCode.FAILURE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)  # the shell's code for a process ended by SIGINT
    except BrokenPipeError:
        sys.stderr.close()  # a reader such as `head` left; there is nobody to tell
        sys.exit(ExitCode.DONE)
    sys.exit(code if isinstance(code, int) else ExitCode.DONE)
