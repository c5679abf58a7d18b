"""The published schema of a Pulumi package: what a resource takes, and what replaces it."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The engine's stand-in for a value that a preview does not know."""

Plain = dict[str, Any]


class Schema:
    """The schema of a package.

    Args:
        content: in the published form.
    """

    def __init__(self, content: Plain) -> None:
        self._resources: Plain = content["resources"]
        self._types: Plain = content.get("types", {})
        self._functions: Plain = content["functions"]

    @classmethod
    def published(cls, file: Path) -> "Schema":
        """The schema in *file*, as published, gzipped."""
        with gzip.open(file) as stream:
            return cls(json.load(stream))

    def faults(self, kind: str, inputs: Plain) -> Iterator[tuple[str, str]]:
        """What is wrong with the inputs of a resource: property and reason."""
        if kind not in self._resources:
            yield "", f"{kind} is no resource of the package"
            return
        resource = self._resources[kind]
        properties = resource["inputProperties"]
        for name in resource.get("requiredInputs", ()):
            if name not in inputs:
                yield name, "missing"
        for name, value in inputs.items():
            if name not in properties:
                yield name, f"unknown; the schema has {', '.join(properties)}"
            else:
                yield from self._wrong(name, properties[name], value)

    def inputs(self, kind: str) -> set[str]:
        """The inputs that a resource takes."""
        return set(self._resources[kind]["inputProperties"])

    def replaces(self, kind: str) -> set[str]:
        """The inputs whose change replaces a resource, as far as the schema says."""
        properties = self._resources[kind]["inputProperties"]
        return {
            name
            for name, spec in properties.items()
            if spec.get("willReplaceOnChanges") or spec.get("replaceOnChanges")
        }

    def deprecated(self, kind: str, inputs: Plain) -> list[str]:
        """The inputs given that the package is about to drop."""
        properties = self._resources[kind]["inputProperties"]
        return [name for name in inputs if "deprecationMessage" in properties.get(name, {})]

    def outputs(self, kind: str) -> set[str]:
        """The outputs that a resource always has."""
        return set(self._resources[kind].get("required", ()))

    def answer_faults(self, function: str, answer: Plain) -> list[tuple[str, str]]:
        """What is wrong with the answer of a function."""
        outputs = self._functions[function]["outputs"]
        absent = [(name, "missing") for name in outputs["required"] if name not in answer]
        properties = outputs["properties"]
        wrong = [w for n, v in answer.items() for w in self._wrong(n, properties[n], v)]
        return absent + wrong

    def _wrong(self, place: str, spec: Plain, value: Any) -> Iterator[tuple[str, str]]:
        if value == UNKNOWN:
            return
        if "$ref" in spec:
            yield from self._wrong_object(place, spec["$ref"], value)
            return
        kind = spec["type"]
        if kind == "array" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._wrong(f"{place}[{index}]", spec["items"], item)
        elif kind == "object" and isinstance(value, dict):
            for key, item in value.items():
                yield from self._wrong(f"{place}.{key}", spec["additionalProperties"], item)
        elif not _is(kind, value):
            yield place, f"read {type(value).__name__}; the schema has {kind}"

    def _wrong_object(self, place: str, reference: str, value: Any) -> Iterator[tuple[str, str]]:
        spec = self._types[reference.removeprefix("#/types/")]
        if not isinstance(value, dict):
            yield place, f"read {type(value).__name__}; the schema has {reference}"
            return
        for name in spec.get("required", ()):
            if name not in value:
                yield f"{place}.{name}", "missing"
        for name, item in value.items():
            if name not in spec["properties"]:
                yield f"{place}.{name}", f"unknown; the schema has {', '.join(spec['properties'])}"
            else:
                yield from self._wrong(f"{place}.{name}", spec["properties"][name], item)


def _is(kind: str, value: Any) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in ("integer", "number"):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (kind == "number" or float(value).is_integer())
    return kind == "string" and isinstance(value, str)
