"""What is set for high availability of the control plane itself, beside the operator's defaults.

Owns the rows of the table in ``docs/carrier.md``; their form is that of ``high_availability``.

Source of the operator's defaults: Karmada 1.18.2
``operator/pkg/apis/operator/v1alpha1/defaults.go`` and the manifests beside; of the charts', their
published values.
"""

from components.carrier import etcd
from components.carrier.longhorn import COPIED_BY_DATABASE
from components.carrier.names import INSTANCE, MONITORING, NAMESPACE
from components.carrier.spread import HOST, ZONE
from tests.engine.high_availability import Chart, Object, Row

_KARMADA = Object("operator.karmada.io/v1alpha1", "Karmada", INSTANCE, NAMESPACE)
_ETCD = Object("apps/v1", "StatefulSet", etcd.NAME, NAMESPACE)
_OPERATOR = Chart("karmada-operator", NAMESPACE)
_MONITORING = Chart("kube-prometheus-stack", MONITORING)
_WISHES = "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution"
_DEMANDS = "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution"

_DEFAULT_REPLICAS = {
    "karmadaAPIServer": 1,
    "karmadaAggregatedAPIServer": 1,
    "kubeControllerManager": 1,
    "karmadaControllerManager": 1,
    "karmadaScheduler": 1,
    "karmadaWebhook": 1,
    "karmadaMetricsAdapter": 2,
}


def _component(name: str, replicas: int) -> tuple[Row, ...]:
    below = f"spec.components.{name}"
    return (
        Row(_KARMADA, f"{below}.replicas", replicas, 3),
        Row(_KARMADA, f"{below}.podDisruptionBudgetConfig.maxUnavailable", None, 1),
        Row(_KARMADA, f"{below}.{_WISHES}.0.podAffinityTerm.topologyKey", None, HOST),
        Row(_KARMADA, f"{below}.{_WISHES}.1.podAffinityTerm.topologyKey", None, ZONE),
    )


CONTROL_PLANE = (
    *(row for name, count in _DEFAULT_REPLICAS.items() for row in _component(name, count)),
    Row(
        _KARMADA,
        "spec.components.karmadaControllerManager.extraArgs.feature-gates",
        None,
        "Failover=true",
    ),
    Row(
        _KARMADA,
        "spec.components.karmadaControllerManager.extraArgs.enable-no-execute-taint-eviction",
        None,
        "true",
    ),
    Row(
        _KARMADA,
        "spec.components.karmadaWebhook.extraArgs.allow-no-execute-taint-policy",
        None,
        "true",
    ),
    Row(_KARMADA, "spec.customCertificate.leafCertValidityDays", None, 365),
    Row(_ETCD, "spec.replicas", 1, 3),
    Row(_ETCD, f"spec.template.spec.{_DEMANDS}.0.topologyKey", None, HOST),
    Row(_ETCD, f"spec.template.spec.{_WISHES}.0.podAffinityTerm.topologyKey", None, ZONE),
    Row(_ETCD, "spec.volumeClaimTemplates.0.spec.storageClassName", None, COPIED_BY_DATABASE),
    Row(_ETCD, "spec.template.spec.priorityClassName", None, "system-cluster-critical"),
    Row(
        Object("policy/v1", "PodDisruptionBudget", etcd.NAME, NAMESPACE),
        "spec.minAvailable",
        None,
        2,
    ),
    Row(_OPERATOR, "operator.replicaCount", 1, 2),
    Row(_OPERATOR, "operator.pdb.enabled", default=False, made=True),
    Row(_OPERATOR, "operator.priorityClassName", "", "system-cluster-critical"),
    Row(_MONITORING, "prometheus.prometheusSpec.replicas", 1, 2),
    Row(_MONITORING, "prometheus.prometheusSpec.podAntiAffinity", "soft", "hard"),
    Row(_MONITORING, "prometheus.podDisruptionBudget.enabled", default=False, made=True),
    Row(_MONITORING, "alertmanager.alertmanagerSpec.replicas", 1, 3),
    Row(_MONITORING, "alertmanager.alertmanagerSpec.podAntiAffinity", "soft", "hard"),
    Row(_MONITORING, "alertmanager.podDisruptionBudget.enabled", default=False, made=True),
)
"""Karmada, its store and what watches them."""


def shown(row: Row) -> str:
    """A row as the page shows it."""
    if isinstance(row.of, Chart):
        where = f"chart `{row.of.release}`"
    else:
        where = f"{row.of.kind} `{row.of.name}`"
    return f"| {where} | `{row.key}` | {_text(row.default)} | {_text(row.made)} |"


def _text(value: object) -> str:
    if value is None or value == "":
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
