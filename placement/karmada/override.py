"""OverridePolicy and ClusterOverridePolicy of policy.karmada.io/v1alpha1.

Owns the models of both kinds, whose spec is the same. Of several policies that match an object,
those for the whole cluster come first, then by how narrowly they select, then by name; a later one
wins.

Source: ``OverrideSpec`` in ``pkg/apis/policy/v1alpha1/override_types.go``; the order is that of
``pkg/util/overridemanager/overridemanager.go`` (Karmada 1.18).
"""

from typing import Literal

from placement.karmada.affinity import ClusterAffinity
from placement.karmada.meta import ObjectMeta, WireModel
from placement.karmada.overriders import Overriders
from placement.karmada.propagation import ResourceSelector


class RuleWithCluster(WireModel):
    """What changes on some clusters.

    Attributes:
        target_cluster: absent stands for every cluster.
    """

    target_cluster: ClusterAffinity | None = None
    overriders: Overriders


class OverrideSpec(WireModel):
    """What is changed, and where.

    Attributes:
        resource_selectors: empty stands for every object.
        target_cluster: deprecated for ``override_rules``, and not together with them.
        overriders: deprecated for ``override_rules``, and not together with them.
    """

    resource_selectors: tuple[ResourceSelector, ...] = ()
    override_rules: tuple[RuleWithCluster, ...] = ()
    target_cluster: ClusterAffinity | None = None
    overriders: Overriders = Overriders()


class OverridePolicy(WireModel):
    """Changes objects of its own namespace on their way to a member."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["OverridePolicy"] = "OverridePolicy"
    metadata: ObjectMeta
    spec: OverrideSpec


class ClusterOverridePolicy(WireModel):
    """Changes objects of any namespace, and cluster-scoped ones."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["ClusterOverridePolicy"] = "ClusterOverridePolicy"
    metadata: ObjectMeta
    spec: OverrideSpec
