"""How replicas keep apart, so that a lost node or zone takes no more than one of three with it."""

from collections.abc import Mapping
from typing import Any

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"


def apart(labels: Mapping[str, str], *, must: bool) -> dict[str, Any]:
    """An affinity that keeps pods with *labels* apart by host, and by zone where there are several.

    Args:
        labels: of the pods.
        must: whether a pod rather waits than share a host. Right for a StatefulSet, which ends a
            pod before its successor starts. A Deployment starts the successor first: on as many
            nodes as replicas it would wait for ever, so there the host is a wish.
    """
    selector = {"labelSelector": {"matchLabels": dict(labels)}}
    by_zone = {"weight": 50, "podAffinityTerm": {**selector, "topologyKey": ZONE}}
    by_host = {**selector, "topologyKey": HOST}
    if must:
        rules = {
            "requiredDuringSchedulingIgnoredDuringExecution": [by_host],
            "preferredDuringSchedulingIgnoredDuringExecution": [by_zone],
        }
    else:
        wishes = [{"weight": 100, "podAffinityTerm": by_host}, by_zone]
        rules = {"preferredDuringSchedulingIgnoredDuringExecution": wishes}
    return {"podAntiAffinity": rules}
