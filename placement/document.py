"""A YAML or JSON file that a user wrote, and where in it each value stands.

Owns reading the text, refusing what YAML would let pass (a key given twice, an alias to itself, an
unknown tag), and turning the validation errors of a model into faults with file, line and key. It
does not know what the file is about: the models do.
"""

import difflib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from placement.faults import BadInputError, Fault

M = TypeVar("M", bound=BaseModel)
Location = tuple[str | int, ...]

_LIMIT = 16 * 2**20
"""Bytes: no federation file is larger, and a mistaken path to a disk image ends here."""

_NODES = 1_000_000
"""Values, aliases counted out: a file that multiplies itself by aliases ends here."""


class Document:
    """A parsed file.

    Attributes:
        file: the path as the user gave it, for messages.
        plain: the content as plain dicts, lists and scalars.
    """

    def __init__(self, path: Path) -> None:
        """Read *path*.

        Raises:
            BadInputError: the file cannot be read or is not one YAML document of plain values.
        """
        self.file = str(path)
        self._lines: dict[Location, int] = {}
        self.plain: dict[str, Any] = _Reader(self.file, _read(path), self._lines).plain()

    def validate(self, model: type[M], *below: str) -> M:
        """The part of the file under the keys *below*, as *model*.

        Raises:
            BadInputError: with one fault for each thing that is wrong.
        """
        value: Any = self.plain
        for key in below:
            value = value[key]
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise BadInputError(*self._faults(error, below, model)) from None

    def fault(self, location: Location, message: str) -> Fault:
        """A fault at *location*, whose last part may be missing from the file."""
        line = 1
        node: Any = self.plain
        shown = ""
        for depth, part in enumerate(location, start=1):
            line = self._lines.get(location[:depth], line)
            if isinstance(part, int) and isinstance(node, list):
                shown += f"[{part}]"
                node = node[part] if part < len(node) else None
            else:
                shown += f".{part}" if shown else str(part)
                node = node.get(str(part)) if isinstance(node, Mapping) else None
        return Fault(self.file, line, shown or "(file)", message)

    def _faults(
        self, error: ValidationError, below: tuple[str, ...], model: type[BaseModel]
    ) -> Iterator[Fault]:
        for location, message in describe(error, model):
            yield self.fault((*below, *location), message)


def describe(
    error: ValidationError, model: type[BaseModel]
) -> Iterator[tuple[Location, str]]:
    """What a validation error of *model* says: where, and ``read X; allowed Y``.

    The location holds keys and indices of the input alone, not the branches of unions.
    """
    for item in error.errors(include_url=False):
        yield _keys_only(item["loc"], model), _message(item, model)


def _read(path: Path) -> str:
    file = str(path)
    try:
        if path.stat().st_size > _LIMIT:
            raise BadInputError(Fault(file, 0, "(file)", f"read over {_LIMIT} bytes; allowed fewer"))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInputError(
            Fault(file, 0, "(file)", f"cannot be read: {reason}; allowed a file that exists")
        ) from None
    except UnicodeDecodeError as error:
        raise BadInputError(
            Fault(file, 0, "(file)", f"byte {error.start} is not UTF-8; allowed UTF-8 text")
        ) from None


class _Reader:
    """Turns the text of a file into plain values, and notes the line of each."""

    def __init__(self, file: str, text: str, lines: dict[Location, int]) -> None:
        self._file = file
        self._text = text
        self._lines = lines
        self._count = 0
        self._loader: Any = None

    def plain(self) -> dict[str, Any]:
        try:
            self._loader = yaml.CSafeLoader(self._text)
            root = self._loader.get_single_node()
            value = None if root is None else self._value(root, (), frozenset())
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = " ".join(str(error.problem or error.context).split())
            raise self._error(mark.line if mark else -1, (), f"{what}; allowed valid YAML") from None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            what = " ".join(str(error).split()) or type(error).__name__
            raise self._error(-1, (), f"{what}; allowed valid YAML") from None
        if not isinstance(value, dict):
            read = "nothing" if value is None else f"a {type(value).__name__}"
            raise self._error(0, (), f"read {read}; allowed a mapping of keys")
        return value

    def _value(self, node: yaml.Node, location: Location, above: frozenset[int]) -> Any:
        """The value of *node*; *above* holds what encloses it, against aliases to itself."""
        self._count += 1
        if id(node) in above or self._count > _NODES:
            raise self._error(
                node.start_mark.line, location, "read aliases without end; allowed finite data"
            )
        inside = above | {id(node)}
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location, inside)
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._lines[*location, index] = item.start_mark.line + 1
            return [self._value(v, (*location, i), inside) for i, v in enumerate(node.value)]
        value = self._loader.construct_object(node)
        if value is None or isinstance(value, (bool, int, float, str, date, datetime)):
            return value
        raise self._error(
            node.start_mark.line, location, f"read a {type(value).__name__}; allowed plain values"
        )

    def _mapping(
        self, node: yaml.MappingNode, location: Location, inside: frozenset[int]
    ) -> dict[str, Any]:
        written = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        self._loader.flatten_mapping(node)  # the keys of a merge (<<) come first, ours win
        result: dict[str, Any] = {}
        for key, item in node.value:
            name = self._loader.construct_object(key) if isinstance(key, yaml.ScalarNode) else None
            line = key.start_mark.line
            if not isinstance(name, str):
                shown = name if isinstance(key, yaml.ScalarNode) else "a mapping or list"
                raise self._error(line, location, f"read the key {shown}; allowed text keys")
            if name in result and written.count(name) > 1:
                raise self._error(line, (*location, name), "read a second time; allowed once")
            self._lines[*location, name] = line + 1
            result[name] = self._value(item, (*location, name), inside)
        return result

    def _error(self, line: int, location: Location, message: str) -> BadInputError:
        key = ".".join(str(part) for part in location) or "(file)"
        return BadInputError(Fault(self._file, line + 1, key, message))


