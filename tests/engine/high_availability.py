"""What is set for high availability, beside what the maker's default would be.

Owns the rows of the tables in the documentation; engine tests hold them against the objects that a
cluster really got, and the defaults of charts against their published values.
"""

from dataclasses import dataclass
from typing import Any

from components.carrier import cert_manager, keycloak, longhorn, postgres, rancher
from components.carrier.spread import HOST

Plain = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """Where a chart's values are: in the fixture's ConfigMap of the release.

    Attributes:
        release: the catalogue's name.
        namespace: of the release.
    """

    release: str
    namespace: str


@dataclass(frozen=True)
class Object:
    """Where an object of ours is.

    Attributes:
        version: its ``apiVersion``.
        kind: its kind.
        name: its name.
        namespace: None where it has none.
    """

    version: str
    kind: str
    name: str
    namespace: str | None


@dataclass(frozen=True)
class Row:
    """One setting.

    Attributes:
        of: where it is.
        key: the path of it, with dots.
        default: what holds where nobody sets it: the chart's value, else what the software itself
            does; None where there is nothing then.
        made: what is set.
    """

    of: Chart | Object
    key: str
    default: Any
    made: Any


def dug(content: Any, key: str) -> Any:
    """What stands at *key* in *content*; None where the path ends early."""
    for part in key.split("."):
        if isinstance(content, list):
            content = content[int(part)] if int(part) < len(content) else None
        else:
            content = content.get(part) if isinstance(content, dict) else None
    return content


_LONGHORN = Chart("longhorn", longhorn.NAMESPACE)
_CERT_MANAGER = Chart("cert-manager", cert_manager.NAMESPACE)
_RANCHER = Chart("rancher", rancher.NAMESPACE)
_POSTGRES = Object("postgresql.cnpg.io/v1", "Cluster", postgres.CLUSTER, keycloak.NAMESPACE)
_KEYCLOAK = Object("k8s.keycloak.org/v2alpha1", "Keycloak", keycloak.NAME, keycloak.NAMESPACE)
_WISHES = "podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.podAffinityTerm"
_DEMANDS = "podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.0"


def _budget(name: str, namespace: str) -> Row:
    budget = Object("policy/v1", "PodDisruptionBudget", name, namespace)
    return Row(budget, "spec.maxUnavailable", None, 1)


FOUNDATIONS = (
    Row(_LONGHORN, "persistence.defaultClassReplicaCount", 3, 3),
    Row(_LONGHORN, "persistence.volumeBindingMode", "Immediate", "WaitForFirstConsumer"),
    Row(
        _LONGHORN,
        "defaultSettings.nodeDownPodDeletionPolicy",
        "do-nothing",
        "delete-both-statefulset-and-deployment-pod",
    ),
    Row(
        _LONGHORN,
        "defaultSettings.nodeDrainPolicy",
        "block-if-contains-last-replica",
        "allow-if-replica-is-stopped",
    ),
    Row(
        _LONGHORN,
        "defaultSettings.allowVolumeCreationWithDegradedAvailability",
        "true",
        "false",
    ),
    Row(_LONGHORN, "longhornUI.podDisruptionBudget.enabled", default=False, made=True),
    Row(
        Object("storage.k8s.io/v1", "StorageClass", longhorn.COPIED_BY_DATABASE, None),
        "parameters.dataLocality",
        "disabled",
        "strict-local",
    ),
    Row(
        Object("storage.k8s.io/v1", "StorageClass", longhorn.COPIED_BY_DATABASE, None),
        "volumeBindingMode",
        "Immediate",
        "WaitForFirstConsumer",
    ),
    Row(_CERT_MANAGER, "replicaCount", 1, 2),
    Row(_CERT_MANAGER, "podDisruptionBudget.enabled", default=False, made=True),
    Row(_CERT_MANAGER, f"affinity.{_WISHES}.topologyKey", None, HOST),
    Row(_CERT_MANAGER, "webhook.replicaCount", 1, 3),
    Row(_CERT_MANAGER, "webhook.podDisruptionBudget.enabled", default=False, made=True),
    Row(_CERT_MANAGER, f"webhook.affinity.{_WISHES}.topologyKey", None, HOST),
    Row(_CERT_MANAGER, "cainjector.replicaCount", 1, 2),
    Row(_CERT_MANAGER, "cainjector.podDisruptionBudget.enabled", default=False, made=True),
    Row(Chart("cloudnative-pg", postgres.OPERATOR_NAMESPACE), "replicaCount", 1, 2),
    Row(
        Chart("cloudnative-pg", postgres.OPERATOR_NAMESPACE),
        f"affinity.{_WISHES}.topologyKey",
        None,
        HOST,
    ),
    _budget("cloudnative-pg", postgres.OPERATOR_NAMESPACE),
    Row(_POSTGRES, "spec.instances", 1, 3),
    Row(_POSTGRES, "spec.postgresql.synchronous.number", 0, 1),
    Row(_POSTGRES, "spec.postgresql.synchronous.dataDurability", "required", "required"),
    Row(_POSTGRES, "spec.postgresql.synchronous.failoverQuorum", default=False, made=True),
    Row(_POSTGRES, "spec.primaryUpdateMethod", "restart", "switchover"),
    Row(_POSTGRES, "spec.affinity.podAntiAffinityType", "preferred", "required"),
    Row(_POSTGRES, "spec.enablePDB", default=True, made=True),
    Row(_POSTGRES, "spec.storage.storageClass", None, longhorn.COPIED_BY_DATABASE),
    Row(_KEYCLOAK, "spec.instances", 1, 3),
    Row(_KEYCLOAK, f"spec.scheduling.affinity.{_DEMANDS}.topologyKey", None, HOST),
    _budget(keycloak.NAME, keycloak.NAMESPACE),
    Row(_RANCHER, "replicas", 3, 3),
    Row(_RANCHER, "antiAffinity", "preferred", "required"),
    _budget("rancher", rancher.NAMESPACE),
)
"""What the control plane stands on."""


def table(rows: tuple[Row, ...]) -> str:
    """The rows as a table of the documentation."""
    lines = ["| where | setting | by default | here |", "|---|---|---|---|"]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(row: Row) -> str:
    where = (
        f"chart `{row.of.release}`"
        if isinstance(row.of, Chart)
        else f"{row.of.kind} `{row.of.name}`"
    )
    return f"| {where} | `{row.key}` | {_shown(row.default)} | {_shown(row.made)} |"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
