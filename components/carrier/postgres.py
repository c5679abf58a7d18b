"""PostgreSQL for Keycloak: CloudNativePG and a cluster of three instances.

Owns the promise that a commit which was answered survives the loss of any one instance: it is on
two before the answer, and an instance without it is never promoted. Backups go by the Barman Cloud
plugin: CloudNativePG's own support for object stores is deprecated since 1.26 and gone in 1.32.

Source: CloudNativePG documentation 1.30, "Replication", "Failover"; plugin documentation, "Usage".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.carrier.bucket_keys import ACCESS, SECRET
from components.carrier.budget import one_at_a_time
from components.carrier.spread import HOST, ZONE, apart
from components.catalogue import Installer
from components.resource import KubernetesObject
from components.settings.carrier.object_store import Backup
from components.settings.carrier.postgres import Postgres as PostgresSettings

OPERATOR_NAMESPACE = "cnpg-system"
CLUSTER = "postgres"
DATABASE = "keycloak"
INSTANCES = 3
CREDENTIALS = f"{CLUSTER}-app"
"""The Secret with the owner's ``username`` and ``password``; the operator makes it."""
HOST_NAME = f"{CLUSTER}-rw"
"""The Service of whichever instance is the primary."""

_OPERATOR = {"app.kubernetes.io/name": "cloudnative-pg"}
_PLUGIN = "barman-cloud.cloudnative-pg.io"
_KEYS = f"{CLUSTER}-backup"
_NIGHTLY = "0 41 1 * * *"
"""Seconds first. The log between two base backups goes out as it is written."""
_READY = pulumi.CustomTimeouts(create="20m", update="60m")
"""Three volumes, images, and two instances that are copied one after the other; an update of the
image restarts each in turn."""


@dataclass(frozen=True)
class Copies:
    """Where copies go.

    Attributes:
        spec: the settings.
        keys: of the bucket, as ``bucket_keys`` reads them; a secret.
    """

    spec: Backup
    keys: pulumi.Output[Mapping[str, str]]


@dataclass(frozen=True)
class PostgresArgs:
    """What PostgreSQL is made from.

    Attributes:
        spec: its settings.
        namespace: where the cluster lives: that of whoever uses it, since Secrets are read there.
        storage_class: of the instances' volumes.
        copies: where copies go; None for none.
        after: what volumes and the plugin's certificates wait for, and the namespace.
        provider: of the cluster.
        installer: of the cluster.
    """

    spec: PostgresSettings
    namespace: str
    storage_class: str
    copies: Copies | None
    after: list[pulumi.Resource]
    provider: kubernetes.Provider
    installer: Installer


class Postgres(pulumi.ComponentResource):
    """A PostgreSQL cluster on the carrier.

    Attributes:
        ready: the cluster, ready.
    """

    ready: pulumi.Resource

    def __init__(
        self, name: str, args: PostgresArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            **args.spec.model_dump(mode="json", by_alias=True),
            "storageClass": args.storage_class,
        }
        super().__init__("federation:carrier:Postgres", name, props, opts)
        self._name, self._args = name, args
        operator = self._operator()
        after = [*args.after, operator]
        if args.copies is not None:
            after += self._store(args.copies, operator)
        self.ready = self._object(
            cluster(
                args.spec,
                args.namespace,
                args.storage_class,
                args.installer.image("postgresql"),
                backed_up=args.copies is not None,
            ),
            after,
            pulumi.ResourceOptions(
                custom_timeouts=_READY,
                # The form of its beginning is read once: another beginning is another cluster.
                replacement_trigger=args.spec.generation,
                delete_before_replace=True,
            ),
        )
        if args.copies is not None:
            self._object(scheduled_backup(args.namespace), [self.ready])
        self.register_outputs({})

    def _operator(self) -> pulumi.Resource:
        below = pulumi.ResourceOptions(parent=self, provider=self._args.provider)
        namespace = kubernetes.core.v1.Namespace(
            f"{self._name}-operator-namespace",
            metadata={"name": OPERATOR_NAMESPACE},
            opts=below,
        )
        one_at_a_time(
            "cloudnative-pg",
            OPERATOR_NAMESPACE,
            _OPERATOR,
            pulumi.ResourceOptions(
                parent=self, provider=self._args.provider, depends_on=[namespace]
            ),
        )
        return self._args.installer.install(
            "cloudnative-pg",
            namespace=OPERATOR_NAMESPACE,
            values=values(),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )

    def _store(self, copies: Copies, operator: pulumi.Resource) -> list[pulumi.Resource]:
        """The plugin, and where it writes."""
        plugin = self._args.installer.install(
            "plugin-barman-cloud",
            # It serves the operator of its own namespace.
            namespace=OPERATOR_NAMESPACE,
            values={},
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*self._args.after, operator]),
        )
        secret = kubernetes.core.v1.Secret(
            f"{self._name}-keys",
            metadata={"name": _KEYS, "namespace": self._args.namespace},
            string_data=copies.keys,
            opts=pulumi.ResourceOptions(
                parent=self, provider=self._args.provider, depends_on=self._args.after
            ),
        )
        store = self._object(object_store(copies.spec, self._args.namespace), [plugin, secret])
        return [plugin, store]

    def _object(
        self,
        content: Mapping[str, Any],
        after: list[pulumi.Resource],
        further: pulumi.ResourceOptions | None = None,
    ) -> pulumi.Resource:
        opts = pulumi.ResourceOptions(parent=self, provider=self._args.provider, depends_on=after)
        name = f"{self._name}-{content['kind'].lower()}"
        return KubernetesObject(name, content, pulumi.ResourceOptions.merge(opts, further))


