"""What a change of a setting does: previews of a stack that is up, and the table that says so.

Owns the steps of a preview, the settings of a model, enumerated from the model itself, and the rows
of a page. Which changes are tried stands in the tests.
"""

import copy
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pulumi import automation as auto
from pydantic import BaseModel

from tests.engine.edits import Change, Plain

Step = tuple[str, str, str]
"""Operation, type and name of a resource that is not as it was."""

MORE, LESS, GONE = "one more", "one less", "taken away"
"""What else than another value there is to try: of a list of things, and of a thing that may be
absent."""

_UNCHANGED = ("same", "read", "discard", "refresh")
_PARTS = {"create-replacement", "delete-replaced"}
"""The parts of a replacement, which the engine announces beside it."""

_CHART = "Chart"

_WORD = re.compile(r"to do it all the same: federation:storage\.allow: (\S+)")


def previewed(stack: auto.Stack) -> list[Step]:
    """What a preview of *stack* would do.

    Components, providers and the stack itself do nothing: they are left out. What is in a chart is
    the chart.
    """
    steps: list[Step] = []

    def note(event: auto.EngineEvent) -> None:
        if event.resource_pre_event is not None:
            step = _step(event.resource_pre_event.metadata)
            if step is not None and step not in steps:
                steps.append(step)

    stack.preview(on_event=note)
    whole = {name for operation, kind, name in steps if kind == _CHART and operation != "update"}
    return [each for each in steps if each[0] != "update" or each[2] not in whole]


def _step(found: auto.StepEventMetadata) -> Step | None:
    kind, name = found.urn.split("::")[2:4]
    kind = kind.rsplit("$", 1)[-1]
    operation = str(getattr(found.op, "value", found.op))
    if kind.startswith(("federation:", "pulumi:")) or operation in _UNCHANGED:
        return None
    chart, _, within = name.partition(":")
    if within:
        return "update", _CHART, chart
    if operation == "delete" and found.old is not None and found.old.retain_on_delete:
        operation = "leave"
    return operation, kind.rsplit(":", 1)[-1], name


def shown(steps: Sequence[Step], *prefixes: str) -> str:
    """Steps as a page says them: names without *prefixes*, and without a kind that they end in."""
    found: dict[str, list[str]] = {}
    for operation, kind, name in sorted(steps):
        if operation not in _PARTS:
            short = functools.reduce(str.removeprefix, prefixes, name)
            named = short.removesuffix(f"-{kind.lower()}")
            found.setdefault(f"{operation} {kind}", []).append(named)
    return "; ".join(f"{what} {', '.join(names)}" for what, names in found.items()) or "nothing"


def effect(stack: auto.Stack, *prefixes: str) -> str:
    """What a preview of *stack* would do, as a page says it, or the word that it lacks."""
    try:
        return shown(previewed(stack), *prefixes)
    except auto.CommandError as error:
        text = str(error)
        assert "; allowed" in text or "which holds data" in text, text
        words = sorted(set(_WORD.findall(text)))
        return "; ".join(["refused", *(f"word: `{word}`" for word in words)])


def effects(
    rows: Sequence["Row"], write: Callable[[Change], None], stack: auto.Stack, *prefixes: str
) -> dict[str, str]:
    """By the label of each of *rows*, what a preview of *stack* would do once *write* made it."""
    found = {}
    for each in rows:
        write(each.change)
        found[each.label] = effect(stack, *prefixes)
    return found


def table(page: Path, head: str) -> list[str]:
    """The rows of the table of *page* whose head begins with the line *head*."""
    text = page.read_text("utf-8")
    found = re.search(rf"^{re.escape(head)}\n\|[-|]+\|\n((?:\|.*\n)*)", text, re.MULTILINE)
    assert found is not None, f"{page.name} has no table {head}"
    return found.group(1).splitlines()


@dataclass(frozen=True)
class Row:
    """A change of settings.

    Attributes:
        keys: the settings, as ``wanted`` names them.
        how: what they become, for people; ``MORE``, ``LESS`` and ``GONE`` come first in it.
        change: makes it of the settings.
    """

    keys: tuple[str, ...]
    how: str
    change: Change

    @property
    def label(self) -> str:
        """The change as a page says it."""
        named = ", ".join(f"`{key}`" for key in self.keys)
        return f"{named}: {self.how}" if self.how else named


def row(keys: str, change: Change, how: str = "") -> Row:
    """A row for *keys*, with spaces between them."""
    return Row(tuple(keys.split()), how, change)


def wanted(model: type[BaseModel], *but: type[BaseModel]) -> dict[str, set[str]]:
    """Every setting of *model* by its key (``pools[].holds``), with what must be tried of it.

    Args:
        model: the settings.
        but: models that stand in a union and have a table of their own.
    """
    schema = model.model_json_schema(by_alias=True)
    known = {f"#/$defs/{name}": each for name, each in schema["$defs"].items()}
    return dict(_settings(schema, known, "", {each.__name__ for each in but}))


def _settings(
    schema: Plain, known: Mapping[str, Plain], above: str, but: set[str]
) -> Iterator[tuple[str, set[str]]]:
    for name, value in schema["properties"].items():
        key = f"{above}{name}"
        forms = list(_forms(value, known))
        things = [each for each in forms if "properties" in each]
        items = [
            each
            for form in forms
            for each in _forms(form.get("items", {}), known)
            if "properties" in each and each["title"] not in but
        ]
        absent = {"type": "null"} in forms
        if absent or not things:
            yield key, {MORE, LESS} if items else {GONE} if things else set()
        for each in things:
            yield from _settings(each, known, f"{key}.", but)
        for each in items:
            yield from _settings(each, known, f"{key}[].", but)


def _forms(value: Plain, known: Mapping[str, Plain]) -> Iterator[Plain]:
    """The schemas of which *value* follows one."""
    either = value.get("anyOf") or value.get("oneOf")
    if either:
        for each in either:
            yield from _forms(each, known)
    else:
        yield known[value["$ref"]] if "$ref" in value else value


def read(spec: Any, key: str) -> list[Any]:
    """What *spec* says under *key*; of things in a list, each by itself."""
    found = [spec]
    for part in key.replace("[]", ".[]").split("."):
        below = [each[part] for each in found if isinstance(each, dict) and part in each]
        found = [item for each in found for item in each] if part == "[]" else below
    return found


def held(rows: Sequence[Row], base: Plain, settings: Mapping[str, set[str]]) -> None:
    """See that *rows* try every one of *settings*, and each what it says.

    Args:
        rows: the changes.
        base: the settings before.
        settings: as ``wanted`` finds them.
    """
    assert len({row.label for row in rows}) == len(rows)
    tried: dict[str, set[str]] = {}
    for row in rows:
        after: Plain = copy.deepcopy(base)
        row.change(after)
        for key in row.keys:
            assert key in settings, f"there is no setting {key}"
            assert read(base, key) != read(after, key), f"{row.label} does not change {key}"
            tried.setdefault(key, set()).update(
                word for word in (MORE, LESS, GONE) if row.how.startswith(word)
            )
    missing = [
        " ".join([key, *sorted(words - tried.get(key, set()))])
        for key, words in settings.items()
        if key not in tried or words - tried[key]
    ]
    assert not missing, f"no row tries {', '.join(missing)}"
