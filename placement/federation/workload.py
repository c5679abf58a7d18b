"""What a federation file says of a workload: what it needs, whom it serves, what it promises."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Discriminator, Field, StrictBool, Tag, model_validator

from placement.federation.base import (
    Amount,
    ClusterName,
    Count,
    Level,
    Model,
    Money,
    Namespace,
    ObjectName,
    PositiveAmount,
    Resources,
)
from placement.federation.delivery import SCALABLE, Autoscaler, Division, Override
from placement.federation.intent import Data, Demand, Groups, Neighbour, PerCluster, Survive
from placement.karmada.affinity import ClusterAffinity
from placement.karmada.meta import Toleration

WorkloadName = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", max_length=63)]
"""The name of an object that fits into a label as well."""
ServiceClass = Literal["critical", "standard", "batch"]
DIVISIBLE = ("Deployment", "StatefulSet", "ReplicaSet", "Job")
"""The kinds whose replicas Karmada's own interpreter can divide."""


class Template(Model):
    """An object that the user keeps on the Karmada API."""

    api_version: str
    kind: str
    name: ObjectName


class Range(Model):
    """An autoscaled number of replicas."""

    min: Count
    max: Count

    @model_validator(mode="after")
    def _ordered(self) -> "Range":
        if self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}; allowed min up to max")
        return self


def _form(value: object) -> str:
    return "range" if isinstance(value, (dict, Range)) else "count"


Replicas = Annotated[
    Annotated[Count, Tag("count")] | Annotated[Range, Tag("range")], Discriminator(_form)
]
"""A number of replicas, or the range that an autoscaler may choose from."""


