"""What is in use on a member's nodes already: pods that stand for what nobody places here.

Owns their number, their requests and which nodes they are on, from ``inUse`` of the federation
file. They bring their nodes with them, so that no scheduler is asked; Karmada and its estimators
count them as they would those of a real cluster.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lab.kubernetes.client import Api
from placement.federation import Cluster
from placement.federation.cluster import NodeClass
from placement.quantity import parse_quantity, rounded_up

NAMESPACE = "federation-in-use"

_MILLI = "cpu"
"""What is counted in thousandths; all else in whole units."""
_AT_ONCE = 8
"""Requests: a member may have hundreds of such pods."""


def create(api: Api, cluster: Cluster) -> None:
    """Create those pods of *cluster* that are not there.

    Raises:
        FederationError: the API server is not reached, or refuses.
    """
    wanted = list(pods(cluster))
    if not wanted:
        return
    api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    # A pod is refused before its account is there, and a bare member has no controller for that.
    account = {"name": "default", "namespace": NAMESPACE}
    api.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    there = {pod["metadata"]["name"] for pod in api.list("v1", "Pod", NAMESPACE)}
    missing = [pod for pod in wanted if pod["metadata"]["name"] not in there]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(api.create, missing))


def pods(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """The pods of *cluster*, whose requests add up to what is in use of each class of nodes.

    There are as many as ``inUse`` has of ``pods``; where it has none and other amounts, one a node.
    """
    for node_class in cluster.node_classes:
        amounts = {name: _units(name, amount) for name, amount in node_class.in_use.items()}
        number = amounts.pop("pods", 0) or (node_class.count if any(amounts.values()) else 0)
        for index in range(number if node_class.count else 0):
            shares = {name: _share(total, number, index) for name, total in amounts.items()}
            yield _pod(node_class, index, {name: share for name, share in shares.items() if share})


def _units(resource: str, amount: str) -> int:
    return rounded_up(parse_quantity(amount), 1000 if resource == _MILLI else 1)


def _share(total: int, number: int, index: int) -> int:
    """The part of *total* of the pod *index* of *number*; parts differ by one at most."""
    return total // number + (index < total % number)


def _pod(node_class: NodeClass, index: int, shares: dict[str, int]) -> dict[str, Any]:
    requests = {name: f"{n}m" if name == _MILLI else str(n) for name, n in shares.items()}
    extended = {name: amount for name, amount in requests.items() if "/" in name}
    resources = {"requests": requests, **({"limits": extended} if extended else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"{node_class.name}-{index}", "namespace": NAMESPACE},
        "spec": {
            "nodeName": f"{node_class.name}-{index % node_class.count}",
            "automountServiceAccountToken": False,
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "main", "image": "in-use", "resources": resources}],
        },
    }
