"""The JSON that Go writes for a Karmada object, made from the models.

Owns which fields Go leaves out and in which order it writes the others. Karmada's mutating webhook
decodes and re-encodes every policy, so this is the form in which a policy is stored; and its
validating webhook quotes faulty values in it.

Source: ``encoding/json`` of Go with the tags of ``pkg/apis/policy/v1alpha1`` in Karmada.
"""

from collections.abc import Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from placement.karmada.meta import OmitZero, RawJson, WireModel


def manifest(model: WireModel) -> dict[str, Any]:
    """Return the wire form of a model: camelCase, no nulls, keys in the order of the Go struct.

    For a whole object that order is ``apiVersion``, ``kind``, ``metadata``, ``spec``, ``status``.
    Fields with a default of the CRD are written out, so that the server has nothing to add.
    """
    return encode(model.model_dump(mode="json", by_alias=True), type(model))


def encode(
    value: Mapping[str, Any], model: type[WireModel], *, nulls: bool = False
) -> dict[str, Any]:
    """Return *value* as Go would write it after reading it into the struct of *model*.

    Fields that the struct does not have are dropped, maps are sorted by key, and empty values
    with ``omitempty`` go. Nothing is validated: a value of a wrong type stays as it is.

    Args:
        value: the wire form, complete or not.
        model: the model that mirrors the Go struct.
        nulls: write the null that Go writes for an absent raw value; the API server takes it out
            again before it stores the object.
    """
    encoded: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        key = wire_name(name, field)
        if nulls and _is_marked(field, RawJson) and value.get(key) is None:
            encoded[key] = None
        if key not in value:
            continue
        item = _encode_value(value[key], field.annotation, nulls=nulls)
        if not _omitted(item, field):
            encoded[key] = item
    return encoded


def wire_name(name: str, field: FieldInfo) -> str:
    """Return the camelCase name of a model's field."""
    return field.alias or name


def schema_default(field: FieldInfo) -> str | int | None:
    """Return the default that the published CRD states for a field; None where it states none."""
    default = field.default
    if not isinstance(default, str | int) or _is_marked(field, OmitZero):
        return None
    return default


def nested_model(annotation: object) -> type[WireModel] | None:
    """Return the model inside an annotation such as ``M``, ``M | None`` or ``tuple[M, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, WireModel):
        return annotation
    if get_origin(annotation) in (Union, UnionType, tuple):
        for argument in get_args(annotation):
            if (model := nested_model(argument)) is not None:
                return model
    return None


def _encode_value(value: object, annotation: object, *, nulls: bool) -> object:
    model = nested_model(annotation)
    if isinstance(value, Mapping):
        if model is not None:
            return encode(value, model, nulls=nulls)
        return {key: _encode_value(value[key], None, nulls=nulls) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_encode_value(item, annotation, nulls=nulls) for item in value]
    return value


def _omitted(value: object, field: FieldInfo) -> bool:
    if value is None:
        return True
    if field.is_required() or _is_marked(field, RawJson):
        return False
    if isinstance(value, bool | int):
        return not value and _is_marked(field, OmitZero)
    if isinstance(value, dict):
        # An empty struct behind a pointer is written; an empty map is not.
        return not value and nested_model(field.annotation) is None
    return value in ("", [])


def _is_marked(field: FieldInfo, mark: type[OmitZero | RawJson]) -> bool:
    return any(isinstance(each, mark) for each in field.metadata)
