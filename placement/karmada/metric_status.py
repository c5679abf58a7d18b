"""What an autoscaler last saw.

Owns the models of the status of ``FederatedHPA``.

Source: ``HorizontalPodAutoscalerStatus`` in ``k8s.io/api/autoscaling/v2/types.go``.
"""

from typing import Annotated

from placement.karmada.meta import (
    ATOMIC_LIST,
    LIST_BY_TYPE,
    OMIT_ZERO,
    CrossVersionObjectReference,
    Int32,
    Int64,
    Quantity,
    Time,
    WireModel,
)
from placement.karmada.metrics import MetricIdentifier


class MetricValueStatus(WireModel):
    """A reading; see ``metrics.MetricTarget`` for the units."""

    value: Quantity | None = None
    average_value: Quantity | None = None
    average_utilization: Int32 | None = None


class ObjectMetricStatus(WireModel):
    """The reading of one other object."""

    metric: MetricIdentifier
    current: MetricValueStatus
    described_object: CrossVersionObjectReference


class PodsMetricStatus(WireModel):
    """The reading of all pods."""

    metric: MetricIdentifier
    current: MetricValueStatus


class ResourceMetricStatus(WireModel):
    """The reading of a resource of all pods."""

    name: str
    current: MetricValueStatus


class ContainerResourceMetricStatus(WireModel):
    """The reading of a resource of one container of all pods."""

    name: str
    current: MetricValueStatus
    container: str


class ExternalMetricStatus(WireModel):
    """The reading of a metric from outside."""

    metric: MetricIdentifier
    current: MetricValueStatus


class MetricStatus(WireModel):
    """The reading of one metric."""

    type: str
    object: ObjectMetricStatus | None = None
    pods: PodsMetricStatus | None = None
    resource: ResourceMetricStatus | None = None
    container_resource: ContainerResourceMetricStatus | None = None
    external: ExternalMetricStatus | None = None


class AutoscalerCondition(WireModel):
    """A condition of an autoscaler, such as ``ScalingLimited``; older than ``meta.Condition``."""

    type: str
    status: str
    last_transition_time: Time | None = None
    reason: str | None = None
    message: str | None = None


class AutoscalerStatus(WireModel):
    """The readings and the replicas that follow from them."""

    observed_generation: Int64 | None = None
    last_scale_time: Time | None = None
    current_replicas: Annotated[Int32, OMIT_ZERO] = 0
    desired_replicas: Int32
    current_metrics: tuple[MetricStatus, ...] = ATOMIC_LIST
    conditions: tuple[AutoscalerCondition, ...] = LIST_BY_TYPE
