"""Karmada by its operator: three replicas of every component, on our etcd, with our certificates.

Owns the ``Karmada`` resource, and the Secret with the control plane's certificates. The operator
takes that Secret as it finds it, and never renews what is in it; made here, with keys that outlive
their certificates, a renewal is an update in place: the accounts' tokens, signed by one of the
keys, stay valid. Every component carries the digest of the certificates as an annotation, so a
renewal makes the operator reconcile (it then issues its components' own kubeconfigs anew) and
restarts each component in turn.

Source: Karmada 1.18.2 ``operator/pkg/{certs,tasks/init,controlplane}``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.carrier.etcd import EtcdCluster
from components.carrier.karmada.resource import (
    AUTHORITY,
    ISSUER,
    Login,
    components,
    resource_spec,
)
from components.carrier.karmada.subjects import digest_of, subjects
from components.carrier.names import CERTIFICATES, INSTANCE, NAMESPACE
from components.carrier.spread import apart
from components.catalogue import Installer, entry
from components.certificates import Authority, Leaf, authority, leaf
from components.resource import KubernetesObject
from components.settings.carrier import Karmada

OPERATOR = "karmada-operator"

_READY = "30m"
"""Eight images, and the operator itself waits 3 times 120 s for the API and again for each part."""
_GONE = "15m"
"""The operator takes its parts down one after the other before it lets the resource go."""


@dataclass(frozen=True)
class KarmadaArgs:
    """What the control plane is made from.

    Attributes:
        spec: its settings.
        login: who issues the tokens with which people log in; None: nobody.
        installer: of the cluster.
        provider: of the cluster.
        image: where an image of the catalogue is fetched from, by its name.
        namespace: the namespace, once it exists.
        store: the store, once it serves.
        rotate: the text whose change renews the certificates.
    """

    spec: Karmada
    login: Login | None
    installer: Installer
    provider: kubernetes.Provider
    image: Callable[[str], str]
    namespace: pulumi.Resource
    store: EtcdCluster
    rotate: str


class KarmadaControlPlane(pulumi.ComponentResource):
    """Karmada's control plane.

    Attributes:
        authority: signs what its API shows and believes.
        ready: the resource, once the operator says that all of it runs.
        ends: when each certificate ends, in RFC 3339, by its name.
    """

    authority: Authority
    ready: pulumi.Resource
    ends: dict[str, pulumi.Output[str]]

    def __init__(
        self, name: str, args: KarmadaArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Karmada", name, props, opts)
        self._name, self._args = name, args
        below = pulumi.ResourceOptions(parent=self)
        self.authority = authority(f"{name}-ca", below)
        front = authority(f"{name}-front-proxy-ca", below)
        leaves = {
            key: leaf(
                f"{name}-{key}",
                subject,
                front if key.startswith("front-proxy") else self.authority,
                args.rotate,
                below,
            )
            for key, subject in subjects(args.spec.host).items()
        }
        self.ends = {key: made.ends for key, made in leaves.items()}
        pairs: dict[str, Authority | Leaf] = {
            "ca": self.authority,
            "front-proxy-ca": front,
            **leaves,
        }
        held = [
            self._secret(AUTHORITY, _files({"tls": self.authority})),
            self._secret(CERTIFICATES, _files(pairs)),
        ]
        if args.login is not None and args.login.authority is not None:
            held.append(self._secret(ISSUER, {"ca.crt": args.login.authority}))
        operator = args.installer.install(
            OPERATOR,
            namespace=NAMESPACE,
            values=values(),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[args.namespace]),
        )
        certificates = {key: pair.certificate for key, pair in pairs.items()}
        content = pulumi.Output.all(**certificates).apply(
            lambda found: components(args.spec, args.login, args.image, digest_of(found))
        )
        self.ready = KubernetesObject(
            f"{name}-control-plane",
            {
                "apiVersion": "operator.karmada.io/v1alpha1",
                "kind": "Karmada",
                "metadata": {
                    "name": INSTANCE,
                    "namespace": NAMESPACE,
                    "annotations": {"pulumi.com/waitFor": "condition=Ready"},
                },
                "spec": {**resource_spec(args.spec), "components": content},
            },
            pulumi.ResourceOptions(
                parent=self,
                provider=args.provider,
                depends_on=[operator, *held, args.store.credentials, args.store.members],
                custom_timeouts=pulumi.CustomTimeouts(create=_READY, update=_READY, delete=_GONE),
            ),
        )
        self.register_outputs({})

    def _secret(self, name: str, files: Mapping[str, pulumi.Output[str]]) -> pulumi.Resource:
        return kubernetes.core.v1.Secret(
            f"{self._name}-{name}",
            # The operator writes the Secret of certificates back as it read it, with this label.
            metadata={
                "name": name,
                "namespace": NAMESPACE,
                "labels": {"app.kubernetes.io/managed-by": OPERATOR},
            },
            string_data=files,
            opts=pulumi.ResourceOptions(
                parent=self, provider=self._args.provider, depends_on=[self._args.namespace]
            ),
        )


def _files(pairs: Mapping[str, Authority | Leaf]) -> dict[str, pulumi.Output[str]]:
    certificates = {f"{key}.crt": pair.certificate for key, pair in pairs.items()}
    return certificates | {f"{key}.key": pair.key for key, pair in pairs.items()}


def values() -> dict[str, Any]:
    """The operator's own chart: two replicas, one of which leads, and a budget."""
    labels = {"app": OPERATOR}
    return {
        "operator": {
            "replicaCount": 2,
            # By default whatever is newest.
            "image": {"tag": entry(OPERATOR).version},
            "affinity": apart(labels, must=False),
            "priorityClassName": "system-cluster-critical",
            "pdb": {"enabled": True, "minAvailable": 1},
            "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
        },
    }
