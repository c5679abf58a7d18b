"""The values of kube-prometheus-stack: two of everything that is asked, three of what decides.

Owns the settings of the chart. What is scraped, alerted on and drawn stands in the modules beside.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from components.carrier.monitoring.dashboards import LABEL
from components.carrier.monitoring.scrapes import monitors
from components.settings.carrier import Monitoring

ALERTS = Path(__file__).with_name("alerts.yaml")
ADMINISTRATOR = "grafana-administrator"
"""The Secret with the password of Grafana's own administrator."""

_BUDGET = {"enabled": True, "minAvailable": 1}
_ELSEWHERE = ("kubeControllerManager", "kubeEtcd", "kubeScheduler", "kubeProxy")
"""Parts of the cluster's own control plane: k3s and managed clusters do not show them, and a target
that is never there would alert for ever."""


def alerts() -> dict[str, Any]:
    """The project's rules, in Prometheus' own form."""
    found: dict[str, Any] = yaml.safe_load(ALERTS.read_text("utf-8"))
    return found


def values(
    spec: Monitoring, storage_class: str | None, ends: Any, grafana: Mapping[str, Any]
) -> dict[str, Any]:
    """The chart's values.

    Args:
        spec: the settings.
        storage_class: of the volumes; None: the cluster's default.
        ends: the rules that say when certificates end.
        grafana: of Grafana, how people log in.
    """
    # A new target or rule counts wherever it is declared: this is the only Prometheus here.
    everywhere = {
        f"{kind}SelectorNilUsesHelmValues": False
        for kind in ("serviceMonitor", "podMonitor", "rule", "probe")
    }
    return {
        "additionalPrometheusRulesMap": {
            "federation": alerts(),
            "federation-certificate-ends": ends,
        },
        **{part: {"enabled": False} for part in _ELSEWHERE},
        "prometheus": {
            "podDisruptionBudget": _BUDGET,
            "additionalPodMonitors": monitors(),
            "prometheusSpec": {
                "replicas": 2,
                "podAntiAffinity": "hard",
                "retention": f"{spec.retention_days}d",
                "enableRemoteWriteReceiver": True,
                "storageSpec": _claim(spec.storage, storage_class),
                **everywhere,
            },
        },
        "alertmanager": {
            "podDisruptionBudget": _BUDGET,
            "alertmanagerSpec": {
                "replicas": 3,
                "podAntiAffinity": "hard",
                "storage": _claim("1Gi", storage_class),
            },
        },
        "grafana": {
            "admin": {"existingSecret": ADMINISTRATOR},
            "defaultDashboardsEditable": False,
            "sidecar": {"dashboards": {"enabled": True, "label": LABEL}},
            **grafana,
        },
    }


def _claim(storage: str, storage_class: str | None) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": storage}},
    }
    if storage_class is not None:
        spec["storageClassName"] = storage_class
    return {"volumeClaimTemplate": {"spec": spec}}
