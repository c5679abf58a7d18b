"""Rancher's server, and the administrator by whom everything in it is declared.

Owns the chart and the first login. TLS ends at an ingress: the chart takes a certificate of ours
nowhere else. The carrier's own cluster is in Rancher by itself, as ``local``.

Source: Rancher documentation 2.15, "Helm chart options", "Adding TLS secrets".
"""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_rancher2 as rancher2
import pulumi_random as random

from components.carrier.budget import one_at_a_time
from components.carrier.cert_manager import CertManager
from components.carrier.rancher.reached import Reached
from components.carrier.spread import HOST
from components.catalogue import Installer
from components.settings.carrier.rancher import Rancher as RancherSettings

NAMESPACE = "cattle-system"
RUN_TIME = ("cattle-",)
"""How the names begin of the namespaces with pods that Rancher makes at run time, here and in the
clusters that it manages."""
_LABELS = {"app": "rancher"}
_TLS = "tls-rancher-ingress"
_PATIENCE = "10m"
"""How long the provider tries a Rancher that is not answering yet."""


@dataclass(frozen=True)
class RancherArgs:
    """What Rancher is made from.

    Attributes:
        spec: its settings.
        certificates: whoever signs its certificate, and what it trusts.
        rotate: the text whose change renews the administrator's password.
        provider: of the cluster.
        installer: of the cluster.
    """

    spec: RancherSettings
    certificates: CertManager
    rotate: str
    provider: kubernetes.Provider
    installer: Installer


class Rancher(pulumi.ComponentResource):
    """Rancher on the carrier's cluster.

    Attributes:
        reached: how its API is called.
        password: of its administrator, for when Keycloak is away; a secret.
    """

    reached: Reached
    password: pulumi.Output[str]

    def __init__(
        self, name: str, args: RancherArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Rancher", name, props, opts)
        self._name, self._args = name, args
        below = pulumi.ResourceOptions(parent=self)
        namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": NAMESPACE},
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider),
        )
        first = random.RandomPassword(f"{name}-bootstrap", length=32, special=False, opts=below)
        release = args.installer.install(
            "rancher",
            namespace=NAMESPACE,
            values={**values(args.spec), "bootstrapPassword": first.result},
            opts=pulumi.ResourceOptions(parent=self, depends_on=self._trust(namespace)),
        )
        one_at_a_time(
            "rancher",
            NAMESPACE,
            _LABELS,
            pulumi.ResourceOptions(parent=self, provider=args.provider, depends_on=[namespace]),
        )
        password = random.RandomPassword(
            f"{name}-administrator",
            length=32,
            special=False,
            keepers={"rotate": args.rotate},
            opts=below,
        )
        authority = args.certificates.authority
        begun = rancher2.Bootstrap(
            name,
            initial_password=first.result,
            password=password.result,
            opts=pulumi.ResourceOptions(
                parent=self,
                provider=rancher2.Provider(
                    f"{name}-bootstrap",
                    api_url=url(args.spec),
                    bootstrap=True,
                    ca_certs=authority,
                    timeout=_PATIENCE,
                    opts=pulumi.ResourceOptions(parent=self, depends_on=[release]),
                ),
            ),
        )
        self.password = password.result
        self.reached = Reached(url(args.spec), begun.token, authority)
        self.register_outputs({"url": url(args.spec)})

    def _trust(self, namespace: pulumi.Resource) -> list[pulumi.Resource]:
        """The certificate that Rancher shows, and the authority that it and its agents believe."""
        opts = pulumi.ResourceOptions(
            parent=self, provider=self._args.provider, depends_on=[namespace]
        )
        certificates = self._args.certificates
        shown = certificates.certificate(_TLS, NAMESPACE, [self._args.spec.hostname], opts)
        files = {"tls-ca": "cacerts.pem", "tls-ca-additional": "ca-additional.pem"}
        believed = [
            kubernetes.core.v1.Secret(
                f"{self._name}-{secret}",
                metadata={"name": secret, "namespace": NAMESPACE},
                string_data={file: certificates.authority},
                opts=opts,
            )
            for secret, file in files.items()
        ]
        return [namespace, shown, *believed]


def url(spec: RancherSettings) -> str:
    """Under which Rancher is reached."""
    return f"https://{spec.hostname}"


def values(spec: RancherSettings) -> dict[str, Any]:
    """The chart's values, but for the first password."""
    memory = {"limits": {"memory": spec.request["memory"]}} if "memory" in spec.request else {}
    return {
        "hostname": spec.hostname,
        "replicas": 3,
        # The chart takes one topology key. On three nodes an update gets on all the same, since the
        # chart lets one replica go before its successor is there.
        "antiAffinity": "required",
        "topologyKey": HOST,
        "ingress": {
            "ingressClassName": spec.ingress_class,
            "tls": {"source": "secret", "secretName": _TLS},
        },
        "privateCA": True,
        # Keycloak's certificate is of the same authority.
        "additionalTrustedCAs": True,
        "agentTLSMode": "strict",
        "auditLog": {"enabled": True, "level": 0},
        # The packaged charts rather than those of a Git repository.
        "useBundledSystemChart": True,
        "resources": {"requests": dict(spec.request), **memory},
    }
