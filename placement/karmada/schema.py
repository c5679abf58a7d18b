"""What the schema of a kind says of an object: missing, unknown and mistyped fields.

Owns the wording of what the models find, as errors of a field like those of the webhook. The API
server checks the same against the published definition before any webhook is asked, and says it
in words of its own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from placement.karmada.field_errors import (
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
    type_invalid,
)
from placement.karmada.meta import WireModel


class _Metadata(BaseModel):
    """The metadata that the rules read; the rest is the API server's."""

    model_config = ConfigDict(extra="ignore")

    name: str | None = None
    namespace: str | None = None
    labels: dict[str, str] | None = Field(default=None)
    annotations: dict[str, str] | None = Field(default=None)


def spec_errors(spec: object, model: type[WireModel]) -> list[FieldError]:
    """Return every error of a spec against its model, in the order of the model.

    Args:
        spec: the spec in wire form; anything goes.
        model: the model of the spec.
    """
    return list(_errors(spec, model, "spec"))


def metadata_shape_errors(metadata: object) -> list[FieldError]:
    """Return every error in the types of an object's metadata; anything goes."""
    return list(_errors({} if metadata is None else metadata, _Metadata, "metadata"))


def _errors(value: object, model: type[BaseModel], root: str) -> Iterator[FieldError]:
    try:
        # JSON, because its strict mode knows lists where Python's asks for tuples.
        model.model_validate_json(
            json.dumps(_without_nulls(value), default=str),
            strict=True,
            by_alias=True,
            by_name=False,
        )
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            path = root + "".join(map(_step, fault["loc"]))
            yield _worded(path, fault)


def _without_nulls(value: Any) -> Any:
    """Return a copy without the nulls, which the API server drops before it looks."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _step(part: str | int) -> str:
    if isinstance(part, str) and re.fullmatch(r"[A-Za-z0-9_]+", part):
        return f".{part}"
    return f"[{part}]"


def _worded(path: str, fault: Mapping[str, Any]) -> FieldError:
    kind, value = fault["type"], fault["input"]
    if kind == "missing":
        return required(path)
    if kind == "extra_forbidden":
        return forbidden(path, "unknown field")
    if kind == "literal_error":
        allowed = re.findall(r"'([^']*)'", fault["ctx"]["expected"])
        return not_supported(path, value, allowed)
    if kind.endswith("_type"):
        return type_invalid(path, value, fault["msg"])
    return invalid(path, value, fault["msg"])
