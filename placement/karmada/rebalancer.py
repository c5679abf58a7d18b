"""WorkloadRebalancer of apps.karmada.io/v1alpha1: divide these workloads anew, once.

Owns the model. An object acts once: another rebalance needs another object.

Source: ``pkg/apis/apps/v1alpha1/workloadrebalancer_types.go``.
"""

from typing import Literal

from pydantic import Field

from placement.karmada.meta import Int32, Int64, ObjectMeta, Time, WireModel


class ObjectReference(WireModel):
    """A workload.

    Attributes:
        namespace: absent for a cluster-scoped kind.
    """

    api_version: str
    kind: str
    name: str
    namespace: str | None = None


class WorkloadRebalancerSpec(WireModel):
    """Which workloads.

    Attributes:
        ttl_seconds_after_finished: seconds until the finished object is deleted; absent keeps it.
    """

    workloads: tuple[ObjectReference, ...] = Field(min_length=1)
    ttl_seconds_after_finished: Int32 | None = None


class ObservedWorkload(WireModel):
    """What became of one workload.

    Attributes:
        result: ``Successful`` or ``Failed``.
    """

    workload: ObjectReference
    result: str | None = None
    reason: str | None = None


class WorkloadRebalancerStatus(WireModel):
    """What became of all of them."""

    observed_workloads: tuple[ObservedWorkload, ...] = ()
    observed_generation: Int64 | None = None
    finish_time: Time | None = None


class WorkloadRebalancer(WireModel):
    """Divides workloads anew."""

    api_version: Literal["apps.karmada.io/v1alpha1"] = "apps.karmada.io/v1alpha1"
    kind: Literal["WorkloadRebalancer"] = "WorkloadRebalancer"
    metadata: ObjectMeta
    spec: WorkloadRebalancerSpec
    status: WorkloadRebalancerStatus | None = None
