"""What Karmada's scheduler works on for one workload, and what it answers.

Owns the binding of a workload to a placement, the candidates on the way, and the two kinds of
answer. It holds no rule of the scheduler.

Source: ``pkg/apis/work/v1alpha2/binding_types.go`` and
``pkg/scheduler/core/spreadconstraint/group_clusters.go``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from placement.division.types import ClusterState, Count, KarmadaObject, Placement, Resources


@dataclass(frozen=True)
class TargetCluster(KarmadaObject):
    """A line of a binding's ``spec.clusters``: what a cluster was assigned."""

    name: str
    replicas: Count = 0


@dataclass(frozen=True)
class Binding:
    """A workload with its placement and present division: Karmada's ``ResourceBinding``.

    Attributes:
        placement: of the policy that the workload is bound to.
        replicas: the total wanted.
        request: of one replica; None when its pod template requests nothing at all.
        uid: of the workload's object, empty when not known; it only decides ties.
        previous: the present division, in the order of ``spec.clusters``.
        kind: what a cluster must serve.
        observed_affinity: the group in use, from ``status.schedulerObservedAffinityName``.
        fresh: whether a ``WorkloadRebalancer`` asked for a division from nothing.
    """

    placement: Placement
    replicas: int
    request: Resources | None = None
    uid: str = ""
    previous: tuple[TargetCluster, ...] = ()
    kind: str = "Deployment"
    observed_affinity: str = ""
    fresh: bool = False

    @property
    def is_workload(self) -> bool:
        """Whether the scheduler counts replicas, and does not just propagate the object."""
        return self.replicas > 0 or self.request is not None


@dataclass(frozen=True)
class Candidate:
    """A feasible cluster, with what decides about it: Karmada's ``ClusterDetailInfo``.

    Attributes:
        cluster: the cluster itself.
        score: 100 if it is in the present division, else 0.
        overflow_order: 0 for the clusters of the affinity itself, then the number of the
            overflow affinity that matched first.
        allocatable: replicas that it can take in addition.
        assigned: replicas of the present division.
    """

    cluster: ClusterState
    score: int
    overflow_order: int
    allocatable: int
    assigned: int

    @property
    def available(self) -> int:
        """Replicas that it can hold, those that it holds included."""
        return self.allocatable + self.assigned

    @property
    def standard_order(self) -> tuple[int, int, int, str]:
        """The key of ``sortClusters``: overflow, score, availability, name."""
        return (self.overflow_order, -self.score, -self.available, self.cluster.name)


@dataclass(frozen=True)
class Division:
    """What the scheduler assigns.

    Attributes:
        replicas: by cluster name, in name order. What gets none is not in it; for an object that
            is no workload, it holds every selected cluster with 0.
        affinity: the group of ``clusterAffinities`` that was used, or empty.
        refused: by cluster name, the filter that it failed. Of several, Karmada names any one.
    """

    replicas: Mapping[str, int]
    affinity: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SchedulingError:
    """That the scheduler places nothing, and why.

    Attributes:
        message: the message of the binding's ``Scheduled`` condition.
        clears: whether the present division is taken away (no cluster fits), which removes the
            workload from its clusters; otherwise it stays.
        refused: by cluster name, the filter that it failed. Of several, Karmada names any one.
    """

    message: str
    clears: bool = False
    refused: Mapping[str, str] = field(default_factory=dict)


class RefusalError(Exception):
    """A step of the scheduler gave up; ``scheduler.predict`` turns it into a SchedulingError."""
