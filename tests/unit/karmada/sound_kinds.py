"""One sound object of each kind, which the Karmada API takes and carries out."""

import copy
from typing import Any

from placement.karmada.findings import Facts

KNOWN = Facts(
    gates=frozenset({"Failover", "FederatedQuotaEnforcement", "MultiClusterService"}),
    fixed=frozenset(),
    acted=frozenset(),
)
"""A control plane with every gate on, where nobody writes replicas and nothing was rebalanced."""

_POLICY = "policy.karmada.io/v1alpha1"
_AUTOSCALING = "autoscaling.karmada.io/v1alpha1"
_WORKLOAD = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}
_OVERRIDE = {
    "resourceSelectors": [_WORKLOAD],
    "overrideRules": [
        {
            "targetCluster": {"clusterNames": ["fsn"]},
            "overriders": {
                "plaintext": [{"path": "/spec/paused", "operator": "add", "value": False}],
                "imageOverrider": [
                    {
                        "predicate": {"path": "/spec/template/spec/containers/0/image"},
                        "component": "Registry",
                        "operator": "replace",
                        "value": "registry.example.com",
                    }
                ],
                "commandOverrider": [{"containerName": "shop", "operator": "remove"}],
                "argsOverrider": [{"containerName": "shop", "operator": "add", "value": ["-v"]}],
                "labelsOverrider": [{"operator": "add", "value": {"tier": "gold"}}],
                "annotationsOverrider": [{"operator": "add", "value": {"A/b": "any text"}}],
                "fieldOverrider": [
                    {
                        "fieldPath": "/data/settings.yaml",
                        "yaml": [{"subPath": "/a", "operator": "replace", "value": 1}],
                    }
                ],
            },
        }
    ],
}
_SPECS: dict[str, tuple[str, dict[str, Any]]] = {
    "PropagationPolicy": (
        _POLICY,
        {
            "resourceSelectors": [_WORKLOAD],
            "placement": {"clusterAffinity": {"clusterNames": ["fsn"]}},
        },
    ),
    "ClusterPropagationPolicy": (
        _POLICY,
        {
            "resourceSelectors": [_WORKLOAD],
            "placement": {"clusterAffinity": {"clusterNames": ["fsn"]}},
        },
    ),
    "OverridePolicy": (_POLICY, _OVERRIDE),
    "ClusterOverridePolicy": (_POLICY, _OVERRIDE),
    "ClusterTaintPolicy": (
        _POLICY,
        {
            "addOnConditions": [
                {"conditionType": "Ready", "operator": "NotIn", "statusValues": ["True"]}
            ],
            "removeOnConditions": [
                {"conditionType": "Ready", "operator": "In", "statusValues": ["True"]}
            ],
            "taints": [{"key": "example.com/down", "effect": "NoSchedule"}],
        },
    ),
    "FederatedResourceQuota": (
        _POLICY,
        {
            "overall": {"requests.cpu": 4, "nvidia.com/gpu": "2"},
            "staticAssignments": [
                {"clusterName": "ash", "hard": {"requests.cpu": "2500m"}},
                {"clusterName": "fsn", "hard": {"requests.cpu": "1.5", "nvidia.com/gpu": 2}},
            ],
        },
    ),
    "FederatedHPA": (
        _AUTOSCALING,
        {
            "scaleTargetRef": _WORKLOAD,
            "minReplicas": 2,
            "maxReplicas": 2,
            "metrics": [
                {
                    "type": "ContainerResource",
                    "containerResource": {
                        "name": "memory",
                        "container": "shop",
                        "target": {"type": "AverageValue", "averageValue": "1Gi"},
                    },
                },
                {
                    "type": "Object",
                    "object": {
                        "describedObject": {"kind": "Ingress", "name": "shop"},
                        "metric": {"name": "requests"},
                        "target": {"type": "Value", "value": 100},
                    },
                },
                {
                    "type": "Pods",
                    "pods": {
                        "metric": {"name": "requests"},
                        "target": {"type": "AverageValue", "averageValue": "10"},
                    },
                },
                {
                    "type": "Resource",
                    "resource": {
                        "name": "cpu",
                        "target": {"type": "Utilization", "averageUtilization": 80},
                    },
                },
            ],
            "behavior": {
                "scaleUp": {
                    "stabilizationWindowSeconds": 3600,
                    "selectPolicy": "Min",
                    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1800}],
                }
            },
        },
    ),
    "CronFederatedHPA": (
        _AUTOSCALING,
        {
            "scaleTargetRef": _WORKLOAD,
            "rules": [
                {
                    "name": "night",
                    "schedule": "0 22 * * MON-FRI",
                    "targetReplicas": 0,
                    "timeZone": "Etc/UTC",
                }
            ],
        },
    ),
    "MultiClusterService": (
        "networking.karmada.io/v1alpha1",
        {
            "types": ["CrossCluster"],
            "ports": [{"name": "http", "port": 80}, {"port": 65535}],
            "providerClusters": [{"name": "fsn"}],
            "consumerClusters": [{"name": "ash"}],
        },
    ),
    "WorkloadRebalancer": (
        "apps.karmada.io/v1alpha1",
        {"workloads": [{**_WORKLOAD, "namespace": "default"}]},
    ),
    "Cluster": (
        "cluster.karmada.io/v1alpha1",
        {
            "id": "9e1c",
            "syncMode": "Push",
            "apiEndpoint": "https://fsn.example.com:6443",
            "proxyURL": "socks5://proxy.example.com",
            "secretRef": {"namespace": "karmada-cluster", "name": "fsn"},
            "impersonatorSecretRef": {"namespace": "karmada-cluster", "name": "fsn-impersonator"},
            "provider": "hetzner",
            "region": "eu-central",
            "zones": ["fsn1", "nbg1"],
            "resourceModels": [
                {"grade": 0, "ranges": [{"name": "cpu", "min": "0", "max": "4"}]},
                {"grade": 1, "ranges": [{"name": "cpu", "min": "4", "max": "8"}]},
            ],
        },
    ),
}

KINDS = tuple(_SPECS)


def sound(kind: str) -> dict[str, Any]:
    """Return a sound object, which the caller may change."""
    api_version, spec = _SPECS[kind]
    cluster_wide = kind.startswith("Cluster") or kind == "WorkloadRebalancer"
    namespace = {} if cluster_wide else {"namespace": "default"}
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "shop", **namespace},
        "spec": copy.deepcopy(spec),
    }
