"""CustomResourceDefinitions made from the models, for an API server without Karmada.

Owns the translation of the models into structural OpenAPI v3 schemas. Where Karmada itself runs,
its own definitions apply, and Cluster comes from an aggregated API server instead.

Source: the CRDs that Karmada 1.18 publishes.
"""

from functools import cache
from typing import Any, Final

from pydantic.fields import FieldInfo

from placement.karmada.encoding import nested_model, schema_default, wire_name
from placement.karmada.kinds import KINDS, Served
from placement.karmada.meta import WireModel

_KEPT: Final = frozenset(
    {
        "type",
        "format",
        "enum",
        "pattern",
        "minimum",
        "maximum",
        "minItems",
        "minLength",
        "maxLength",
        "x-kubernetes-int-or-string",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields",
    }
)
"""What a structural schema takes over from pydantic's; its titles and nulls have no place there."""


def custom_resource_definitions() -> list[dict[str, Any]]:
    """Return the definitions of every kind of this package, for ``apiextensions.k8s.io/v1``."""
    return [_definition(served) for served in KINDS]


def _definition(served: Served) -> dict[str, Any]:
    group, _, version = served.api_version.partition("/")
    kind = served.kind
    names: dict[str, Any] = {
        "kind": kind,
        "listKind": f"{kind}List",
        "plural": served.plural,
        "singular": kind.lower(),
    }
    if served.short_names:
        names["shortNames"] = list(served.short_names)
    if served.categories:
        names["categories"] = list(served.categories)
    served_version: dict[str, Any] = {
        "name": version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": _root_schema(served.model)},
    }
    if served.columns:
        served_version["additionalPrinterColumns"] = [
            column.manifest() for column in served.columns
        ]
    if "status" in served.model.model_fields:
        served_version["subresources"] = {"status": {}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{served.plural}.{group}"},
        "spec": {
            "group": group,
            "names": names,
            "scope": served.scope,
            "versions": [served_version],
        },
    }


def _root_schema(model: type[WireModel]) -> dict[str, Any]:
    """Return the schema of a whole object, whose type and metadata the API server checks itself."""
    schema = _object_schema(model)
    schema["properties"] |= {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
    }
    schema["required"] = ["spec"]
    return schema


@cache  # every field of a model asks for it again
def _json_schema(model: type[WireModel]) -> dict[str, Any]:
    return model.model_json_schema(by_alias=True)


def _object_schema(model: type[WireModel]) -> dict[str, Any]:
    raw = _json_schema(model)
    summary = (model.__doc__ or "").partition("\n\n")[0]
    schema: dict[str, Any] = {
        "description": " ".join(summary.split()),
        "type": "object",
        "properties": {
            key: _field_schema(raw["properties"][key], field)
            for name, field in model.model_fields.items()
            for key in [wire_name(name, field)]
        },
    }
    if required := raw.get("required"):
        schema["required"] = sorted(required)
    return schema | {key: raw[key] for key in raw if key.startswith("x-kubernetes-")}


def _field_schema(raw: dict[str, Any], field: FieldInfo) -> dict[str, Any]:
    schema = _structural(raw)
    if (model := nested_model(field.annotation)) is not None:
        nested = _object_schema(model)
        schema = {**schema, "items": nested} if "items" in raw else nested
    if (default := schema_default(field)) is not None:
        schema["default"] = default
    return schema


def _structural(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the structural form of a JSON schema without objects in it."""
    alternatives = [each for each in raw.get("anyOf", []) if each != {"type": "null"}]
    if len(alternatives) == 1:  # X | None: on the wire an absent field stands for null
        raw = {**raw, **alternatives[0]}
        alternatives = alternatives[0].get("anyOf", [])
    schema = {key: value for key, value in raw.items() if key in _KEPT}
    if alternatives:
        schema["anyOf"] = alternatives
    if "const" in raw:
        schema["enum"] = [raw["const"]]
    if "items" in raw and "$ref" not in raw["items"]:
        schema["items"] = _structural(raw["items"])
    if isinstance(raw.get("additionalProperties"), dict):
        schema["additionalProperties"] = _structural(raw["additionalProperties"])
    return schema
