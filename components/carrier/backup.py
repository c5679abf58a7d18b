"""Snapshots of etcd in the object store: taken, carried away and, when too old, removed.

Owns the CronJob. Its three steps are containers of their own, since the images have no shell: one
takes the snapshot with etcd's own checksum, the second carries it away under the name of its pod
(which says when it was due), the third removes what is too old, and so never runs when the first
two failed. What is in a snapshot is as secret as what is in etcd: the bucket must be encrypted.

PostgreSQL's backups are its operator's. How both are restored: docs/carrier.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.carrier import bucket_keys, etcd
from components.carrier.names import ETCD_CREDENTIALS, NAMESPACE
from components.resource import KubernetesObject
from components.settings.carrier import Backup, ObjectStore

NAME = "etcd-snapshot"
LABELS = {"app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "federation"}
_KEYS = f"{NAME}-keys"
_USER = 65532
_DEADLINE = 3600
"""Seconds: 8 GiB over a line of 20 Mbit/s."""


@dataclass(frozen=True)
class SnapshotsArgs:
    """What the snapshots are made from.

    Attributes:
        spec: how often, and for how long they are kept.
        keys: of the bucket; a secret.
        image: where an image of the catalogue is fetched from, by its name.
        store: what is saved.
        provider: of the cluster.
    """

    spec: Backup
    keys: pulumi.Output[Mapping[str, str]]
    image: Callable[[str], str]
    store: etcd.EtcdCluster
    provider: kubernetes.Provider


class Snapshots(pulumi.ComponentResource):
    """Snapshots of etcd in the object store."""

    def __init__(
        self, name: str, args: SnapshotsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Snapshots", name, props, opts)
        keys = kubernetes.core.v1.Secret(
            f"{name}-keys",
            metadata={"name": _KEYS, "namespace": NAMESPACE, "labels": LABELS},
            string_data=args.keys,
            opts=pulumi.ResourceOptions(
                parent=self, provider=args.provider, depends_on=[args.store.members]
            ),
        )
        KubernetesObject(
            f"{name}-cronjob",
            cron_job(args.spec, args.image("etcd"), args.image("rclone")),
            pulumi.ResourceOptions(
                parent=self, provider=args.provider, depends_on=[keys, args.store.members]
            ),
        )
        self.register_outputs({})


def cron_job(spec: Backup, etcd_image: str, rclone_image: str) -> dict[str, Any]:
    """The CronJob: one snapshot after the other, tried again when one fails."""
    folder = f"{spec.store.bucket}/{spec.store.prefix}/etcd"
    storage = [*_remote(spec.store), _field("POD", "metadata.name")]
    pod = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "fsGroup": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "initContainers": [
            {
                **_container("save", etcd_image, ["etcdctl", *_connection()]),
                "args": ["snapshot", "save", "/snapshot/etcd.db"],
            },
            {
                **_container("carry", rclone_image, ["rclone", "copyto"]),
                "args": ["/snapshot/etcd.db", f"store:{folder}/$(POD).db"],
                "env": storage,
            },
        ],
        "containers": [
            {
                **_container("remove", rclone_image, ["rclone", "delete"]),
                "args": [f"--min-age={spec.keep_days}d", f"store:{folder}"],
                "env": storage,
            }
        ],
        "volumes": [
            {"name": "snapshot", "emptyDir": {}},
            {"name": "credentials", "secret": {"secretName": ETCD_CREDENTIALS}},
        ],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": LABELS},
        "spec": {
            "schedule": spec.schedule,
            "timeZone": "Etc/UTC",
            "concurrencyPolicy": "Forbid",
            "successfulJobsHistoryLimit": 3,
            "failedJobsHistoryLimit": 3,
            "jobTemplate": {
                "spec": {
                    "backoffLimit": 2,
                    "activeDeadlineSeconds": _DEADLINE,
                    "template": {"metadata": {"labels": LABELS}, "spec": pod},
                }
            },
        },
    }


def _container(name: str, image: str, command: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "command": command,
        "resources": {"requests": {"cpu": "100m", "memory": "256Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "snapshot", "mountPath": "/snapshot"},
            {"name": "credentials", "mountPath": "/etc/etcd/tls", "readOnly": True},
        ],
    }


def _connection() -> list[str]:
    """The flags of etcdctl. A snapshot is taken of one member: of any that answers."""
    return [
        f"--endpoints={etcd.ANY}",
        "--cacert=/etc/etcd/tls/ca.crt",
        "--cert=/etc/etcd/tls/tls.crt",
        "--key=/etc/etcd/tls/tls.key",
    ]


def _remote(store: ObjectStore) -> list[dict[str, Any]]:
    """The remote ``store`` of rclone, said in its environment: it then needs no file."""
    plain = {
        "TYPE": "s3",
        "PROVIDER": "Other",
        "ENDPOINT": store.endpoint,
        "REGION": store.region,
        "NO_CHECK_BUCKET": "true",
    }
    secret = {"ACCESS_KEY_ID": bucket_keys.ACCESS, "SECRET_ACCESS_KEY": bucket_keys.SECRET}
    return [
        {"name": "RCLONE_CONFIG", "value": "/dev/null"},
        *({"name": f"RCLONE_CONFIG_STORE_{key}", "value": text} for key, text in plain.items()),
        *(
            {
                "name": f"RCLONE_CONFIG_STORE_{key}",
                "valueFrom": {"secretKeyRef": {"name": _KEYS, "key": entry}},
            }
            for key, entry in secret.items()
        ),
    ]


def _field(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}
