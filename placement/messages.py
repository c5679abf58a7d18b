"""The words for what a model refuses: ``read X; allowed Y``, at the keys of the input.

Owns the translation of pydantic's validation errors. It does not know files: ``document.py`` does.
"""

import difflib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from placement.faults import Location


def describe(error: ValidationError, model: type[BaseModel]) -> Iterator[tuple[Location, str]]:
    """What a validation error of *model* says: where, and ``read X; allowed Y``.

    The location holds keys and indices of the input alone, not the branches of unions.
    """
    items = error.errors(include_url=False)
    places = {item["loc"][:depth] for item in items for depth in range(len(item["loc"]))}
    for item in items:
        if item["type"] == "too_short" and item["loc"] in places:
            continue  # it only lacks what is wrong inside it
        yield _keys_only(item["loc"], model), _message(item, model)


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
    "union_tag_not_found": "a mapping with the key {discriminator}",
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
        return f"unknown key{_near(str(item['loc'][-1]), item['loc'][:-1], model)}"
    if kind == "union_tag_invalid":
        return "read {tag!r} as {discriminator}; allowed {expected_tags}".format(**context)
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
        if below is None and node is not None and part in _branches(node):
            node = definitions[_branches(node)[part]]
            continue
        if part == "[key]":
            continue  # pydantic's word for the key itself, which is the part before
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
        branch = _branches(node).get(part)
        node = _step(node, part, definitions) or (definitions[branch] if branch else node)
    return sorted(_resolve(node, definitions).get("properties", {}))


def _resolve(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[-1]]
    branches = [_resolve(b, definitions) for b in node.get("anyOf", node.get("oneOf", []))]
    return next((b for b in branches if b.get("type") in ("object", "array")), node)


def _branches(node: dict[str, Any]) -> dict[str | int, str]:
    """The definitions that a union told apart by a key of its own has, by that key's value."""
    mapping = node.get("discriminator", {}).get("mapping", {})
    return {tag: reference.rsplit("/", 1)[-1] for tag, reference in mapping.items()}


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
