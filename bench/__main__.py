"""``python -m bench``: one command for each measurement.

Owns the list of commands alone; each is defined beside what it measures and imported when it runs.
"""

import click

from placement import console

_COMMANDS = {
    "baselines": "bench.baselines.command",
    "openb": "bench.openb.command",
    "previews": "bench.previews",
    "reassignment": "bench.reassignment.command",
    "review": "bench.review",
    "scale": "bench.scale.command",
    "static": "bench.static.command",
    "truth": "bench.truth.command",
}
"""The module of each command, which defines it under the command's own name."""


@click.group(
    # Each needs libraries of its own.
    cls=console.LazyGroup,
    modules=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def bench() -> None:
    """Measure the engine: its answers against others', its size, its time."""


if __name__ == "__main__":
    console.run(bench, "bench")
