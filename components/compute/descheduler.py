"""The descheduler: pods off hot nodes, off wrong ones, and off each other.

Owns what it may evict. Pods of critical workloads stay (by the value of their PriorityClass, which
the federation plane gives them), and so does whatever has a volume, a workload's only replica, and
any pod that would fit nowhere else. Their owner's consent is the annotation
``descheduler.alpha.kubernetes.io/evict`` on a pod, which overrules all of that.

Source: kubernetes-sigs/descheduler v0.36.0, ``pkg/framework/plugins``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from components.settings.compute import Descheduler
from placement.emit.standing import PRIORITIES

CRITICAL = PRIORITIES["critical"]
"""The priority from which on a pod is never evicted."""

_BALANCE = (
    "RemoveDuplicates",
    "RemovePodsViolatingTopologySpreadConstraint",
    "LowNodeUtilization",
)
_DESCHEDULE = ("RemovePodsViolatingNodeTaints", "RemovePodsViolatingNodeAffinity")


def values(spec: Descheduler, tolerations: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The values of the chart.

    Args:
        spec: the settings.
        tolerations: of its own pods.
    """
    return {
        # A CronJob would start a pod every few minutes; one that runs keeps its watches.
        "kind": "Deployment",
        "replicas": 2,
        "leaderElection": {"enabled": True},
        "deschedulingInterval": f"{spec.interval_minutes}m",
        "deschedulerPolicy": policy(spec),
        "tolerations": [dict(each) for each in tolerations],
    }


def policy(spec: Descheduler) -> dict[str, Any]:
    """The ``DeschedulerPolicy``, but for its version and kind."""
    evictor = {
        "nodeFit": True,
        "minReplicas": 2,
        "priorityThreshold": {"value": CRITICAL},
        "noEvictionPolicy": "Mandatory",
        "podProtections": {
            # An emptyDir on a plane without state is scratch space.
            "defaultDisabled": ["PodsWithLocalStorage"],
            "extraEnabled": ["PodsWithPVC"],
        },
    }
    utilization = {
        "thresholds": _shares(spec.under_used),
        "targetThresholds": _shares(spec.over_used),
    }
    affinity = {"nodeAffinityType": ["requiredDuringSchedulingIgnoredDuringExecution"]}
    arguments = {
        "DefaultEvictor": evictor,
        "LowNodeUtilization": utilization,
        "RemovePodsViolatingNodeAffinity": affinity,
    }
    # A plugin that is enabled and not named here is an error, also one without arguments.
    configured = ["DefaultEvictor", *_BALANCE, *_DESCHEDULE]
    return {
        "maxNoOfPodsToEvictPerNode": spec.evictions_per_node,
        "profiles": [
            {
                "name": "compute",
                "pluginConfig": [
                    {"name": name, **({"args": arguments[name]} if name in arguments else {})}
                    for name in configured
                ],
                "plugins": {
                    "balance": {"enabled": list(_BALANCE)},
                    "deschedule": {"enabled": list(_DESCHEDULE)},
                },
            }
        ],
    }


def _shares(percent: int) -> dict[str, int]:
    return dict.fromkeys(("cpu", "memory", "pods"), percent)
