"""karmada-agent in a member: two of them, of which one acts.

Owns its Deployment and the budget of its disruptions. What it may do, and as whom, is ``pull``'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.compute.membership.side import SYSTEM, Side

NAMESPACE = "karmada-system"
"""Of the agent, in the member."""

SECRET = "karmada-kubeconfig"  # noqa: S105 - a name
"""The Secret with the kubeconfig of the Karmada API, and its key."""

NAME = "karmada-agent"
_FOLDER = "/etc/kubeconfig"
_HEALTH = 10357
_LABELS = {"app": NAME}


@dataclass(frozen=True)
class Agent:
    """An agent.

    Attributes:
        cluster: the name of its member.
        endpoint: the member's API, as the ``Cluster`` object names it.
        image: what it runs.
    """

    cluster: str
    endpoint: pulumi.Input[str]
    image: str


def agent(
    member: Side,
    wanted: Agent,
    account: str,
    credentials: pulumi.Output[str],
    after: Sequence[pulumi.Resource],
) -> pulumi.Resource:
    """Run *wanted*, as *account*; it starts anew when *credentials* are others."""
    budget = member.put(
        ("policy/v1", "PodDisruptionBudget"),
        NAME,
        {"spec": {"minAvailable": 1, "selector": {"matchLabels": _LABELS}}},
        namespace=NAMESPACE,
        after=after,
    )
    return kubernetes.apps.v1.Deployment(
        f"{member.prefix}-{NAME}",
        metadata={"name": NAME, "namespace": NAMESPACE, "labels": SYSTEM},
        spec={
            "replicas": 2,
            "selector": {"match_labels": _LABELS},
            "template": {
                "metadata": {
                    "labels": _LABELS,
                    # It reads its kubeconfig once, when it starts.
                    "annotations": {"federation/credentials": credentials},
                },
                "spec": _pod(wanted, account),
            },
        },
        opts=member.options([*after, budget]),
    )


def _pod(wanted: Agent, account: str) -> dict[str, object]:
    apart = {
        "pod_affinity_term": {
            "label_selector": {"match_labels": _LABELS},
            "topology_key": "kubernetes.io/hostname",
        },
        "weight": 100,
    }
    return {
        "service_account_name": account,
        "priority_class_name": "system-cluster-critical",
        "affinity": {
            "pod_anti_affinity": {"preferred_during_scheduling_ignored_during_execution": [apart]}
        },
        # Any node will do: without it the member gets nothing at all.
        "tolerations": [{"operator": "Exists", "effect": "NoSchedule"}],
        "containers": [
            {
                "name": NAME,
                "image": wanted.image,
                "command": ["/bin/karmada-agent", *_flags(wanted)],
                "liveness_probe": {
                    "http_get": {"path": "/healthz", "port": _HEALTH},
                    "initial_delay_seconds": 15,
                    "period_seconds": 15,
                },
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
                "security_context": {
                    "allow_privilege_escalation": False,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volume_mounts": [{"name": "kubeconfig", "mount_path": _FOLDER}],
            }
        ],
        "volumes": [{"name": "kubeconfig", "secret": {"secret_name": SECRET}}],
    }


def _flags(wanted: Agent) -> list[pulumi.Input[str]]:
    """What it registers must be what the ``Cluster`` object says: it may not change that, and ends.

    So it says no more than it has to. Provider, region and zones are said by the object alone: they
    may change, and an agent that knew others would not become ready before the object has them.
    """
    return [
        f"--karmada-kubeconfig={_FOLDER}/{SECRET}",
        f"--cluster-name={wanted.cluster}",
        pulumi.Output.concat("--cluster-api-endpoint=", wanted.endpoint),
        "--report-secrets=None",
        # A namespace that goes with the member, and the Lease with it.
        f"--leader-elect-resource-namespace=karmada-es-{wanted.cluster}",
        "--metrics-bind-address=:8080",
        f"--health-probe-bind-address=0.0.0.0:{_HEALTH}",
    ]
