"""How many replicas of one thing a drain may take at once."""

from collections.abc import Mapping

import pulumi

from components.resource import KubernetesObject


def one_at_a_time(
    name: str, namespace: str, labels: Mapping[str, str], opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    """A disruption budget: of the pods with *labels*, a drain takes one at a time."""
    content = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": dict(labels)}},
    }
    return KubernetesObject(f"{name}-disruption", content, opts)
