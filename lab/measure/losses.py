"""A cluster is lost and found again.

Owns how a loss is made without waiting for it: the taints that Karmada's controllers and a
``ClusterTaintPolicy`` put on a cluster that does not answer, added by hand and dated a day back, so
that every toleration that ends has ended. The member itself goes on. What Karmada then does is its
own: eviction, division over the clusters that are left, and nothing at all when the cluster is
back, until a ``WorkloadRebalancer`` asks for it.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from lab.kubernetes.client import Api
from lab.kubernetes.waiting import NotYetError, wait
from lab.measure.bindings import read
from placement.faults import FederationError

HOW = (
    "taints as of a cluster that does not answer, by hand on the Cluster object and dated a day "
    "back: cluster.karmada.io/not-ready:NoExecute, and a NoSchedule taint of the lab"
)
"""How a loss is made, for the record of a measurement."""

_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
_NOT_READY = "cluster.karmada.io/not-ready"
# Karmada's own NoSchedule taint would be removed at once: the member still answers.
_LOST = "federation.lab/lost"
_EVICTED_SECONDS = 60


def lose(api: Api, cluster: str) -> None:
    """Let Karmada believe that *cluster* has been lost for a day.

    Raises:
        FederationError: the Karmada API is not reached, or refuses.
    """
    then = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    lost = [
        {"key": _NOT_READY, "effect": "NoExecute", "timeAdded": then},
        {"key": _LOST, "effect": "NoSchedule"},
    ]
    _set_taints(api, cluster, [*_own_taints(api, cluster), *lost])


def find_again(api: Api, cluster: str) -> None:
    """Take the taints of ``lose`` away, and wait until nothing is being evicted any more.

    Until then the scheduler keeps away from the cluster.

    Raises:
        FederationError: the Karmada API is not reached, or evictions do not end.
    """
    _set_taints(api, cluster, _own_taints(api, cluster))

    def look() -> None:
        evicted = [str(key) for key, binding in read(api).items() if binding.evicting]
        if evicted:
            raise NotYetError(", ".join(evicted))

    wait(look, _EVICTED_SECONDS, "evictions do not end")


def _own_taints(api: Api, cluster: str) -> list[dict[str, Any]]:
    """The taints of *cluster* but those of ``lose``."""
    found = api.get(*_CLUSTER, cluster)
    if found is None:
        raise FederationError(f"Karmada knows no cluster {cluster}")
    return [
        taint
        for taint in found["spec"].get("taints") or ()
        if taint["key"] != _LOST and (taint["key"], taint["effect"]) != (_NOT_READY, "NoExecute")
    ]


def _set_taints(api: Api, cluster: str, taints: list[dict[str, Any]]) -> None:
    api.patch(
        {
            "apiVersion": _CLUSTER[0],
            "kind": _CLUSTER[1],
            "metadata": {"name": cluster},
            "spec": {"taints": taints},
        }
    )
