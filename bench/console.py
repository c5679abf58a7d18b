"""Tables as text: for a terminal with colours, for a file without.

Owns how a benchmark's output becomes text. What a table shows is each benchmark's own.
"""

import sys

from rich.console import Console, RenderableType


def text(*parts: RenderableType, width: int = 110) -> str:
    """*parts* one below the other."""
    console = Console(width=width, no_color=not sys.stdout.isatty())
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    return captured.get()
