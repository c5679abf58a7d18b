"""What was decided and what Karmada made of it, as metrics: kube-state-metrics on the Karmada API.

Owns which fields become metrics, and the identity that may read them. Both sides are there already:
a policy's static weights hold the decided numbers, and a binding names the clusters that Karmada
chose. Nothing is computed here but by Prometheus.

Source: kube-state-metrics documentation, "Custom Resource State".
"""

from collections.abc import Mapping
from typing import Any

import pulumi
import yaml

NAME = "federation-predictions"
GROUP = "federation:monitoring"
"""The group of the identity in the Karmada API."""

LABELS = {"app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "federation"}
PORT = 8080
_FOLDER = "/etc/federation"
_USER = 65534
_POLICY = ("policy.karmada.io", "v1alpha1", "PropagationPolicy", "propagationpolicies")
_BINDING = ("work.karmada.io", "v1alpha2", "ResourceBinding", "resourcebindings")
_WEIGHTS = ["spec", "placement", "replicaScheduling", "weightPreference", "staticWeightList"]
_OF_POLICY = "propagationpolicy.karmada.io"
"""Begins the annotations by which a binding names its policy."""


def state() -> dict[str, Any]:
    """The configuration of kube-state-metrics: a metric of each kind."""
    weight = {
        "path": _WEIGHTS,
        "labelsFromPath": {"cluster": ["targetCluster", "clusterNames", "0"]},
        "valueFrom": ["weight"],
    }
    policy = {
        "namespace": ["metadata", "namespace"],
        "policy": ["metadata", "name"],
    }
    replicas = {
        "path": ["spec", "clusters"],
        "labelsFromPath": {"cluster": ["name"]},
        "valueFrom": ["replicas"],
    }
    binding = {
        "namespace": ["metadata", "annotations", f"{_OF_POLICY}/namespace"],
        "policy": ["metadata", "annotations", f"{_OF_POLICY}/name"],
    }
    resources = [
        _metric(_POLICY, policy, "policy_weight", "The weight of a cluster.", weight),
        _metric(_BINDING, binding, "binding_replicas", "Replicas on a cluster.", replicas),
    ]
    return {"kind": "CustomResourceStateMetrics", "spec": {"resources": resources}}


def _metric(
    kind: tuple[str, str, str, str],
    labels: Mapping[str, list[str]],
    name: str,
    words: str,
    gauge: Mapping[str, Any],
) -> dict[str, Any]:
    group, version, singular, plural = kind
    return {
        "groupVersionKind": {"group": group, "version": version, "kind": singular},
        "resourcePlural": plural,
        "metricNamePrefix": "federation",
        "labelsFromPath": {key: list(path) for key, path in labels.items()},
        "metrics": [{"name": name, "help": words, "each": {"type": "Gauge", "gauge": dict(gauge)}}],
    }


def role() -> dict[str, Any]:
    """What the identity may do in the Karmada API: read both kinds, and see that they are there."""
    kinds = [(group, plural) for group, _, _, plural in (_POLICY, _BINDING)]
    kinds.append(("apiextensions.k8s.io", "customresourcedefinitions"))
    rules = [
        {"apiGroups": [group], "resources": [plural], "verbs": ["list", "watch"]}
        for group, plural in kinds
    ]
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": NAME},
        "rules": rules,
    }


def binding() -> dict[str, Any]:
    """Who may do it."""
    group = "rbac.authorization.k8s.io"
    return {
        "apiVersion": f"{group}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": NAME},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": NAME},
        "subjects": [{"apiGroup": group, "kind": "Group", "name": GROUP}],
    }


def config_map(namespace: str) -> dict[str, Any]:
    """The configuration in the cluster."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": NAME, "namespace": namespace, "labels": LABELS},
        "data": {"state.yaml": yaml.safe_dump(state())},
    }


def deployment(namespace: str, image: str, digest: pulumi.Input[str]) -> dict[str, Any]:
    """The Deployment: one replica, since two would count everything twice.

    Args:
        namespace: of the Deployment, its configuration and its credentials.
        image: of kube-state-metrics.
        digest: of the credentials: read once, at the start.
    """
    container = {
        "name": "kube-state-metrics",
        "image": image,
        "args": [
            f"--kubeconfig={_FOLDER}/credentials/kubeconfig",
            "--custom-resource-state-only=true",
            f"--custom-resource-state-config-file={_FOLDER}/state/state.yaml",
            f"--port={PORT}",
        ],
        "ports": [{"name": "metrics", "containerPort": PORT}],
        "readinessProbe": {"httpGet": {"path": "/healthz", "port": "metrics"}},
        "resources": {"requests": {"cpu": "50m", "memory": "128Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": name, "mountPath": f"{_FOLDER}/{name}", "readOnly": True}
            for name in ("credentials", "state")
        ],
    }
    pod = {
        "automountServiceAccountToken": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [container],
        "volumes": [
            {"name": "credentials", "secret": {"secretName": NAME}},
            {"name": "state", "configMap": {"name": NAME}},
        ],
    }
    annotations = {"federation/credentials": digest}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": NAME, "namespace": namespace, "labels": LABELS},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": LABELS, "annotations": annotations}, "spec": pod},
        },
    }
