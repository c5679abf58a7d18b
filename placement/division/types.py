"""What Karmada's scheduler reads of clusters and policies.

Owns the shapes of clusters and placements, under Karmada's own names. A field that is
left out has the value that Karmada's API server and mutating webhook would fill in. It holds no
rule of the scheduler.

Source: ``pkg/apis/policy/v1alpha1/propagation_types.go`` and
``pkg/apis/cluster/v1alpha1/types.go``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, PlainValidator
from pydantic.alias_generators import to_camel

from placement.quantity import parse_quantity

MAX_INT32: Final = 2**31 - 1
"""Most replicas that Karmada's types hold."""


def _quantity(value: object) -> Decimal:
    """Return a quantity of a case; a JSON integer is allowed, as in a Kubernetes manifest."""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return parse_quantity(str(value))
    message = f"read {value!r}; allowed a Kubernetes quantity in a string"
    raise ValueError(message)


Resources = Mapping[str, Annotated[Decimal, PlainValidator(_quantity)]]
"""Amount by resource name: CPU in cores, memory in bytes, everything else in pieces."""

Count = Annotated[int, Field(ge=0, le=MAX_INT32)]


class KarmadaObject:
    """Base of the shapes that are read from JSON: camelCase keys, nothing unknown, no guessing."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=to_camel, extra="forbid", strict=True
    )


@dataclass(frozen=True)
class Taint(KarmadaObject):
    """A taint of a cluster; ``effect`` is NoSchedule, PreferNoSchedule or NoExecute."""

    key: str
    value: str = ""
    effect: str = ""
    time_added: str = ""

    def __str__(self) -> str:
        """Return the text of ``Taint.ToString`` in Kubernetes, as error messages show it."""
        return (
            f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"
        )


@dataclass(frozen=True)
class Toleration(KarmadaObject):
    """A toleration of a placement; an empty key or effect stands for every one."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


@dataclass(frozen=True)
class ClusterState(KarmadaObject):
    """One member cluster, as the scheduler sees it.

    Attributes:
        name: the name of the ``Cluster`` object, unique in the federation.
        region: one region, or empty.
        provider: one provider, or empty.
        zones: the zones that its nodes are in.
        labels: the labels of the ``Cluster`` object.
        taints: in the order of the ``Cluster`` object.
        allocatable: what its nodes offer; None when it reported no resource summary.
        allocated: what pods that run there have requested.
        allocating: what pods that wait there for a node have requested.
        apis: the kinds that it serves.
    """

    name: str
    region: str = ""
    provider: str = ""
    zones: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    allocatable: Resources | None = None
    allocated: Resources = field(default_factory=dict)
    allocating: Resources = field(default_factory=dict)
    apis: tuple[str, ...] = ("Deployment",)


@dataclass(frozen=True)
class Requirement(KarmadaObject):
    """An expression of a selector; ``operator`` is In, NotIn, Exists or DoesNotExist."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelSelector(KarmadaObject):
    """Every label and every expression must hold; an empty one selects everything."""

    match_labels: Mapping[str, str] = field(default_factory=dict)
    match_expressions: tuple[Requirement, ...] = ()


@dataclass(frozen=True)
class FieldSelector(KarmadaObject):
    """Expressions on ``provider``, ``region`` and ``zone``; every one must hold."""

    match_expressions: tuple[Requirement, ...] = ()


@dataclass(frozen=True)
class ClusterAffinity(KarmadaObject):
    """A set of clusters: all given parts must hold, and ``exclude`` wins over all of them."""

    label_selector: LabelSelector | None = None
    field_selector: FieldSelector | None = None
    cluster_names: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OverflowClusterAffinity(ClusterAffinity):
    """Clusters that are used once those before them are full."""

    affinity_name: str


@dataclass(frozen=True, kw_only=True)
class ClusterAffinityTerm(ClusterAffinity):
    """One group of ``clusterAffinities``; the groups are tried in order."""

    affinity_name: str
    overflow_affinities: tuple[OverflowClusterAffinity, ...] = ()


@dataclass(frozen=True)
class SpreadConstraint(KarmadaObject):
    """How many groups to use. ``max_groups`` has no default in Karmada: left out, it is 0."""

    spread_by_field: str = ""
    spread_by_label: str = ""
    min_groups: Count = 1
    max_groups: Count = 0


@dataclass(frozen=True)
class StaticClusterWeight(KarmadaObject):
    """A weight for each of the clusters that match."""

    target_cluster: ClusterAffinity
    weight: Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class ClusterPreferences(KarmadaObject):
    """Static weights, or weights by free capacity; with both, the static ones are ignored."""

    static_weight_list: tuple[StaticClusterWeight, ...] = ()
    dynamic_weight: Literal["", "AvailableReplicas"] = ""


@dataclass(frozen=True)
class ReplicaSchedulingStrategy(KarmadaObject):
    """Whether each cluster gets every replica or a part, and how the parts come about."""

    replica_scheduling_type: Literal["Divided", "Duplicated"] = "Divided"
    replica_division_preference: Literal["Weighted", "Aggregated"] = "Weighted"
    weight_preference: ClusterPreferences | None = None


@dataclass(frozen=True)
class Placement(KarmadaObject):
    """The ``placement`` of a propagation policy; without ``replica_scheduling`` it duplicates."""

    cluster_affinity: ClusterAffinity | None = None
    cluster_affinities: tuple[ClusterAffinityTerm, ...] = ()
    cluster_tolerations: tuple[Toleration, ...] = ()
    spread_constraints: tuple[SpreadConstraint, ...] = ()
    replica_scheduling: ReplicaSchedulingStrategy | None = None

    @property
    def divided(self) -> bool:
        """Whether the replicas are divided over the clusters."""
        strategy = self.replica_scheduling
        return strategy is not None and strategy.replica_scheduling_type == "Divided"
