"""Where a policy places what it selects: ``spec.placement``.

Owns the models of spread, replica scheduling and workload affinity. It does not say which
combinations work: ``validation`` and ``advice`` do.

Source: ``Placement`` in ``pkg/apis/policy/v1alpha1/propagation_types.go``.
"""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from placement.karmada.affinity import ClusterAffinity, ClusterAffinityTerm
from placement.karmada.meta import OMIT_ZERO, Toleration, WireModel

Weight = Annotated[
    int,
    Field(ge=1, lt=2**63),
    WithJsonSchema({"type": "integer", "format": "int64", "minimum": 1}),
]


class SpreadConstraint(WireModel):
    """How many groups of clusters are chosen.

    Attributes:
        spread_by_field: what makes a group; ``zone`` and ``provider`` only filter.
        spread_by_label: in the API, and refused by the scheduler.
        max_groups: has no default: absent or 0 chooses no group.
        min_groups: 0 becomes 1.
    """

    spread_by_field: Literal["cluster", "region", "zone", "provider"] | None = None
    spread_by_label: str | None = None
    max_groups: Annotated[int, OMIT_ZERO] = 0
    min_groups: Annotated[int, OMIT_ZERO] = 0


class StaticClusterWeight(WireModel):
    """A weight; each cluster that matches gets the whole of it."""

    target_cluster: ClusterAffinity
    weight: Weight


class ClusterPreferences(WireModel):
    """The weights of a weighted division.

    Attributes:
        dynamic_weight: where set, the static list is ignored.
    """

    static_weight_list: tuple[StaticClusterWeight, ...] = ()
    dynamic_weight: Literal["AvailableReplicas"] | None = None


class ReplicaSchedulingStrategy(WireModel):
    """How replicas are divided.

    Attributes:
        replica_division_preference: filled with ``Weighted`` where the type is ``Divided``.
    """

    replica_scheduling_type: Literal["Duplicated", "Divided"] = "Divided"
    replica_division_preference: Literal["Aggregated", "Weighted"] | None = None
    weight_preference: ClusterPreferences | None = None


class WorkloadAffinityTerm(WireModel):
    """Workloads with the same value of this label belong together."""

    group_by_label_key: str


class WorkloadAffinity(WireModel):
    """Which workloads share a cluster, and which never do (gate ``WorkloadAffinity``)."""

    affinity: WorkloadAffinityTerm | None = None
    anti_affinity: WorkloadAffinityTerm | None = None


class Placement(WireModel):
    """Clusters, tolerations, spread and division.

    Attributes:
        replica_scheduling: absent means duplicated: every cluster gets all replicas.
    """

    cluster_affinity: ClusterAffinity | None = None
    cluster_affinities: tuple[ClusterAffinityTerm, ...] = ()
    cluster_tolerations: tuple[Toleration, ...] = ()
    spread_constraints: tuple[SpreadConstraint, ...] = ()
    replica_scheduling: ReplicaSchedulingStrategy | None = None
    workload_affinity: WorkloadAffinity | None = None
