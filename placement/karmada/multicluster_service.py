"""MultiClusterService of networking.karmada.io/v1alpha1: a Service of some members in others.

Owns the model. It has the name of its Service; nothing happens without the gate
``MultiClusterService``.

Sources: ``pkg/apis/networking/v1alpha1/service_types.go`` (Karmada 1.18) and, for the status,
``k8s.io/api/core/v1/types.go``.
"""

from typing import Literal

from placement.karmada.meta import (
    ATOMIC_LIST,
    LIST_BY_TYPE,
    Condition,
    Int32,
    ObjectMeta,
    QualifiedType,
    WireModel,
)


class ExposurePort(WireModel):
    """A port of the Service.

    Attributes:
        name: as in the Service.
    """

    name: str | None = None
    port: Int32


class ExposureRange(WireModel):
    """Clusters by name."""

    cluster_names: tuple[str, ...] = ()


class ClusterSelector(WireModel):
    """A cluster."""

    name: str


class MultiClusterServiceSpec(WireModel):
    """What is exposed, where.

    Attributes:
        types: ``CrossCluster`` or ``LoadBalancer``, one of them; immutable.
        ports: empty stands for all ports of the Service.
        range: deprecated, and read by nothing.
        service_provision_clusters: deprecated, and read by nothing.
        service_consumption_clusters: deprecated, and read by nothing.
        provider_clusters: where the pods are; empty stands for every cluster.
        consumer_clusters: where the callers are; empty stands for every cluster.
    """

    types: tuple[str, ...]
    ports: tuple[ExposurePort, ...] = ()
    range: ExposureRange = ExposureRange()
    service_provision_clusters: tuple[str, ...] = ()
    service_consumption_clusters: tuple[str, ...] = ()
    provider_clusters: tuple[ClusterSelector, ...] = ()
    consumer_clusters: tuple[ClusterSelector, ...] = ()


class PortStatus(WireModel):
    """What became of a port of a load balancer."""

    port: Int32
    protocol: str
    error: QualifiedType


class LoadBalancerIngress(WireModel):
    """An address of a load balancer."""

    ip: str | None = None
    hostname: str | None = None
    ip_mode: str | None = None
    ports: tuple[PortStatus, ...] = ATOMIC_LIST


class LoadBalancerStatus(WireModel):
    """The addresses of a load balancer."""

    ingress: tuple[LoadBalancerIngress, ...] = ATOMIC_LIST


class ServiceStatus(WireModel):
    """What became of the Service."""

    load_balancer: LoadBalancerStatus = LoadBalancerStatus()
    conditions: tuple[Condition, ...] = LIST_BY_TYPE


class MultiClusterService(WireModel):
    """Exposes a Service beyond its cluster."""

    api_version: Literal["networking.karmada.io/v1alpha1"] = "networking.karmada.io/v1alpha1"
    kind: Literal["MultiClusterService"] = "MultiClusterService"
    metadata: ObjectMeta
    spec: MultiClusterServiceSpec
    status: ServiceStatus | None = None
