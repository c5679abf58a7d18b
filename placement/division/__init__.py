"""What Karmada's scheduler does with a placement, predicted to the replica.

Owns the division of replicas as Karmada 1.16 and later make it, and the weights that make it
independent of what no preview knows. It chooses nothing itself: the engine decides where replicas
should run, and this package says where they will. It imports the standard library and pydantic
alone, because the policy pack uses it in an environment of its own.
"""

from placement.division.binding import Binding, Division, SchedulingError, TargetCluster
from placement.division.case import Case, parse_case, parse_placement
from placement.division.scheduler import predict, schedule
from placement.division.stream import answer
from placement.division.types import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterPreferences,
    ClusterState,
    FieldSelector,
    LabelSelector,
    OverflowClusterAffinity,
    Placement,
    ReplicaSchedulingStrategy,
    Requirement,
    SpreadConstraint,
    StaticClusterWeight,
    Taint,
    Toleration,
)
from placement.division.webster import (
    ambiguous,
    name_order_descending,
    tie_proof_weights,
    webster,
)

__all__ = [
    "Binding",
    "Case",
    "ClusterAffinity",
    "ClusterAffinityTerm",
    "ClusterPreferences",
    "ClusterState",
    "Division",
    "FieldSelector",
    "LabelSelector",
    "OverflowClusterAffinity",
    "Placement",
    "ReplicaSchedulingStrategy",
    "Requirement",
    "SchedulingError",
    "SpreadConstraint",
    "StaticClusterWeight",
    "Taint",
    "TargetCluster",
    "Toleration",
    "ambiguous",
    "answer",
    "name_order_descending",
    "parse_case",
    "parse_placement",
    "predict",
    "schedule",
    "tie_proof_weights",
    "webster",
]
