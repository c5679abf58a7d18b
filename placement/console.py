"""How every command line of the project ends.

Owns the mapping from errors to exit codes and the rule that a user sees messages, not tracebacks;
and the group whose commands are imported when they are asked for. It does not define commands: each
package's ``__main__`` does.
"""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

import click

from placement.faults import ExitCode, FederationError


class LazyGroup(click.Group):
    """Commands of its own, and others that are imported when they are asked for.

    Args:
        modules: the module of each other command, which defines it under the command's own name.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted((*super().list_commands(ctx), *self._modules))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(self._modules[cmd_name]), cmd_name)
        return command


def run(command: click.Command, name: str) -> NoReturn:
    """Run *command* as ``python -m NAME`` and exit with the project's exit codes.

    Args:
        command: the click command or group.
        name: the package, as the user typed it after ``python -m``.
    """
    try:
        # Not `command.main`: it ends the process by itself for a closed pipe and for Ctrl-C.
        with command.make_context(f"python -m {name}", sys.argv[1:]) as context:
            code = command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as ending:  # after --help
        code = _flushed(ending.exit_code)
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
        _silence()
        sys.exit(ExitCode.DONE)
    sys.exit(code if isinstance(code, int) else ExitCode.DONE)


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    return code


def _silence() -> None:
    """A reader such as `head` left: there is nobody to tell, and nothing to flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
