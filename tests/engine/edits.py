"""Changes of settings, as plain data: what is under a path is written, added to or taken away.

A path has the keys of a stack's file with dots between them, and numbers for places in lists:
``pools.0.holds``.
"""

import copy
from collections.abc import Callable
from typing import Any

Plain = dict[str, Any]
Change = Callable[[Plain], object]


def put(path: str, value: object) -> Change:
    """The change that writes *value*."""

    def change(spec: Plain) -> None:
        found, last = _above(spec, path)
        found[last] = copy.deepcopy(value)

    return change


def out(path: str) -> Change:
    """The change that takes away what is there."""

    def change(spec: Plain) -> None:
        found, last = _above(spec, path)
        del found[last]

    return change


def into(path: str, *values: object) -> Change:
    """The change that adds *values* to a list."""

    def change(spec: Plain) -> None:
        found, last = _above(spec, path)
        found[last] = [*found.get(last, ()), *copy.deepcopy(values)]

    return change


def every(*changes: Change) -> Change:
    """All of *changes*, one after the other."""

    def change(spec: Plain) -> None:
        for each in changes:
            each(spec)

    return change


def _above(spec: Plain, path: str) -> tuple[Any, Any]:
    """What holds the last part of *path*, and that part."""
    *above, last = (int(part) if part.isdigit() else part for part in path.split("."))
    found: Any = spec
    for part in above:
        found = found[part]
    return found, last
