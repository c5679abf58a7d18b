"""Grafana's dashboards, from the table of their panels.

Owns their form: two panels to a row, all of one kind. Grafana's own JSON says the same in thousands
of lines, which nobody reviews.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_name("dashboards.yaml")
LABEL = "grafana_dashboard"
"""By which the chart's sidecar finds a dashboard's ConfigMap."""

_WIDTH, _HEIGHT, _COLUMNS = 12, 8, 2


def read() -> list[dict[str, Any]]:
    """The table of dashboards."""
    found: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


def config_map(dashboard: Mapping[str, Any], namespace: str) -> dict[str, Any]:
    """The ConfigMap with which Grafana is given *dashboard*."""
    name = dashboard["name"]
    content = {
        "uid": name,
        "title": dashboard["title"],
        "tags": ["federation"],
        "timezone": "utc",
        "time": {"from": "now-6h", "to": "now"},
        "refresh": "1m",
        "schemaVersion": 39,
        "panels": list(_panels(dashboard["panels"])),
    }
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace, "labels": {LABEL: "1"}},
        "data": {f"{name}.json": json.dumps(content, indent=1, sort_keys=True)},
    }


def _panels(panels: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for index, panel in enumerate(panels):
        row, column = divmod(index, _COLUMNS)
        yield {
            "id": index + 1,
            "type": "timeseries",
            "title": panel["title"],
            "datasource": {"type": "prometheus", "uid": "prometheus"},
            "fieldConfig": {"defaults": {"unit": panel["unit"], "min": 0}, "overrides": []},
            "gridPos": {"x": column * _WIDTH, "y": row * _HEIGHT, "w": _WIDTH, "h": _HEIGHT},
            "targets": [
                {"refId": chr(ord("A") + at), "expr": expression, "legendFormat": legend}
                for at, (legend, expression) in enumerate(panel["queries"].items())
            ],
        }
