"""How a policy names clusters: by label, by field, by name.

Owns the models of cluster affinity. All parts of an affinity must hold, ``exclude`` wins, and a
part that is absent matches every cluster.

Source: ``ClusterAffinity`` in ``pkg/apis/policy/v1alpha1/propagation_types.go``; the matching is
``ClusterMatches`` in ``pkg/util/selector.go``.
"""

from typing import Annotated

from pydantic import Field

from placement.karmada.meta import ATOMIC_LIST, LabelSelector, WireModel

AffinityName = Annotated[str, Field(min_length=1, max_length=32)]


class FieldSelectorRequirement(WireModel):
    """One expression over a field of the Cluster's spec.

    Attributes:
        key: ``provider``, ``region`` or ``zone``.
        operator: ``In`` or ``NotIn``.
    """

    key: str
    operator: str
    values: tuple[str, ...] = ATOMIC_LIST


class FieldSelector(WireModel):
    """A selector over fields of the Cluster's spec; all expressions must hold."""

    match_expressions: tuple[FieldSelectorRequirement, ...] = ()


class ClusterAffinity(WireModel):
    """A set of clusters.

    Attributes:
        cluster_names: empty stands for every cluster.
    """

    label_selector: LabelSelector | None = None
    field_selector: FieldSelector | None = None
    cluster_names: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class _Named(WireModel):
    """The name of an affinity term; a base of its own so that it is written first, as in Go."""

    affinity_name: AffinityName


class OverflowClusterAffinity(ClusterAffinity, _Named):
    """Clusters that take what does not fit into the term above (since Karmada 1.18)."""


class ClusterAffinityTerm(ClusterAffinity, _Named):
    """One of several terms that the scheduler tries in order.

    Attributes:
        overflow_affinities: only with dynamic weights or aggregated division.
    """

    overflow_affinities: tuple[OverflowClusterAffinity, ...] = ()