def values() -> dict[str, Any]:
    """The values of the operator's chart."""
    # One works, the other waits for the lease. Without any, no instance is promoted.
    return {"replicaCount": 2, "affinity": apart(_OPERATOR, must=False)}


def cluster(
    spec: PostgresSettings, namespace: str, storage_class: str, image: str, *, backed_up: bool
) -> dict[str, Any]:
    """The ``Cluster`` object."""
    name = {"cnpg.io/cluster": CLUSTER}
    zones = {"labelSelector": {"matchLabels": name}, "topologyKey": ZONE}
    plugin = {"name": _PLUGIN, "isWALArchiver": True, "parameters": _archive(spec.generation)}
    memory = {"limits": {"memory": spec.request["memory"]}} if "memory" in spec.request else {}
    return {
        "apiVersion": "postgresql.cnpg.io/v1",
        "kind": "Cluster",
        "metadata": {
            "name": CLUSTER,
            "namespace": namespace,
            "annotations": {"pulumi.com/waitFor": "condition=Ready"},
        },
        "spec": {
            "instances": INSTANCES,
            # The operator's default moves with the operator, to another major version too.
            "imageName": image,
            **_beginning(spec),
            "postgresql": {
                "synchronous": {
                    "method": "any",
                    "number": 1,
                    # Rather no answer than one that a lost node takes back.
                    "dataDurability": "required",
                    "failoverQuorum": True,
                }
            },
            "primaryUpdateStrategy": "unsupervised",
            # A restart would have no primary for as long as it takes.
            "primaryUpdateMethod": "switchover",
            "enablePDB": True,
            "affinity": {
                "enablePodAntiAffinity": True,
                "podAntiAffinityType": "required",
                "topologyKey": HOST,
                "additionalPodAntiAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {"weight": 100, "podAffinityTerm": zones}
                    ]
                },
            },
            "storage": {"size": spec.storage, "storageClass": storage_class},
            "resources": {"requests": dict(spec.request), **memory},
            **({"plugins": [plugin]} if backed_up else {}),
        },
    }


def _archive(generation: int) -> dict[str, str]:
    """Where the plugin keeps a generation: apart, since it refuses to write over another's."""
    return {"barmanObjectName": CLUSTER, "serverName": f"{CLUSTER}-{generation}"}


def _beginning(spec: PostgresSettings) -> dict[str, Any]:
    """What the data begins with: nothing, or the generation before."""
    owned = {"database": DATABASE, "owner": DATABASE}
    if spec.recovery is None:
        return {"bootstrap": {"initdb": {**owned, "dataChecksums": True}}}
    source = "before"
    until = spec.recovery.until
    target = {"recoveryTarget": {"targetTime": until.isoformat()}} if until is not None else {}
    plugin = {"name": _PLUGIN, "parameters": _archive(spec.generation - 1)}
    return {
        "bootstrap": {"recovery": {"source": source, **owned, **target}},
        "externalClusters": [{"name": source, "plugin": plugin}],
    }


def object_store(backup: Backup, namespace: str) -> dict[str, Any]:
    """The plugin's ``ObjectStore``."""
    store = backup.store
    return {
        "apiVersion": "barmancloud.cnpg.io/v1",
        "kind": "ObjectStore",
        "metadata": {"name": CLUSTER, "namespace": namespace},
        "spec": {
            "retentionPolicy": f"{backup.keep_days}d",
            "configuration": {
                "destinationPath": f"s3://{store.bucket}/{store.prefix}/postgres",
                "endpointURL": store.endpoint,
                "s3Credentials": {
                    "accessKeyId": {"name": _KEYS, "key": ACCESS},
                    "secretAccessKey": {"name": _KEYS, "key": SECRET},
                },
                "wal": {"compression": "gzip"},
                "data": {"compression": "gzip"},
            },
        },
    }


def scheduled_backup(namespace: str) -> dict[str, Any]:
    """The ``ScheduledBackup``: a base backup at once, and every night."""
    return {
        "apiVersion": "postgresql.cnpg.io/v1",
        "kind": "ScheduledBackup",
        "metadata": {"name": CLUSTER, "namespace": namespace},
        "spec": {
            "schedule": _NIGHTLY,
            "immediate": True,
            "backupOwnerReference": "self",
            "cluster": {"name": CLUSTER},
            "method": "plugin",
            "pluginConfiguration": {"name": _PLUGIN},
        },
    }
