"""How many replicas a cluster can take in addition: Karmada's general estimator.

Owns the estimate from a cluster's resource summary. It does not model single nodes (Karmada's
resource models and the scheduler estimator do), so it is an upper bound where nodes are small.

Source: ``pkg/estimator/client/general.go`` and ``calAvailableReplicas`` in
``pkg/scheduler/core/util.go``.
"""

from decimal import Decimal
from typing import Final

from placement.division.binding import Binding
from placement.division.types import (
    MAX_INT32,
    ClusterState,
    Resources,
)
from placement.quantity import rounded_up

_NOTHING: Final = Decimal(0)


def allocatable_replicas(cluster: ClusterState, binding: Binding) -> int:
    """Return how many further replicas of the workload the cluster can take.

    With 0 replicas wanted nothing is estimated, and every cluster takes the most there is.
    """
    if binding.replicas == 0:
        return MAX_INT32
    if cluster.allocatable is None:
        return 0
    pods = rounded_up(_free(cluster, cluster.allocatable, "pods"))
    if pods <= 0:
        return 0
    if binding.request is None:
        return pods
    fitting = (
        _fitting(cluster, cluster.allocatable, resource, wanted)
        for resource, wanted in binding.request.items()
        if wanted > 0
    )
    return min([pods, *fitting])


def _free(cluster: ClusterState, allocatable: Resources, resource: str) -> Decimal:
    return (
        allocatable.get(resource, _NOTHING)
        - cluster.allocated.get(resource, _NOTHING)
        - cluster.allocating.get(resource, _NOTHING)
    )


def _fitting(cluster: ClusterState, allocatable: Resources, resource: str, wanted: Decimal) -> int:
    """Return how often a request fits; Karmada counts CPU in milli and all else in units."""
    if resource not in allocatable:
        return 0
    parts = 1000 if resource == "cpu" else 1
    free = rounded_up(_free(cluster, allocatable, resource), parts)
    return max(0, free) // rounded_up(wanted, parts)
