"""The values that components pass: every key exists in the chart, with its type.

The published values are the judge, and the published schema where a chart has one and the values
leave a key out. What neither knows, because it belongs to a chart within the chart, or to an object
that the chart hands on whole, stands in a table with its reason; the real charts judge that,
rendered (``docs/measured/charts.json``).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from components.catalogue import catalogue
from lab.measure.chart_values import rows
from tests.charts import published

Plain = dict[str, Any]

VALUES = [(chart, values) for chart, values in rows() if values]

_WITHIN = {
    "gpu-operator": ("node-feature-discovery",),
    "kube-prometheus-stack": (
        "crds",
        "grafana",
        "kube-state-metrics",
        "prometheus-node-exporter",
    ),
    "rook-ceph": ("ceph-csi-operator",),
}
"""Charts within charts, whose values the outer one publishes in part."""

_IN_COMMENTS = {"rancher": (("hostname",),)}
"""What has no default, and so stands in the published values as a comment alone."""

_HANDED_ON = {
    "descheduler": ("deschedulerPolicy",),  # a DeschedulerPolicy
    "hcloud-cloud-controller-manager": ("args", "env"),  # flags and variables of the controller
}
"""What a chart hands on whole: the keys are of another kind than the chart's."""


def _leaves(values: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value that is no map, with its path; an empty map is a value."""
    if isinstance(values, Mapping) and values:
        for key, value in values.items():
            yield from _leaves(value, (*path, key))
    else:
        yield path, values


def _fault(chart: str, path: tuple[str, ...], value: Any) -> str | None:
    """What is wrong with passing *value* at *path* to *chart*; None where nothing is."""
    if path[0] in _HANDED_ON.get(chart, ()):
        return None
    there: Any = yaml.safe_load(_text(chart, "values.yaml"))
    for depth, key in enumerate(path):
        if there is None or there == {}:
            return None  # nothing is published of what may be below
        if not isinstance(there, dict):
            return f"{'.'.join(path)}: {'.'.join(path[:depth])} is no map"
        if key not in there:
            known = (
                _in_schema(chart, path)
                or path[0] in _WITHIN.get(chart, ())
                or path in _IN_COMMENTS.get(chart, ())
            )
            return None if known else f"{'.'.join(path)}: the chart has no such value"
        there = there[key]
    if there is None or _kind(there) == _kind(value):
        return None
    return f"{'.'.join(path)}: read {_kind(value)}; allowed {_kind(there)}"


def _kind(value: Any) -> str:
    for kind, name in ((bool, "boolean"), ((int, float), "number"), (str, "text"), (list, "list")):
        if isinstance(value, kind):
            return name
    return "map"


def _in_schema(chart: str, path: tuple[str, ...]) -> bool:
    file = published(chart, "values.schema.json")
    if file is None:
        return False
    whole = json.loads(file.read_text("utf-8"))
    there = whole
    for key in path:
        while "$ref" in there:
            there = whole["$defs"][there["$ref"].rpartition("/")[2]]
        if key not in there.get("properties", {}):
            return False
        there = there["properties"][key]
    return True


def _text(chart: str, file: str) -> str:
    path = published(chart, file)
    if path is None:
        pytest.skip(f"REFERENCE_DIR has no {file} of {chart}")
    return path.read_text("utf-8")


@pytest.mark.parametrize(("chart", "values"), VALUES, ids=[chart for chart, _ in VALUES])
def test_every_value_is_published_with_its_type(chart: str, values: Plain) -> None:
    """No key is passed that the chart would ignore, and none of another type than it reads."""
    faults = [_fault(chart, path, value) for path, value in _leaves(values)]
    assert [fault for fault in faults if fault] == []


def test_every_chart_of_the_catalogue_has_values_here() -> None:
    """A chart that a component comes to install is judged too."""
    charts = {each.name for each in catalogue().entries if each.install != "manifest"}
    assert charts == {chart for chart, _ in rows()}


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("persistence", "reclaimPolicy"), "Retain", None),
        (("persistence", "reclaimPolcy"), "Retain", "the chart has no such value"),
        (("persistence", "defaultClass"), "false", "read text; allowed boolean"),
        (("persistence", "defaultClassReplicaCount"), True, "read boolean; allowed number"),
        (("persistence", "defaultClass", "name"), "x", "persistence.defaultClass is no map"),
        (("defaultSettings", "defaultReplicaCount"), "3", None),
    ],
)
def test_a_wrong_value_is_found(path: tuple[str, ...], value: Any, fault: str | None) -> None:
    """A key with a slip, a value of another type and a map in place of a value are faults."""
    found = _fault("longhorn", path, value)
    assert found == (f"{'.'.join(path)}: {fault}" if fault else None)


def test_a_schema_knows_what_the_values_leave_out() -> None:
    """A key that the values only mention in a comment exists where the chart's schema has it."""
    assert _fault("cert-manager", ("image", "registry"), "a") is None
    assert _fault("cert-manager", ("image", "regstry"), "a") is not None
