"""Greedy best fit: the largest replicas first, each on the node that it leaves least free.

Best-fit decreasing over all nodes of all eligible clusters, with several resources added up as
shares of a node (after Panigrahy et al., Heuristics for vector bin packing, 2011). It looks at no
price, no user and no spread; what finds no node is not placed.
"""

import numpy as np
from numpy.typing import NDArray

from bench.baselines.eligible import Eligible
from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.packing import request_of
from placement.quantity import parse_quantity


def best_fit(federation: Federation, eligible: Eligible) -> dict[str, dict[str, int]]:
    """Where best-fit decreasing puts every workload."""
    nodes = [
        (cluster, node_class)
        for cluster in federation.clusters
        for node_class in cluster.node_classes
        for _ in range(node_class.count)
    ]
    resources = sorted({r for _, k in nodes for r in k.allocatable})
    total = np.array([[_float(k.allocatable.get(r, "0")) for r in resources] for _, k in nodes])
    in_use = np.array(
        [[_float(k.in_use.get(r, "0")) / k.count for r in resources] for _, k in nodes]
    )
    free = (total - in_use) * np.array([[1 - float(c.headroom)] for c, _ in nodes])
    scale = np.maximum(total.max(axis=0), 1e-9)
    place = {(c.name, k.name): i for i, (c, k) in enumerate(nodes)}
    asked = {w.id: _request(w, resources) for w in federation.workloads}
    order = sorted(federation.workloads, key=lambda w: (-float((asked[w.id] / scale).max()), w.id))
    result: dict[str, dict[str, int]] = {w.id: {} for w in federation.workloads}
    for workload in order:
        allowed = np.zeros(len(nodes), dtype=bool)
        for candidate in eligible[workload.id]:
            for fit in candidate.fits:
                # The nodes of a class stand together: `place` holds its last one.
                last = place[candidate.cluster.name, fit.node_class.name]
                allowed[last - fit.node_class.count + 1 : last + 1] = fit.node_class.count > 0
        for _ in range(workload.size):
            node = _tightest(free, asked[workload.id], allowed, scale)
            if node is None:
                break
            free[node] -= asked[workload.id]
            name = nodes[node][0].name
            result[workload.id][name] = result[workload.id].get(name, 0) + 1
    return result


def _tightest(
    free: NDArray[np.float64],
    asked: NDArray[np.float64],
    allowed: NDArray[np.bool_],
    scale: NDArray[np.float64],
) -> int | None:
    """The allowed node that has room and is left with least; the first of equals."""
    rest = free - asked
    fits = allowed & (rest >= -1e-9).all(axis=1)
    if not fits.any():
        return None
    left = np.where(fits, (rest / scale).sum(axis=1), np.inf)
    return int(left.argmin())


def _request(workload: Workload, resources: list[str]) -> NDArray[np.float64]:
    request = request_of(workload)
    return np.array([float(request.get(r, 0)) for r in resources])


def _float(text: str) -> float:
    return float(parse_quantity(text))
