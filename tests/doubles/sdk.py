"""The schema of a package from its Python SDK, where the published one is not at hand.

The SDK's classes are generated from that schema: names, types and what is required are the same.
What replaces a resource is not in them; a double is told.
"""

import inspect
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi import _types as types

from tests.doubles.schema import Plain, Schema

_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number"}


def sdk_schema(*resources: type[pulumi.CustomResource]) -> Schema:
    """The schema of *resources*."""
    nested: Plain = {}
    return Schema(
        {
            "resources": {_token(each): _resource(each, nested) for each in resources},
            "types": nested,
            "functions": {},
        }
    )


def _token(resource: type[pulumi.CustomResource]) -> str:
    return str(vars(resource)["pulumi_type"])


def _resource(resource: type[pulumi.CustomResource], nested: Plain) -> Plain:
    arguments = getattr(sys.modules[resource.__module__], f"{resource.__name__}Args")
    taken = _object(arguments, nested)
    computed = set(types.resource_types(resource)) - set(taken["properties"])
    return {
        "inputProperties": taken["properties"],
        "requiredInputs": taken["required"],
        "required": sorted(computed),
    }


def _object(arguments: type, nested: Plain) -> Plain:
    names = types.input_type_py_to_pulumi_names(arguments)
    parameters = inspect.signature(arguments).parameters
    required = [
        names[name]
        for name, parameter in parameters.items()
        if name in names and parameter.default is inspect.Parameter.empty
    ]
    found = types.input_type_types(arguments)
    return {
        "properties": {name: _property(kind, nested) for name, kind in found.items()},
        "required": required,
    }


def _property(kind: Any, nested: Plain) -> Plain:
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is Sequence:
        return {"type": "array", "items": _property(types.unwrap_type(inner[0]), nested)}
    if origin is Mapping:
        value = _property(types.unwrap_type(inner[1]), nested)
        return {"type": "object", "additionalProperties": value}
    if types.is_input_type(kind):
        if kind.__name__ not in nested:
            nested[kind.__name__] = {}
            nested[kind.__name__] = _object(kind, nested)
        return {"$ref": f"#/types/{kind.__name__}"}
    raise TypeError(f"no schema for {kind}")
