"""What Prometheus scrapes of the control plane: monitors of pods, for the chart's values.

Each pod's job is its ``app.kubernetes.io/name``. Of Karmada's API servers the metrics are for those
whom RBAC lets: the identity belongs to ``system:monitoring``, which every API server knows.
"""

from typing import Any

from components.carrier import etcd
from components.carrier.monitoring import predictions
from components.carrier.names import INSTANCE, MONITORING, NAMESPACE

CREDENTIALS = f"{INSTANCE}-metrics"
"""The Secret with the identity, in the namespace of the monitors."""

GROUP = "system:monitoring"


def monitors() -> list[dict[str, Any]]:
    """The monitors."""
    plain = ["karmada-controller-manager", "karmada-scheduler", "karmada-webhook"]
    named = {"key": "app.kubernetes.io/name", "operator": "In", "values": plain}
    secure = {
        "port": "http",
        "scheme": "https",
        "tlsConfig": {
            "serverName": f"{INSTANCE}-apiserver.{NAMESPACE}.svc",
            "ca": _held("ca.crt"),
            "cert": _held("tls.crt"),
            "keySecret": {"name": CREDENTIALS, "key": "tls.key"},
        },
    }
    api = {"app.kubernetes.io/name": "karmada-apiserver", "app.kubernetes.io/instance": INSTANCE}
    return [
        _monitor("karmada", {"matchExpressions": [named]}, {"port": "metrics"}),
        _monitor("karmada-apiserver", {"matchLabels": api}, secure),
        _monitor("etcd", {"matchLabels": etcd.LABELS}, {"port": "metrics"}),
        # Its series name namespaces of their own.
        _monitor(
            "predictions",
            {"matchLabels": predictions.LABELS},
            {"port": "metrics", "honorLabels": True},
            MONITORING,
        ),
    ]


def _monitor(
    name: str, selector: dict[str, Any], endpoint: dict[str, Any], namespace: str = NAMESPACE
) -> dict[str, Any]:
    return {
        "name": f"federation-{name}",
        "jobLabel": "app.kubernetes.io/name",
        "selector": selector,
        "namespaceSelector": {"matchNames": [namespace]},
        "podMetricsEndpoints": [endpoint],
    }


def _held(key: str) -> dict[str, Any]:
    return {"secret": {"name": CREDENTIALS, "key": key}}
