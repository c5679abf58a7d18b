"""cert-manager, and the authority by which it signs what runs in the cluster.

Owns the authority, which is of this cluster alone, and the form of a leaf certificate. Karmada's
and etcd's own certificates are not its concern: they must be there before anything in the cluster
can sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.carrier.spread import apart
from components.catalogue import Installer
from components.certificates import authority
from components.resource import KubernetesObject
from components.settings.carrier.cert_manager import CertManager as CertManagerSettings

NAMESPACE = "cert-manager"
ISSUER = "federation"
_READY = {"pulumi.com/waitFor": "condition=Ready"}


@dataclass(frozen=True)
class CertManagerArgs:
    """What cert-manager is made from.

    Attributes:
        spec: its settings.
        provider: of the cluster.
        installer: of the cluster.
    """

    spec: CertManagerSettings
    provider: kubernetes.Provider
    installer: Installer


class CertManager(pulumi.ComponentResource):
    """cert-manager on the carrier's cluster.

    Attributes:
        authority: the certificate of the authority, in PEM: what everybody who calls has to trust.
        ready: what an object of cert-manager's waits for.
    """

    authority: pulumi.Output[str]
    ready: list[pulumi.Resource]

    def __init__(
        self, name: str, args: CertManagerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:CertManager", name, props, opts)
        self._name, self._args = name, args
        namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": NAMESPACE},
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider),
        )
        release = args.installer.install(
            "cert-manager",
            namespace=NAMESPACE,
            values=values(),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        signer = authority(f"{name}-authority", pulumi.ResourceOptions(parent=self))
        self.authority = signer.certificate
        secret = kubernetes.core.v1.Secret(
            f"{name}-authority",
            metadata={"name": ISSUER, "namespace": NAMESPACE},
            type="kubernetes.io/tls",
            string_data={"tls.crt": signer.certificate, "tls.key": signer.key},
            opts=pulumi.ResourceOptions(
                parent=self, provider=args.provider, depends_on=[namespace]
            ),
        )
        issuer = KubernetesObject(
            f"{name}-issuer",
            issuer_object(),
            pulumi.ResourceOptions(
                parent=self, provider=args.provider, depends_on=[release, secret]
            ),
        )
        self.ready = [release, issuer]
        self.register_outputs({"authority": self.authority})

    def certificate(
        self, secret: str, namespace: str, hosts: Sequence[str], opts: pulumi.ResourceOptions
    ) -> pulumi.Resource:
        """A server's certificate for *hosts*, which cert-manager keeps in *secret* and renews."""
        return KubernetesObject(
            f"{self._name}-{namespace}-{secret}",
            certificate_object(self._args.spec, secret, namespace, hosts),
            pulumi.ResourceOptions.merge(
                opts, pulumi.ResourceOptions(provider=self._args.provider, depends_on=self.ready)
            ),
        )


def issuer_object() -> dict[str, Any]:
    """The ``ClusterIssuer`` of the authority, whose Secret lies beside cert-manager."""
    return {
        "apiVersion": "cert-manager.io/v1",
        "kind": "ClusterIssuer",
        "metadata": {"name": ISSUER, "annotations": _READY},
        "spec": {"ca": {"secretName": ISSUER}},
    }


def certificate_object(
    spec: CertManagerSettings, secret: str, namespace: str, hosts: Sequence[str]
) -> dict[str, Any]:
    """The ``Certificate`` of a server."""
    return {
        "apiVersion": "cert-manager.io/v1",
        "kind": "Certificate",
        "metadata": {"name": secret, "namespace": namespace, "annotations": _READY},
        "spec": {
            "secretName": secret,
            "dnsNames": list(hosts),
            "duration": f"{spec.hours}h",
            "renewBefore": f"{spec.renew_before_hours}h",
            "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
            "usages": ["digital signature", "server auth"],
            "issuerRef": {"group": "cert-manager.io", "kind": "ClusterIssuer", "name": ISSUER},
        },
    }


def values() -> dict[str, Any]:
    """The chart's values."""
    return {
        # Kept CRDs would be left over after a destroy, and no certificate outlives the plane.
        "crds": {"enabled": True, "keep": False},
        "global": {"leaderElection": {"namespace": NAMESPACE}},
        # One works, the other waits for the lease; of the webhook, all answer.
        "replicaCount": 2,
        **_apart("controller"),
        "webhook": {"replicaCount": 3, **_apart("webhook")},
        "cainjector": {"replicaCount": 2, **_apart("cainjector")},
    }


def _apart(component: str) -> dict[str, Any]:
    return {
        "affinity": apart({"app.kubernetes.io/component": component}, must=False),
        "podDisruptionBudget": {"enabled": True},
    }
