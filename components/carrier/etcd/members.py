"""The objects of etcd's members, and the names by which they are found.

Source: etcd 3.6 operations guide; Kubernetes, "Operating etcd clusters".
"""

from collections.abc import Sequence
from typing import Any

from components.carrier.names import NAMESPACE
from components.carrier.spread import apart
from components.settings.carrier import Etcd
from placement.quantity import parse_quantity

NAME = "etcd"
MEMBERS = 3
CLIENT_PORT, PEER_PORT, METRICS_PORT = 2379, 2380, 2381
LABELS = {"app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "federation"}
_SERVICE = f"{NAME}.{NAMESPACE}.svc.cluster.local"
ANY = f"https://{_SERVICE}:{CLIENT_PORT}"
"""Whichever member answers."""

TOKEN = f"{NAME}-{NAMESPACE}"
"""By which members know that they found the same store."""

CERTIFICATES = f"{NAME}-certificates"
_CERTIFICATES, _DATA = "/etc/etcd/tls", "/var/lib/etcd"
_USER = 65532
"""Any that is not root."""


def endpoints() -> list[str]:
    """The URL of each member: clients know all, and need no load balancer."""
    return [f"https://{host}:{CLIENT_PORT}" for host in _members()]


def hosts() -> list[str]:
    """What the members' certificate is for.

    Each by its own name: a member looks up the names that a peer shows, and a wildcard would need
    addresses to have names, too.
    """
    return [*_members(), _SERVICE, "localhost", "127.0.0.1"]


def service_object() -> dict[str, Any]:
    """The Service that gives each member its name, also before it is ready: peers need it to be."""
    ports = {"client": CLIENT_PORT, "peer": PEER_PORT, "metrics": METRICS_PORT}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        # It never has an address of its own to wait for.
        "metadata": {**_metadata(), "annotations": {"pulumi.com/skipAwait": "true"}},
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": LABELS,
            "ports": [{"name": name, "port": port} for name, port in ports.items()],
        },
    }


def genesis_object(*, founded: bool) -> dict[str, Any]:
    """What an empty member does, as a ConfigMap: read at a start, so a change restarts nobody."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": _metadata(),
        "data": {"ETCD_INITIAL_CLUSTER_STATE": "existing" if founded else "new"},
    }


def budget_object() -> dict[str, Any]:
    """The budget that keeps a majority while nodes are drained."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": _metadata(),
        "spec": {"minAvailable": MEMBERS - 1, "selector": {"matchLabels": LABELS}},
    }


def members_object(spec: Etcd, storage_class: str, image: str) -> dict[str, Any]:
    """The StatefulSet of the members."""
    memory = {"limits": {"memory": spec.request["memory"]}} if "memory" in spec.request else {}
    security = {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    container = {
        "name": NAME,
        "image": image,
        "command": ["etcd", *arguments(spec)],
        "env": [{"name": "NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
        "envFrom": [{"configMapRef": {"name": NAME}}],
        "ports": [
            {"name": "client", "containerPort": CLIENT_PORT},
            {"name": "peer", "containerPort": PEER_PORT},
            {"name": "metrics", "containerPort": METRICS_PORT},
        ],
        "resources": {"requests": dict(spec.request), **memory},
        # A member that has lost the others is alive: to restart it would help nobody.
        "startupProbe": _probe("/readyz", failures=60),
        "readinessProbe": _probe("/readyz", failures=3),
        "livenessProbe": _probe("/livez", failures=8),
        "securityContext": security,
        "volumeMounts": [
            {"name": "data", "mountPath": _DATA},
            {"name": "certificates", "mountPath": _CERTIFICATES, "readOnly": True},
        ],
    }
    pod = {
        "affinity": apart(LABELS, must=True),
        "priorityClassName": "system-cluster-critical",
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 60,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "fsGroup": _USER,
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [container],
        "volumes": [{"name": "certificates", "secret": {"secretName": CERTIFICATES}}],
    }
    claim = {
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": storage_class,
            "resources": {"requests": {"storage": spec.storage}},
        },
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": _metadata(),
        "spec": {
            "replicas": MEMBERS,
            "serviceName": NAME,
            # All at once: one alone never becomes ready.
            "podManagementPolicy": "Parallel",
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": LABELS}, "spec": pod},
            "volumeClaimTemplates": [claim],
            "persistentVolumeClaimRetentionPolicy": {
                "whenDeleted": "Retain",
                "whenScaled": "Retain",
            },
        },
    }


def arguments(spec: Etcd) -> list[str]:
    """The flags of a member; ``$(NAME)`` is its pod's name."""
    own = f"$(NAME).{_SERVICE}"
    cluster = ",".join(f"{host.split('.')[0]}=https://{host}:{PEER_PORT}" for host in _members())
    return [
        "--name=$(NAME)",
        f"--data-dir={_DATA}/data",  # beside the volume's own lost+found
        f"--listen-client-urls=https://0.0.0.0:{CLIENT_PORT}",
        f"--advertise-client-urls=https://{own}:{CLIENT_PORT}",
        f"--listen-peer-urls=https://0.0.0.0:{PEER_PORT}",
        f"--initial-advertise-peer-urls=https://{own}:{PEER_PORT}",
        f"--initial-cluster={cluster}",
        f"--initial-cluster-token={TOKEN}",
        f"--listen-metrics-urls=http://0.0.0.0:{METRICS_PORT}",
        *_tls("", "--client-cert-auth"),
        *_tls("peer-", "--peer-client-cert-auth"),
        "--tls-min-version=TLS1.3",
        # API servers compact every five minutes; this does so where none of them runs.
        "--auto-compaction-mode=periodic",
        "--auto-compaction-retention=1h",
        f"--quota-backend-bytes={int(parse_quantity(spec.quota))}",
        # A disk that came back with other data is found before the member serves it.
        "--feature-gates=InitialCorruptCheck=true",
    ]


def _tls(prefix: str, demand: str) -> Sequence[str]:
    return (
        f"--{prefix}cert-file={_CERTIFICATES}/tls.crt",
        f"--{prefix}key-file={_CERTIFICATES}/tls.key",
        f"--{prefix}trusted-ca-file={_CERTIFICATES}/ca.crt",
        demand,
    )


def _members() -> list[str]:
    return [f"{NAME}-{index}.{_SERVICE}" for index in range(MEMBERS)]


def _probe(path: str, *, failures: int) -> dict[str, Any]:
    return {
        "httpGet": {"path": path, "port": "metrics"},
        "periodSeconds": 5,
        "timeoutSeconds": 5,
        "failureThreshold": failures,
    }


def _metadata() -> dict[str, Any]:
    return {"name": NAME, "namespace": NAMESPACE, "labels": LABELS}
