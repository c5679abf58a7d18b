"""What an autoscaler measures, and what it wants to see there.

Owns the models of metric specs. Karmada refuses external metrics.

Source: ``k8s.io/api/autoscaling/v2/types.go``.
"""

from placement.karmada.meta import (
    CrossVersionObjectReference,
    Int32,
    LabelSelector,
    Quantity,
    WireModel,
)


class MetricIdentifier(WireModel):
    """A metric by name.

    Attributes:
        selector: narrows a metric with several series.
    """

    name: str
    selector: LabelSelector | None = None


class MetricTarget(WireModel):
    """What the metric should be.

    Attributes:
        type: ``Utilization``, ``Value`` or ``AverageValue``.
        value: the metric itself.
        average_value: the metric divided by the number of pods.
        average_utilization: per cent of the request, the mean over all pods.
    """

    type: str
    value: Quantity | None = None
    average_value: Quantity | None = None
    average_utilization: Int32 | None = None


class ObjectMetricSource(WireModel):
    """A metric of one other object, such as the requests of an Ingress."""

    described_object: CrossVersionObjectReference
    target: MetricTarget
    metric: MetricIdentifier


class PodsMetricSource(WireModel):
    """A metric of every pod; always by average value."""

    metric: MetricIdentifier
    target: MetricTarget


class ResourceMetricSource(WireModel):
    """A resource that every pod requests and uses.

    Attributes:
        name: ``cpu`` or ``memory``.
    """

    name: str
    target: MetricTarget


class ContainerResourceMetricSource(WireModel):
    """A resource that one container of every pod uses."""

    name: str
    target: MetricTarget
    container: str


class ExternalMetricSource(WireModel):
    """A metric from outside of the cluster."""

    metric: MetricIdentifier
    target: MetricTarget


class MetricSpec(WireModel):
    """One metric, of which exactly one source is set.

    Attributes:
        type: the source: ``Object``, ``Pods``, ``Resource`` or ``ContainerResource``.
    """

    type: str
    object: ObjectMetricSource | None = None
    pods: PodsMetricSource | None = None
    resource: ResourceMetricSource | None = None
    container_resource: ContainerResourceMetricSource | None = None
    external: ExternalMetricSource | None = None
