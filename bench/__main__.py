"""``python -m bench``: one command for each measurement.

Owns the list of commands alone; each is defined beside what it measures and imported when it runs.
"""

from importlib import import_module

import click

from placement import console

_COMMANDS = {
    "baselines": "bench.baselines.command",
    "openb": "bench.openb.command",
    "previews": "bench.previews",
    "review": "bench.review",
    "scale": "bench.scale.command",
    "static": "bench.static.command",
    "truth": "bench.truth.command",
}
"""The module of each command, which defines it under the command's own name."""


class _Group(click.Group):
    """Commands that are imported when they are asked for: each needs libraries of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own form
        """The names of all commands."""
        return sorted(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's own form
        cmd_name: str,
    ) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[cmd_name]), cmd_name)
        return command


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def bench() -> None:
    """Measure the engine: its answers against others', its size, its time."""


if __name__ == "__main__":
    console.run(bench, "bench")