_ALLOWED = {
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length} of them",
    "string_pattern_mismatch": "text like {pattern}",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a mapping of keys",
    "model_type": "a mapping of keys",
    "model_attributes_type": "a mapping of keys",
    "tuple_type": "a list",
    "list_type": "a list",
    "literal_error": "{expected}",
    "date_from_datetime_parsing": "a date such as 2026-08-14",
    "date_from_datetime_inexact": "a date such as 2026-08-14",
    "date_parsing": "a date such as 2026-08-14",
    "date_type": "a date such as 2026-08-14",
}


def _message(item: Any, model: type[BaseModel]) -> str:
    kind, context = item["type"], item.get("ctx", {})
    read = _shown(item["input"])
    if kind == "missing":
        return "missing; allowed a value, since there is no default"
    if kind == "extra_forbidden":
        return f"unknown key{_near(str(item['loc'][-1]), _keys_only(item['loc'][:-1], model), model)}"
    if kind == "value_error":
        text = str(context["error"])
        return text if "; allowed" in text or text.startswith("read ") else f"read {read}; {text}"
    if kind in _ALLOWED:
        return f"read {read}; allowed {_ALLOWED[kind].format(**context)}"
    return f"read {read}; {item['msg'][0].lower()}{item['msg'][1:]}"


def _shown(value: object) -> str:
    """A value as a message shows it: short, and of a mapping its keys alone."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = "nothing" if value is None else repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _near(key: str, location: Location, model: type[BaseModel]) -> str:
    """``; allowed a, b`` for the model at *location*, with the nearest key first."""
    keys = _keys(model, location)
    close = difflib.get_close_matches(key, keys, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    return f"{hint}; allowed {', '.join(keys)}" if keys else hint


def _keys_only(location: Location, model: type[BaseModel]) -> Location:
    """Without the parts that name a branch of a union or a tag."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    node: dict[str, Any] | None = schema
    real: list[str | int] = []
    for part in location:
        below = None if node is None else _step(node, part, definitions)
        if below is None and node is not None and part in _TAGS:
            continue
        real.append(part)
        node = below
    return tuple(real)


_TAGS = ("count", "range")
"""The tags of the unions in our models: how many replicas, or a range of them."""


def _keys(model: type[BaseModel], location: Location) -> list[str]:
    """The keys of the model that the schema of *model* has at *location*."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    node: dict[str, Any] = schema
    for part in location:
        node = _step(node, part, definitions) or node
    return sorted(_resolve(node, definitions).get("properties", {}))


def _resolve(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[-1]]
    branches = [_resolve(b, definitions) for b in node.get("anyOf", node.get("oneOf", []))]
    return next((b for b in branches if b.get("type") in ("object", "array")), node)


def _step(
    node: dict[str, Any], part: str | int, definitions: dict[str, Any]
) -> dict[str, Any] | None:
    """The schema of *part* below *node*; None where the schema has no such part."""
    node = _resolve(node, definitions)
    if isinstance(part, int):
        items = node.get("items")
        return dict(items) if isinstance(items, dict) else None
    if part in node.get("properties", {}):
        return dict(node["properties"][part])
    rest = node.get("additionalProperties")
    return dict(rest) if isinstance(rest, dict) else None
