"""A cluster and a workload of the federation file, as Karmada's scheduler sees them."""

from placement.division.types import (
    ClusterAffinity,
    ClusterState,
    FieldSelector,
    LabelSelector,
    Requirement,
    Taint,
    Toleration,
)
from placement.federation import cluster as model
from placement.federation.workload import Workload


def cluster_state(cluster: model.Cluster) -> ClusterState:
    """What the scheduler reads of a ``Cluster`` object."""
    return ClusterState(
        name=cluster.name,
        region=cluster.region,
        provider=cluster.provider,
        zones=cluster.zones,
        labels=cluster.labels,
        taints=taints(cluster.taints),
    )


def taints(given: tuple[model.Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a cluster or of a node class."""
    return tuple(Taint(key=t.key, value=t.value or "", effect=t.effect) for t in given)


def affinity(workload: Workload) -> ClusterAffinity:
    """The workload's affinity."""
    given = workload.affinity
    labels = fields = None
    if given.label_selector is not None:
        labels = LabelSelector(
            match_labels=given.label_selector.match_labels,
            match_expressions=tuple(
                Requirement(e.key, e.operator, e.values)
                for e in given.label_selector.match_expressions
            ),
        )
    if given.field_selector is not None:
        fields = FieldSelector(
            match_expressions=tuple(
                Requirement(e.key, e.operator, e.values)
                for e in given.field_selector.match_expressions
            )
        )
    return ClusterAffinity(
        label_selector=labels,
        field_selector=fields,
        cluster_names=given.cluster_names,
        exclude=given.exclude,
    )


def tolerations(workload: Workload) -> tuple[Toleration, ...]:
    """The workload's tolerations, of cluster taints and node taints alike."""
    return tuple(
        Toleration(
            key=t.key or "",
            operator=t.operator or "Equal",
            value=t.value or "",
            effect=t.effect or "",
            toleration_seconds=t.toleration_seconds,
        )
        for t in workload.tolerations
    )
