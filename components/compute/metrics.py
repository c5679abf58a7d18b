"""An agent that sends a cluster's metrics to the carrier and keeps none.

Owns the map from the settings to the chart: Prometheus as an agent, what it scrapes, and no
dashboards, rules or alerts, which are the carrier's.
"""

from typing import Any

from components.settings.compute import Metrics

TOKEN_SECRET, TOKEN_KEY = "federation-remote-write", "token"
"""The Secret with the token of the receiver, and its key."""


def values(spec: Metrics, cluster: str, *, with_token: bool) -> dict[str, Any]:
    """The values of the chart.

    Args:
        spec: the settings.
        cluster: by which the carrier tells the metrics of one cluster from another's.
        with_token: whether the receiver asks for a token.
    """
    receiver: dict[str, Any] = {"url": spec.remote_write}
    if with_token:
        secret = {"name": TOKEN_SECRET, "key": TOKEN_KEY}
        receiver["authorization"] = {"type": "Bearer", "credentials": secret}
    return {
        "alertmanager": {"enabled": False},
        "grafana": {"enabled": False},
        "defaultRules": {"create": False},
        "prometheus": {
            "agentMode": True,
            "prometheusSpec": {
                "externalLabels": {"cluster": cluster},
                "remoteWrite": [receiver],
            },
        },
    }