class Workload(Model):
    """A workload whose replicas are to be placed."""

    name: WorkloadName
    namespace: Namespace = "default"
    class_: Annotated[ServiceClass, Field(alias="class")] = "standard"
    template: Template | None = None
    """The object on the Karmada API that carries the replicas; the user's own."""
    manifest: str | None = None
    """A file, relative to this one, with the object; this program then creates it."""
    replicas: Replicas
    request: Resources
    """What one replica asks for; at least cpu and memory."""
    accelerator_models: tuple[str, ...] = ()
    """The models that will do, where the request names an accelerator; none: any model."""
    weights: dict[ClusterName, Annotated[int, Field(strict=True, ge=1)]] = {}
    """A wanted ratio of replicas by cluster, met exactly as Karmada divides it."""
    deviation_price: Money | None = None
    """Set: the wanted ratio may be left, at this price for each replica elsewhere."""
    spread: dict[Level, Groups] = {}
    accept_single_continent: StrictBool = False
    """For a critical workload: gives up the two continents that it otherwise gets."""
    per_cluster: PerCluster = PerCluster()
    at_least: dict[ClusterName, Count] = {}
    at_most: dict[ClusterName, Annotated[int, Field(strict=True, ge=0)]] = {}
    affinity: ClusterAffinity = ClusterAffinity()
    """Which clusters will do, in Karmada's own terms."""
    workload_affinity: tuple[Neighbour, ...] = ()
    """Workloads to be with: every group of the level that this one uses is used by them too."""
    workload_anti_affinity: tuple[Neighbour, ...] = ()
    """Workloads to be apart from: no group of the level is used by both."""
    residency: tuple[str, ...] = ()
    """The jurisdictions that the workload may run in; none: any."""
    demand: tuple[Demand, ...] = ()
    traffic_gigabytes_per_month: Amount = Decimal(0)
    """What all users together pull in a month, in GB; each replica sends an equal share."""
    latency_limit: PositiveAmount | None = None
    """The longest round trip between users and the replicas that serve them, in ms."""
    data: tuple[Data, ...] = ()
    stateful: StrictBool = False
    """Keeps data on its cluster: never evicted by Karmada without the owner's word."""
    survive: Survive | None = None
    tolerations: tuple[Toleration, ...] = ()
    division: Division = "fixed"
    """Other than ``fixed``: Karmada divides by free capacity, and the decision is an estimate."""
    backups: tuple[ClusterName, ...] | None = None
    """Where the workload goes, one after the other, when every cluster that it uses is lost. Not
    written: to the best cluster with room, if it uses a single one; empty: nowhere."""
    autoscaler: Autoscaler | None = None
    overrides: tuple[Override, ...] = ()

    @property
    def id(self) -> str:
        """``namespace/name``, unique in a federation."""
        return f"{self.namespace}/{self.name}"

    @property
    def size(self) -> int:
        """The replicas to find room for: the most that an autoscaler may ask for."""
        return self.replicas.max if isinstance(self.replicas, Range) else self.replicas

    @property
    def groups(self) -> dict[Level, Groups]:
        """The spread to obey, with the default of critical workloads: two continents."""
        if self.spread_defaulted:
            return {"continent": Groups(min_groups=2)}
        return dict(self.spread)

    @property
    def all_groups(self) -> dict[Level, Groups]:
        """The spread with what ``survive`` needs besides: somewhere left to go."""
        groups = self.groups
        if self.survive is not None:
            level: Level = self.survive.loss
            wanted = groups.get(level, Groups())
            groups[level] = wanted.model_copy(update={"min_groups": max(2, wanted.min_groups)})
        return groups

    @property
    def interruptible(self) -> bool:
        """Whether it may run on nodes that the provider may take back."""
        return self.class_ != "critical" and not self.stateful

    @property
    def spread_defaulted(self) -> bool:
        """Whether the spread was not written but follows from the class."""
        return self.class_ == "critical" and not self.spread and not self.accept_single_continent

    @property
    def shares(self) -> dict[str, Decimal]:
        """The demand by region, as fractions of 1; empty where no demand is stated."""
        total = sum((d.share for d in self.demand), Decimal(0))
        return {d.region: d.share / total for d in self.demand}

    @model_validator(mode="after")
    def _delivered(self) -> "Workload":
        if self.autoscaler is not None:
            if not isinstance(self.replicas, Range):
                raise ValueError(
                    "read autoscaler beside a fixed number of replicas; "
                    "allowed beside replicas: {min, max}"
                )
            if self.template is not None and self.template.kind not in SCALABLE:
                raise ValueError(
                    f"read autoscaler for a {self.template.kind}; allowed {', '.join(SCALABLE)}"
                )
        if self.backups and self.stateful:
            raise ValueError(
                "read backups beside stateful: true; allowed for stateless workloads, since a "
                "stateful one is not evicted from a lost cluster"
            )
        if self.division != "fixed":
            exact = {
                "weights": self.weights,
                "atLeast": self.at_least,
                "atMost": self.at_most,
                "perCluster": self.per_cluster != PerCluster(),
                "survive": self.survive,
                "backups": self.backups,
            }
            wrong = [key for key, value in exact.items() if value]
            if wrong:
                raise ValueError(
                    f"read {', '.join(wrong)} beside division: {self.division}; allowed beside "
                    "division: fixed, since else free capacity says how many go where"
                )
        return self

    @model_validator(mode="after")
    def _consistent(self) -> "Workload":
        if (self.template is None) == (self.manifest is None):
            raise ValueError("read both or neither of template and manifest; allowed exactly one")
        if self.template is not None and self.template.kind not in DIVISIBLE:
            raise ValueError(
                f"template.kind is {self.template.kind}; "
                f"allowed what Karmada divides: {', '.join(DIVISIBLE)}"
            )
        missing = [name for name in ("cpu", "memory") if name not in self.request]
        if missing:
            raise ValueError(f"request lacks {', '.join(missing)}; allowed cpu and memory at least")
        if self.deviation_price is not None and not self.weights:
            raise ValueError("read deviationPrice without weights; allowed beside weights alone")
        if len({d.region for d in self.demand}) < len(self.demand):
            raise ValueError("demand names a region twice; allowed each region once")
        if self.latency_limit is not None and not self.demand:
            raise ValueError("read latencyLimit without demand; allowed where demand says whose")
        if self.survive is not None and self.stateful:
            raise ValueError(
                "read survive beside stateful: true; allowed for stateless workloads, since a "
                "stateful one is not evicted from a lost cluster"
            )
        return self

    @model_validator(mode="after")
    def _bounded(self) -> "Workload":
        if self.survive is not None and any(g.missing_price for g in self.spread.values()):
            raise ValueError(
                "read missingPrice beside survive; allowed one of them, since a promise after a "
                "loss cannot rest on a spread that may be missing before it"
            )
        most = self.per_cluster.max
        if most is not None and most < self.per_cluster.min:
            raise ValueError(
                f"perCluster.max {most} is below perCluster.min {self.per_cluster.min}"
            )
        if self.per_cluster.min > self.smallest:
            raise ValueError(
                f"perCluster.min is {self.per_cluster.min} with {self.smallest} replicas; "
                "allowed no more than there are at any time"
            )
        for level, groups in self.spread.items():
            if groups.min_groups > self.smallest:
                raise ValueError(
                    f"spread.{level}.minGroups is {groups.min_groups} with {self.smallest} "
                    "replicas; allowed no more groups than replicas"
                )
        return self

    @property
    def smallest(self) -> int:
        """The fewest replicas that the workload may have."""
        return self.replicas.min if isinstance(self.replicas, Range) else self.replicas

    @property
    def divided_anew(self) -> bool:
        """Whether an autoscaler has Karmada divide totals below ``size`` by the same weights."""
        return self.smallest < self.size and self.division == "fixed"
