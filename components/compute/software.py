"""What is installed on one cluster of a compute plane.

Owns the order: first what the API refuses, then what is installed. What each thing is told stands
in the module of its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.admission import (
    AcceleratorsOnly,
    AcceleratorsOnlyArgs,
    Namespaces,
    NoLocalVolumes,
    NoLocalVolumesArgs,
)
from components.catalogue import Installer
from components.compute import descheduler, gpu_operator, metrics
from components.compute.namespaces import Defaults, DefaultsArgs
from components.settings.compute import ComputeSoftware
from components.settings.compute.agreement import resources
from components.settings.mirror import Mirror
from placement.federation import Cluster

OWN = ("cattle-fleet-system", "cattle-system", "descheduler", "gpu-operator", "karmada-system",
       "monitoring", "rook-ceph", "rook-ceph-external")  # fmt: skip
"""The namespaces of this program's software on a compute cluster, Rancher's and Karmada's agents
and the storage plane's drivers among it."""


@dataclass(frozen=True)
class SoftwareArgs:
    """What is installed, and where.

    Attributes:
        spec: the settings.
        cluster: the facts of the cluster.
        provider: of the cluster.
        mirror: where charts and images come from, if not from their makers.
        metrics_token: of the receiver of metrics; a secret.
    """

    spec: ComputeSoftware
    cluster: Cluster
    provider: kubernetes.Provider
    mirror: Mirror | None
    metrics_token: pulumi.Output[str] | None


class Software(pulumi.ComponentResource):
    """The software of a compute plane on one cluster.

    Attributes:
        guards: what its API refuses, which must stand before the first workload comes.
    """

    guards: list[pulumi.Resource]

    def __init__(
        self, name: str, args: SoftwareArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:compute:Software", name, props, opts)
        self._name = name
        self._args = args
        self._installer = Installer(args.provider, args.mirror)
        spec, child = args.spec, pulumi.ResourceOptions(parent=self)
        self.guards = []
        own = Namespaces((*OWN, *spec.system_namespaces))
        if spec.stateless is not None:
            classes = spec.stateless.storage_classes
            volumes = NoLocalVolumesArgs(args.provider, own, classes)
            self.guards.append(NoLocalVolumes(name, volumes, child))
        if spec.accelerators is not None:
            names = {r for each in args.cluster.node_classes for r in resources(each)}
            only = AcceleratorsOnlyArgs(args.provider, own, tuple(sorted(names)))
            self.guards.append(AcceleratorsOnly(name, only, child))
        for each in spec.namespaces:
            Defaults(f"{name}-{each.name}", DefaultsArgs(each, args.provider), child)
        tolerated = tolerations(args.cluster)
        if spec.accelerators is not None:
            given = gpu_operator.values(spec.accelerators, tolerated)
            self._install("gpu-operator", "gpu-operator", given, self.guards)
        if spec.descheduler is not None:
            given = descheduler.values(spec.descheduler, tolerated)
            self._install("descheduler", "descheduler", given, self.guards)
        if spec.metrics is not None:
            token = args.metrics_token
            given = metrics.values(spec.metrics, args.cluster.name, with_token=token is not None)
            self._install("kube-prometheus-stack", "monitoring", given, self.guards, token)
        self.register_outputs({})

    def _install(
        self,
        entry: str,
        namespace: str,
        values: Mapping[str, Any],
        after: list[pulumi.Resource],
        token: pulumi.Output[str] | None = None,
    ) -> None:
        """An entry of the catalogue in a namespace of its own, with its token's Secret."""
        own = pulumi.ResourceOptions(parent=self, provider=self._args.provider)
        made = kubernetes.core.v1.Namespace(
            f"{self._name}-{namespace}", metadata={"name": namespace}, opts=own
        )
        before: list[pulumi.Resource] = [*after, made]
        if token is not None:
            secret = kubernetes.core.v1.Secret(
                f"{self._name}-{metrics.TOKEN_SECRET}",
                metadata={"name": metrics.TOKEN_SECRET, "namespace": namespace},
                string_data={metrics.TOKEN_KEY: token},
                opts=pulumi.ResourceOptions.merge(own, pulumi.ResourceOptions(depends_on=[made])),
            )
            before.append(secret)
        options = pulumi.ResourceOptions(parent=self, depends_on=before)
        self._installer.install(entry, namespace=namespace, values=values, opts=options)


def tolerations(cluster: Cluster) -> tuple[dict[str, str], ...]:
    """What the software tolerates so that it finds a node: every taint of the cluster's nodes."""
    taints = {t for each in cluster.node_classes for t in each.taints}
    return tuple(
        {
            "key": taint.key,
            "operator": "Equal" if taint.value else "Exists",
            **({"value": taint.value} if taint.value else {}),
            "effect": taint.effect,
        }
        for taint in sorted(taints, key=lambda t: (t.key, t.value or "", t.effect))
    )
