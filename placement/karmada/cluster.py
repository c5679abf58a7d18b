"""The kind Cluster of cluster.karmada.io/v1alpha1: a member of the federation, and its status.

Owns the model, and the object and status that stand for a cluster of the federation file where no
real member answers. It does not join clusters and reads no clock.

Sources: ``pkg/apis/cluster/v1alpha1/types.go``; the texts of the conditions are those of
``pkg/controllers/status/cluster_status_controller.go``.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from placement.karmada.cluster_facts import ClusterFact, NodeClassFact
from placement.karmada.encoding import manifest
from placement.karmada.meta import (
    OMIT_ZERO,
    Condition,
    Int32,
    ObjectMeta,
    Quantity,
    Time,
    WireModel,
)
from placement.quantity import parse_quantity, rounded_up

KUBERNETES_VERSION: Final = "v1.36.3"
"""The Kubernetes version that a cluster of the federation file reports unless told otherwise."""


class LocalSecretReference(WireModel):
    """A secret on the Karmada API."""

    namespace: str
    name: str


class ClusterTaint(WireModel):
    """A taint on a whole cluster.

    Attributes:
        effect: ``NoSchedule`` or ``NoExecute``.
        time_added: set by the server for ``NoExecute``.
    """

    key: str
    value: str | None = None
    effect: str
    time_added: Time | None = None


class ResourceModelRange(WireModel):
    """The part of a grade that counts one resource: from ``min`` up to, not including, ``max``."""

    name: str
    min: Quantity
    max: Quantity


class ResourceModel(WireModel):
    """One grade of node sizes."""

    grade: int
    ranges: tuple[ResourceModelRange, ...]


class ClusterSpec(WireModel):
    """How a member is reached and where it is.

    Attributes:
        id: the UID of the member's namespace kube-system; no controller fills it.
        api_endpoint: with a scheme, such as ``https://host:6443``; the server refuses a bare host.
        zone: deprecated; the server moves it to ``zones``.
        taints: rewritten by controllers.
        resource_models: filled by the server where absent.
    """

    id: str | None = None
    sync_mode: Literal["Push", "Pull"]
    api_endpoint: str | None = None
    secret_ref: LocalSecretReference | None = None
    impersonator_secret_ref: LocalSecretReference | None = None
    insecure_skip_tls_verification: Annotated[
        bool, OMIT_ZERO, Field(alias="insecureSkipTLSVerification")
    ] = False
    proxy_url: str | None = Field(default=None, alias="proxyURL")
    proxy_header: dict[str, str] = Field(default_factory=dict)
    provider: str | None = None
    region: str | None = None
    zone: str | None = None
    zones: tuple[str, ...] = ()
    taints: tuple[ClusterTaint, ...] = ()
    resource_models: tuple[ResourceModel, ...] = ()


class APIResource(WireModel):
    """A kind that a member serves.

    Attributes:
        name: the plural resource name, such as ``deployments``.
    """

    name: str
    kind: str


class APIEnablement(WireModel):
    """What a member serves of one API group version."""

    group_version: str
    resources: tuple[APIResource, ...] = ()


class NodeSummary(WireModel):
    """The number of nodes, and of ready ones."""

    total_num: Annotated[Int32, OMIT_ZERO] = 0
    ready_num: Annotated[Int32, OMIT_ZERO] = 0


class AllocatableModeling(WireModel):
    """How many nodes are of one grade."""

    grade: int
    count: int


class ResourceSummary(WireModel):
    """Sums over the nodes of a member, by resource name."""

    allocatable: dict[str, Quantity] = Field(default_factory=dict)
    allocating: dict[str, Quantity] = Field(default_factory=dict)
    allocated: dict[str, Quantity] = Field(default_factory=dict)
    allocatable_modelings: tuple[AllocatableModeling, ...] = ()


class ClusterStatus(WireModel):
    """What Karmada knows of a member."""

    kubernetes_version: str | None = None
    api_enablements: tuple[APIEnablement, ...] = ()
    conditions: tuple[Condition, ...] = ()
    node_summary: NodeSummary | None = None
    resource_summary: ResourceSummary | None = None
    remedy_actions: tuple[str, ...] = ()


class Cluster(WireModel):
    """A member of the federation, as Karmada stores it."""

    api_version: Literal["cluster.karmada.io/v1alpha1"] = "cluster.karmada.io/v1alpha1"
    kind: Literal["Cluster"] = "Cluster"
    metadata: ObjectMeta
    spec: ClusterSpec
    status: ClusterStatus | None = None


def cluster_object(cluster: ClusterFact, *, endpoint: str | None = None) -> dict[str, Any]:
    """Return the Cluster object, without status, of a cluster of the federation file.

    Args:
        cluster: the facts.
        endpoint: the member's API with its scheme, such as ``https://127.0.0.1:6443``; None where
            it is not known yet.
    """
    return manifest(
        Cluster(
            metadata=ObjectMeta(name=cluster.name, labels=dict(cluster.labels)),
            spec=ClusterSpec(
                sync_mode="Push",
                api_endpoint=endpoint,
                provider=cluster.provider,
                region=cluster.region,
                zones=tuple(cluster.zones),
                taints=tuple(
                    ClusterTaint(key=taint.key, value=taint.value, effect=taint.effect)
                    for taint in cluster.taints
                ),
            ),
        )
    )


def cluster_status(
    cluster: ClusterFact, *, now: str, kubernetes_version: str = KUBERNETES_VERSION
) -> dict[str, Any]:
    """Return the status that Karmada would write for a cluster of the federation file.

    Args:
        cluster: the facts.
        now: the time of the last change of every condition, RFC 3339.
        kubernetes_version: what the member reports, such as ``v1.36.3``.

    Raises:
        ValueError: an allocatable amount is not a quantity.
    """
    nodes = sum(node_class.count for node_class in cluster.node_classes)
    status = ClusterStatus(
        kubernetes_version=kubernetes_version,
        api_enablements=tuple(
            APIEnablement(
                group_version=api.group_version,
                resources=tuple(APIResource(name=_plural(kind), kind=kind) for kind in api.kinds),
            )
            for api in cluster.apis
        ),
        conditions=(
            _ready_condition(now=now, ready=cluster.ready),
            Condition(
                type="CompleteAPIEnablements",
                status="True",
                last_transition_time=now,
                reason="Complete",
                message="the API enablements are complete",
            ),
        ),
        node_summary=NodeSummary(total_num=nodes, ready_num=nodes if cluster.ready else 0),
        resource_summary=ResourceSummary(allocatable=_allocatable(cluster.node_classes)),
    )
    return manifest(status)


def _ready_condition(*, now: str, ready: bool) -> Condition:
    if ready:
        return Condition(
            type="Ready",
            status="True",
            last_transition_time=now,
            reason="ClusterReady",
            message="cluster is healthy and ready to accept workloads",
        )
    return Condition(
        type="Ready",
        status="False",
        last_transition_time=now,
        reason="ClusterNotReachable",
        message="cluster is not reachable",
    )


def _allocatable(node_classes: Iterable[NodeClassFact]) -> dict[str, str]:
    """Return the sum over all nodes, exact to a thousandth (the finest that Karmada reads)."""
    totals: dict[str, Decimal] = {}
    for node_class in node_classes:
        for resource, amount in node_class.allocatable.items():
            share = parse_quantity(amount) * node_class.count
            totals[resource] = totals.get(resource, Decimal(0)) + share
    return {resource: _quantity(total) for resource, total in sorted(totals.items())}


def _quantity(amount: Decimal) -> str:
    milli = rounded_up(amount, 1000)
    return f"{milli}m" if milli % 1000 else str(milli // 1000)


def _plural(kind: str) -> str:
    """Return the resource name of a kind, by the rules that Kubernetes guesses with."""
    singular = kind.lower()
    if singular.endswith("endpoints"):
        return singular
    if singular.endswith("s"):
        return f"{singular}es"
    if singular.endswith("y") and singular[-2:-1] not in "aeiou":
        return f"{singular[:-1]}ies"
    return f"{singular}s"
