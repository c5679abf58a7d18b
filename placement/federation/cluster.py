"""What a federation file says of a cluster: where it is, what it has, what it refuses."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from placement.federation.base import (
    Amount,
    ClusterName,
    Continent,
    LabelValue,
    Level,
    Model,
    Region,
    Resources,
)
from placement.quantity import parse_quantity

DEFAULT_APIS = (
    ("apps/v1", ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")),
    ("batch/v1", ("Job", "CronJob")),
    ("v1", ("ConfigMap", "Secret", "Service", "ServiceAccount", "Pod")),
)
"""What every conformant Kubernetes serves of the kinds that workloads are made of."""


class Taint(Model):
    """A taint of a cluster or of a node class, as Kubernetes has it."""

    key: str
    value: str | None = None
    effect: Literal["NoSchedule", "NoExecute"]


class Api(Model):
    """A group and version that the cluster serves, with its kinds."""

    group_version: str
    kinds: tuple[str, ...]


class NodeClass(Model):
    """Nodes that are alike. Capacity is always stated so: a replica fits a node, not a sum."""

    name: ClusterName
    count: Annotated[int, Field(strict=True, ge=0)]
    allocatable: Resources
    """What pods may use of one node: cpu, memory, pods, and accelerators by resource name."""
    in_use: Resources = {}
    """What workloads that are not ours use over all nodes of the class together."""
    model: str | None = None
    """The accelerator's model, such as ``H100``; for nodes that have one."""
    labels: dict[str, LabelValue] = {}
    taints: tuple[Taint, ...] = ()
    spot: StrictBool = False
    """Nodes that the provider may take back: never for critical or stateful workloads. They need
    a taint, since nothing else keeps pods away from them in the member."""

    @model_validator(mode="after")
    def _tainted_spot(self) -> "NodeClass":
        if self.spot and not self.taints:
            raise ValueError(
                "read spot: true without taints; allowed with a taint on its nodes, which "
                "workloads that may be interrupted tolerate"
            )
        return self

    def total(self, resource: str) -> Decimal:
        """What pods may use of a resource over all nodes."""
        return parse_quantity(self.allocatable.get(resource, "0")) * self.count

    def free(self, resource: str) -> Decimal:
        """What others leave of it; below 0 where they use more than there is."""
        return self.total(resource) - parse_quantity(self.in_use.get(resource, "0"))

    @model_validator(mode="after")
    def _complete(self) -> "NodeClass":
        missing = [name for name in ("cpu", "memory", "pods") if name not in self.allocatable]
        if missing:
            raise ValueError(
                f"allocatable lacks {', '.join(missing)}; allowed all of cpu, memory, pods"
            )
        unknown = sorted(set(self.in_use) - set(self.allocatable))
        if unknown:
            raise ValueError(f"inUse names {', '.join(unknown)}; allowed what allocatable names")
        return self


class Cluster(Model):
    """A cluster that Karmada may fill."""

    name: ClusterName
    provider: LabelValue
    region: Region
    continent: Continent
    zones: tuple[Region, ...] = ()
    jurisdiction: str | None = None
    """Whose law the data on it is under, such as ``eu``; needed by workloads with a residency."""
    labels: dict[str, LabelValue] = {}
    taints: tuple[Taint, ...] = ()
    """The taints of the ``Cluster`` object in Karmada."""
    apis: tuple[Api, ...] = tuple(Api(group_version=gv, kinds=kinds) for gv, kinds in DEFAULT_APIS)
    node_classes: Annotated[tuple[NodeClass, ...], Field(min_length=1)]
    headroom: Annotated[Amount, Field(lt=1)] = Decimal(0)
    """The part of what is free that stays free: for roll-outs, and since nodes never fill evenly.
    After a loss it may be used."""
    reserve: Resources = {}
    """What stays free over all node classes together, as a quantity. It holds beside ``headroom``,
    each by itself, and after a loss it may be used as well."""
    ready: StrictBool = True
    cordoned: StrictBool = False
    """Takes nothing more than it has: what runs there may stay or shrink."""
    drained: StrictBool = False
    """Gives up all that it has: set before a cluster leaves the federation."""

    @model_validator(mode="after")
    def _reserve_of_what_there_is(self) -> "Cluster":
        known = {name for node_class in self.node_classes for name in node_class.allocatable}
        unknown = sorted(set(self.reserve) - known)
        if unknown:
            raise ValueError(
                f"reserve names {', '.join(unknown)}; allowed what a node class has: "
                f"{', '.join(sorted(known))}"
            )
        return self

    def groups(self, level: Level) -> tuple[str, ...]:
        """The groups of *level* that a replica on this cluster counts for.

        A cluster that spans zones counts for each of them: inside it, Kubernetes spreads.
        """
        if level == "zone":
            return self.zones
        return (str(getattr(self, "name" if level == "cluster" else level)),)

    def serves(self, api_version: str, kind: str) -> bool:
        """Whether the cluster serves *kind* in *api_version*."""
        return any(api.group_version == api_version and kind in api.kinds for api in self.apis)
