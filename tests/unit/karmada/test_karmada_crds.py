"""The CustomResourceDefinitions are structural, and equal to those that Karmada publishes."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from placement.karmada.crds import custom_resource_definitions

_PUBLISHED = tuple(
    each["spec"]["names"]["plural"]
    for each in custom_resource_definitions()
    if each["spec"]["names"]["kind"] != "Cluster"
)


def _definition(name: str) -> dict[str, Any]:
    """Return one of the definitions, by plural or short name."""
    (found,) = (
        each
        for each in custom_resource_definitions()
        if name in (each["spec"]["names"]["plural"], *each["spec"]["names"].get("shortNames", ()))
    )
    return found


def _schema(definition: Mapping[str, Any]) -> Any:
    (version,) = definition["spec"]["versions"]
    return version["schema"]["openAPIV3Schema"]


def _nodes(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every path of a schema with its node."""
    yield path, schema
    for name, node in schema.get("properties", {}).items():
        yield from _nodes(node, f"{path}.{name}")
    for key, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if key in schema:
            yield from _nodes(schema[key], f"{path}{mark}")


def _facts(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a schema demands at every path: all but descriptions and structure."""
    structure = ("description", "properties", "items", "additionalProperties")
    return {
        path: {
            key: sorted(value) if key == "required" else value
            for key, value in node.items()
            if key not in structure
        }
        for path, node in _nodes(schema)
    }


@pytest.mark.parametrize(
    "name", [each["metadata"]["name"] for each in custom_resource_definitions()]
)
def test_the_schema_is_structural(name: str) -> None:
    """Every node has a type or may be any JSON, and nothing pydantic's own is left."""
    (definition,) = (
        each for each in custom_resource_definitions() if each["metadata"]["name"] == name
    )
    allowed = {
        *("type", "format", "description", "properties", "required", "items", "enum", "default"),
        *("additionalProperties", "pattern", "minimum", "maximum"),
        *("minItems", "minLength", "maxLength"),
        *("x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"),
    }
    for path, node in _nodes(_schema(definition)):
        if node.get("x-kubernetes-int-or-string"):
            assert node["anyOf"] == [{"type": "integer"}, {"type": "string"}], path
            assert "type" not in node, path
        elif node.get("x-kubernetes-preserve-unknown-fields"):
            assert len(node) == 1, path
        else:
            assert "type" in node, path
            assert set(node) <= allowed, path
            assert not ("properties" in node and "additionalProperties" in node), path


def test_clusters_are_shown_as_karmada_shows_them() -> None:
    """Cluster is cluster-scoped, has a status of its own, and kubectl prints Karmada's columns."""
    spec = _definition("clusters")["spec"]
    (version,) = spec["versions"]
    shown = [
        column["name"]
        for column in version["additionalPrinterColumns"]
        if not column.get("priority")
    ]
    assert (spec["group"], spec["scope"]) == ("cluster.karmada.io", "Cluster")
    assert version["subresources"] == {"status": {}}
    assert shown == ["VERSION", "MODE", "READY", "AGE"]


@pytest.mark.parametrize("name", _PUBLISHED)
def test_the_schema_is_the_published_one(name: str) -> None:
    """Every path, type, format, enumeration, default, bound and required list is Karmada's.

    There is no table of exceptions: not one difference is allowed. Cluster is not compared, since
    Karmada serves it from an aggregated API server and publishes no definition of it.
    """
    reference = Path(os.environ.get("REFERENCE_DIR", "")) / "karmada-1.18.2" / "crds"
    if not (os.environ.get("REFERENCE_DIR") and reference.is_dir()):
        pytest.skip("REFERENCE_DIR names no folder with karmada-1.18.2/crds")
    ours = _definition(name)
    group, names = ours["spec"]["group"], ours["spec"]["names"]
    text = (reference / f"{group}_{names['plural']}.yaml").read_text()
    published = yaml.load(text, Loader=yaml.CSafeLoader)
    assert names == published["spec"]["names"]
    assert ours["spec"]["scope"] == published["spec"]["scope"]
    assert ours["metadata"]["name"] == published["metadata"]["name"]
    assert _facts(_schema(ours)) == _facts(_schema(published))
    (our_version,) = ours["spec"]["versions"]
    (version,) = published["spec"]["versions"]
    assert our_version.get("additionalPrinterColumns") == version.get("additionalPrinterColumns")
    assert our_version.get("subresources", {}) == version.get("subresources", {})
