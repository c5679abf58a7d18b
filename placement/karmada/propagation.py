"""PropagationPolicy and ClusterPropagationPolicy of policy.karmada.io/v1alpha1.

Owns the models of both kinds, whose spec is the same.

Source: ``PropagationSpec`` in ``pkg/apis/policy/v1alpha1/propagation_types.go`` (Karmada 1.18).
"""

from typing import Annotated, Literal

from pydantic import Field

from placement.karmada.failover import FailoverBehavior
from placement.karmada.meta import OMIT_ZERO, Int32, LabelSelector, ObjectMeta, WireModel
from placement.karmada.placement_spec import Placement


class ResourceSelector(WireModel):
    """Which templates a policy claims.

    Attributes:
        namespace: filled with the namespace of a PropagationPolicy, and must equal it.
        name: where set, the label selector is ignored; without both, all of the kind.
    """

    api_version: str
    kind: str
    namespace: str | None = None
    name: str | None = None
    label_selector: LabelSelector | None = None


class SuspendClusters(WireModel):
    """Clusters by name."""

    cluster_names: tuple[str, ...] = ()


class Suspension(WireModel):
    """What is not sent to members for now; scheduling goes on.

    Attributes:
        dispatching: true suspends every cluster.
        dispatching_on_clusters: suspends these; not together with ``dispatching: true``.
    """

    dispatching: bool | None = None
    dispatching_on_clusters: SuspendClusters | None = None


class SchedulePriority(WireModel):
    """The order in the scheduler's queue.

    Attributes:
        priority_class_name: a PriorityClass that exists on the Karmada API.
    """

    priority_class_source: Literal["KubePriorityClass"]
    priority_class_name: str


class PropagationSpec(WireModel):
    """What is propagated, and where.

    Attributes:
        association: deprecated for ``propagate_deps``.
        priority: the higher claims a template that several policies select.
        preemption: ``Always`` takes templates from other policies (gate, alpha).
        dependent_overrides: the policy waits until these override policies exist.
        scheduler_name: immutable.
        conflict_resolution: what to do with an object that a member has already.
        activation_preference: ``Lazy`` defers a policy's change to the next change of the template.
        preserve_resources_on_deletion: keeps the members' objects when the template goes.
    """

    resource_selectors: tuple[ResourceSelector, ...] = Field(min_length=1)
    association: Annotated[bool, OMIT_ZERO] = False
    propagate_deps: Annotated[bool, OMIT_ZERO] = False
    placement: Placement = Placement()
    priority: Int32 = 0
    preemption: Literal["Always", "Never"] = "Never"
    dependent_overrides: tuple[str, ...] = ()
    scheduler_name: str = "default-scheduler"
    failover: FailoverBehavior | None = None
    conflict_resolution: Literal["Abort", "Overwrite"] = "Abort"
    activation_preference: Literal["Lazy"] | None = None
    suspension: Suspension | None = None
    preserve_resources_on_deletion: bool | None = None
    schedule_priority: SchedulePriority | None = None


class PropagationPolicy(WireModel):
    """Propagates templates of its own namespace."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["PropagationPolicy"] = "PropagationPolicy"
    metadata: ObjectMeta
    spec: PropagationSpec


class ClusterPropagationPolicy(WireModel):
    """Propagates templates of any namespace, and cluster-scoped ones."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["ClusterPropagationPolicy"] = "ClusterPropagationPolicy"
    metadata: ObjectMeta
    spec: PropagationSpec
