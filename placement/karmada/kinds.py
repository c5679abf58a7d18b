"""Every kind of this package, and the names under which the Karmada API serves it.

Owns the table; the kinds themselves stand in modules of their own.

Sources: the CRDs that Karmada 1.18 publishes; for Cluster the columns of
``pkg/printers/internalversion/printers.go``.
"""

from dataclasses import dataclass
from typing import Any, Final

from placement.karmada.autoscaler import FederatedHPA
from placement.karmada.cluster import Cluster
from placement.karmada.cron_autoscaler import CronFederatedHPA
from placement.karmada.encoding import nested_model
from placement.karmada.meta import WireModel
from placement.karmada.multicluster_service import MultiClusterService
from placement.karmada.override import ClusterOverridePolicy, OverridePolicy
from placement.karmada.propagation import ClusterPropagationPolicy, PropagationPolicy
from placement.karmada.quota import FederatedResourceQuota
from placement.karmada.rebalancer import WorkloadRebalancer
from placement.karmada.taint_policy import ClusterTaintPolicy


@dataclass(frozen=True)
class Column:
    """A column that kubectl prints; priority 1 stands for the wide output."""

    name: str
    path: str
    type: str = "string"
    priority: int = 0

    def manifest(self) -> dict[str, Any]:
        """Return the column as a CustomResourceDefinition states it."""
        wide = {"priority": self.priority} if self.priority else {}
        return {"jsonPath": self.path, "name": self.name, "type": self.type, **wide}


@dataclass(frozen=True)
class Served:
    """A kind and the names under which the API serves it.

    Attributes:
        model: the whole object.
        scope: ``Namespaced`` or ``Cluster``.
    """

    model: type[WireModel]
    plural: str
    scope: str
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ("karmada-io",)
    columns: tuple[Column, ...] = ()

    @property
    def api_version(self) -> str:
        """Group and version, such as ``policy.karmada.io/v1alpha1``."""
        return str(self.model.model_fields["api_version"].default)

    @property
    def kind(self) -> str:
        """The kind, such as ``PropagationPolicy``."""
        return str(self.model.model_fields["kind"].default)

    @property
    def spec(self) -> type[WireModel]:
        """The model of the spec."""
        model = nested_model(self.model.model_fields["spec"].annotation)
        assert model is not None  # noqa: S101 - every kind of this package has a spec
        return model


_AGE: Final = Column("AGE", ".metadata.creationTimestamp", "date")
_POLICY_COLUMNS: Final = (
    Column("CONFLICT-RESOLUTION", ".spec.conflictResolution"),
    Column("PRIORITY", ".spec.priority"),
    _AGE,
)
_TARGET_COLUMNS: Final = (
    Column("REFERENCE-KIND", ".spec.scaleTargetRef.kind"),
    Column("REFERENCE-NAME", ".spec.scaleTargetRef.name"),
)
_REPLICA_COLUMNS: Final = (
    Column("MINPODS", ".spec.minReplicas", "integer"),
    Column("MAXPODS", ".spec.maxReplicas", "integer"),
    Column("REPLICAS", ".status.currentReplicas", "integer"),
)

KINDS: Final = (
    Served(
        PropagationPolicy,
        "propagationpolicies",
        "Namespaced",
        short_names=("pp",),
        columns=_POLICY_COLUMNS,
    ),
    Served(
        ClusterPropagationPolicy,
        "clusterpropagationpolicies",
        "Cluster",
        short_names=("cpp",),
        columns=_POLICY_COLUMNS,
    ),
    Served(OverridePolicy, "overridepolicies", "Namespaced", short_names=("op",)),
    Served(ClusterOverridePolicy, "clusteroverridepolicies", "Cluster", short_names=("cop",)),
    Served(ClusterTaintPolicy, "clustertaintpolicies", "Cluster", categories=()),
    Served(
        FederatedResourceQuota,
        "federatedresourcequotas",
        "Namespaced",
        columns=(
            Column("OVERALL", ".status.overall"),
            Column("OVERALL_USED", ".status.overallUsed"),
        ),
    ),
    Served(
        FederatedHPA,
        "federatedhpas",
        "Namespaced",
        short_names=("fhpa",),
        columns=(*_TARGET_COLUMNS, *_REPLICA_COLUMNS, _AGE),
    ),
    Served(
        CronFederatedHPA,
        "cronfederatedhpas",
        "Namespaced",
        short_names=("cronfhpa",),
        columns=(*_TARGET_COLUMNS, _AGE),
    ),
    Served(MultiClusterService, "multiclusterservices", "Namespaced", short_names=("mcs",)),
    Served(WorkloadRebalancer, "workloadrebalancers", "Cluster", categories=()),
    Served(
        Cluster,
        "clusters",
        "Cluster",
        categories=(),
        columns=(
            Column("VERSION", ".status.kubernetesVersion"),
            Column("MODE", ".spec.syncMode"),
            Column("READY", '.status.conditions[?(@.type=="Ready")].status'),
            _AGE,
            Column("ZONES", ".spec.zones", priority=1),
            Column("REGION", ".spec.region", priority=1),
            Column("PROVIDER", ".spec.provider", priority=1),
            Column("API-ENDPOINT", ".spec.apiEndpoint", priority=1),
        ),
    ),
)
