"""Karmada's store: three etcd members of ours, each with its own volume.

Ours rather than the operator's, whose members speak plain HTTP to each other and whose list can
never change. Owns the members, their certificates and what the API servers need to reach them. It
does not save them: ``backup`` does.

A member that restarts finds its data on its volume; ``--initial-cluster`` is read by an empty one
alone. A member that lost its volume has to be removed and added by hand: docs/carrier.md.

Source: etcd 3.6 operations guide; Kubernetes, "Operating etcd clusters".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.carrier.etcd.members import (
    CERTIFICATES,
    LABELS,
    NAME,
    budget_object,
    genesis_object,
    hosts,
    members_object,
    service_object,
)
from components.carrier.names import ETCD_CREDENTIALS, NAMESPACE
from components.certificates import CLIENT, SERVER, Leaf, Subject, authority, leaf
from components.resource import KubernetesObject
from components.settings.carrier import Etcd

_READY = "900s"
"""Three volumes are made, attached and filled in turn, and images come from far away."""


@dataclass(frozen=True)
class EtcdArgs:
    """What the store is made from.

    Attributes:
        spec: its settings.
        storage_class: of the members' volumes.
        image: etcd's.
        namespace: the namespace, once it exists.
        volumes: what the members' volumes wait for.
        provider: of the cluster.
        rotate: the text whose change renews the certificates.
    """

    spec: Etcd
    storage_class: str
    image: str
    namespace: pulumi.Resource
    volumes: list[pulumi.Resource]
    provider: kubernetes.Provider
    rotate: str


class EtcdCluster(pulumi.ComponentResource):
    """Three members of etcd.

    Attributes:
        members: ready once the members are.
        credentials: the Secret with which API servers reach them.
        ends: when each certificate ends, in RFC 3339, by its name.
    """

    members: pulumi.Resource
    credentials: pulumi.Resource
    ends: dict[str, pulumi.Output[str]]

    def __init__(
        self, name: str, args: EtcdArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            **args.spec.model_dump(mode="json", by_alias=True),
            "storageClass": args.storage_class,
            "image": args.image,
        }
        super().__init__("federation:carrier:Etcd", name, props, opts)
        self._name, self._args = name, args
        below = pulumi.ResourceOptions(parent=self)
        signer = authority(f"{name}-ca", below)
        server = leaf(
            f"{name}-server",
            Subject(NAME, (SERVER, CLIENT), hosts=tuple(hosts())),
            signer,
            args.rotate,
            below,
        )
        client = leaf(
            f"{name}-client", Subject("karmada-apiserver", (CLIENT,)), signer, args.rotate, below
        )
        self.ends = {"etcd": server.ends, "etcd-client": client.ends}
        certificates = self._secret(CERTIFICATES, signer.certificate, server)
        self.credentials = self._secret(ETCD_CREDENTIALS, signer.certificate, client)
        service = self._object(service_object(), [args.namespace])
        genesis = self._object(genesis_object(founded=args.spec.founded), [args.namespace])
        self._object(budget_object(), [args.namespace])
        self.members = self._object(
            members_object(args.spec, args.storage_class, args.image),
            [service, genesis, certificates, *args.volumes],
            pulumi.CustomTimeouts(create=_READY, update=_READY),
        )
        self.register_outputs({})

    def _secret(self, name: str, signer: pulumi.Output[str], held: Leaf) -> pulumi.Resource:
        return kubernetes.core.v1.Secret(
            f"{self._name}-{name}",
            metadata={"name": name, "namespace": NAMESPACE, "labels": LABELS},
            string_data={"ca.crt": signer, "tls.crt": held.certificate, "tls.key": held.key},
            opts=pulumi.ResourceOptions(
                parent=self, provider=self._args.provider, depends_on=[self._args.namespace]
            ),
        )

    def _object(
        self,
        content: Mapping[str, Any],
        after: list[pulumi.Resource],
        timeouts: pulumi.CustomTimeouts | None = None,
    ) -> pulumi.Resource:
        return KubernetesObject(
            f"{self._name}-{content['kind'].lower()}",
            content,
            pulumi.ResourceOptions(
                parent=self,
                provider=self._args.provider,
                depends_on=after,
                custom_timeouts=timeouts,
            ),
        )
