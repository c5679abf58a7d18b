"""Changes to a manifest, for tables of one fault each, and what each must lead to."""

from collections.abc import Callable
from typing import Any

from placement.karmada.admission import admission_errors

Edit = Callable[[dict[str, Any]], object]


def put(path: str, value: object) -> Edit:
    """Set a value; the path ``spec.rules.0.name`` goes through mappings and lists."""

    def edit(manifest: dict[str, Any]) -> None:
        node: Any = manifest
        *steps, last = map(_step, path.split("."))
        for step in steps:
            node = node[step]
        node[last] = value

    return edit


def append(path: str, value: object) -> Edit:
    """Append to a list."""

    def edit(manifest: dict[str, Any]) -> None:
        node: Any = manifest
        for step in map(_step, path.split(".")):
            node = node[step]
        node.append(value)

    return edit


def both(*edits: Edit) -> Edit:
    """Make several changes in order."""
    return lambda manifest: [edit(manifest) for edit in edits]


def assert_one_error(manifest: dict[str, Any], edit: Edit, field: str, says: str) -> None:
    """Assert that *edit* makes a sound *manifest* have one error, at *field*, with these words."""
    edit(manifest)
    (error,) = admission_errors(manifest)
    assert error.field == field, error
    assert says in error.message, error


def _step(part: str) -> str | int:
    return int(part) if part.isdecimal() else part
