"""Monitoring of the federation: kube-prometheus-stack, told what to look at.

Owns the component, and the identities with which the control plane's metrics are read. The rules
go in by the chart's values and not as objects, since their kind exists once the chart does.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_random as random

from components.carrier.administrator import kubeconfig
from components.carrier.cert_manager import CertManager
from components.carrier.karmada import KarmadaControlPlane
from components.carrier.monitoring import chart, dashboards, grafana, predictions, scrapes
from components.carrier.monitoring.grafana import GrafanaLogin
from components.carrier.names import MONITORING as NAMESPACE
from components.catalogue import Installer
from components.certificates import CLIENT, Leaf, Subject, leaf
from components.resource import KubernetesObject
from components.settings.carrier import Monitoring as MonitoringSettings

CHART = "kube-prometheus-stack"


@dataclass(frozen=True)
class MonitoringArgs:
    """What monitoring is made from.

    Attributes:
        spec: its settings.
        storage_class: of its volumes; None: the cluster's default.
        karmada: the control plane that is watched.
        endpoint: of its API.
        api: a provider of its API.
        ends: when each certificate of the plane ends, in RFC 3339, by its name.
        login: how people log in to Grafana; None: not at all.
        certificates: whoever signs Grafana's certificate; there where people log in.
        installer: of the cluster.
        provider: of the cluster.
        image: where an image of the catalogue is fetched from, by its name.
        rotate: the text whose change renews the identities.
        after: what must be ready before.
    """

    spec: MonitoringSettings
    storage_class: str | None
    karmada: KarmadaControlPlane
    endpoint: str
    api: kubernetes.Provider
    ends: Mapping[str, pulumi.Output[str]]
    login: GrafanaLogin | None
    certificates: CertManager | None
    installer: Installer
    provider: kubernetes.Provider
    image: Callable[[str], str]
    rotate: str
    after: list[pulumi.Resource]


class Monitoring(pulumi.ComponentResource):
    """Prometheus, Alertmanager and Grafana on the carrier's cluster."""

    def __init__(
        self, name: str, args: MonitoringArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Monitoring", name, props, opts)
        self._name, self._args = name, args
        self._namespace = KubernetesObject(
            f"{name}-namespace",
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {
                    "name": NAMESPACE,
                    # The exporter of a node's figures reads the node.
                    "labels": {"pod-security.kubernetes.io/enforce": "privileged"},
                },
            },
            pulumi.ResourceOptions(parent=self, provider=args.provider),
        )
        held = [self._identity(), self._administrator(), *self._login()]
        args.installer.install(
            CHART,
            namespace=NAMESPACE,
            values=chart.values(
                args.spec,
                args.storage_class,
                _ends(args.ends),
                grafana.values(args.login.spec) if args.login is not None else {},
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*held, *args.after]),
        )
        for dashboard in dashboards.read():
            self._object(dashboards.config_map(dashboard, NAMESPACE), [self._namespace])
        self._predictions()
        self.register_outputs({})

    def _identity(self) -> pulumi.Resource:
        """With which Prometheus reads the metrics of the API servers."""
        held = self._leaf(scrapes.CREDENTIALS, scrapes.GROUP)
        content = {
            "ca.crt": self._args.karmada.authority.certificate,
            "tls.crt": held.certificate,
            "tls.key": held.key,
        }
        return self._secret(scrapes.CREDENTIALS, content)

    def _administrator(self) -> pulumi.Resource:
        password = random.RandomPassword(
            f"{self._name}-{chart.ADMINISTRATOR}",
            length=32,
            special=False,
            opts=pulumi.ResourceOptions(parent=self),
        )
        return self._secret(
            chart.ADMINISTRATOR, {"admin-user": "admin", "admin-password": password.result}
        )

    def _login(self) -> list[pulumi.Resource]:
        login, signer = self._args.login, self._args.certificates
        if login is None or signer is None:
            return []
        certificate = signer.certificate(
            grafana.TLS,
            NAMESPACE,
            [login.spec.hostname],
            pulumi.ResourceOptions(parent=self, depends_on=[self._namespace]),
        )
        return [certificate, self._secret(grafana.SECRET, login.content())]

    def _predictions(self) -> None:
        held = self._leaf(predictions.NAME, predictions.GROUP)
        text = kubeconfig(self._args.endpoint, self._args.karmada.authority, held)
        read = [
            KubernetesObject(
                f"{self._name}-{content['kind'].lower()}",
                content,
                pulumi.ResourceOptions(
                    parent=self, provider=self._args.api, depends_on=[self._args.karmada.ready]
                ),
            )
            for content in (predictions.role(), predictions.binding())
        ]
        given = [
            self._secret(predictions.NAME, {"kubeconfig": text}),
            self._object(predictions.config_map(NAMESPACE), [self._namespace]),
        ]
        digest = held.certificate.apply(lambda pem: hashlib.sha256(pem.encode()).hexdigest()[:16])
        content = predictions.deployment(NAMESPACE, self._args.image("kube-state-metrics"), digest)
        self._object(content, [*read, *given])

    def _leaf(self, name: str, group: str) -> Leaf:
        return leaf(
            f"{self._name}-{name}",
            Subject(name, (CLIENT,), group),
            self._args.karmada.authority,
            self._args.rotate,
            pulumi.ResourceOptions(parent=self),
        )

    def _secret(self, name: str, content: Mapping[str, pulumi.Input[str]]) -> pulumi.Resource:
        return kubernetes.core.v1.Secret(
            f"{self._name}-{name}",
            metadata={"name": name, "namespace": NAMESPACE},
            string_data=content,
            opts=pulumi.ResourceOptions(
                parent=self, provider=self._args.provider, depends_on=[self._namespace]
            ),
        )

    def _object(self, content: Mapping[str, Any], after: list[pulumi.Resource]) -> pulumi.Resource:
        return KubernetesObject(
            f"{self._name}-{content['kind'].lower()}-{content['metadata']['name']}",
            content,
            pulumi.ResourceOptions(parent=self, provider=self._args.provider, depends_on=after),
        )


def _ends(found: Mapping[str, pulumi.Output[str]]) -> pulumi.Output[dict[str, Any]]:
    """Rules that say when each certificate ends: what is known needs no exporter."""
    return pulumi.Output.all(**found).apply(ends_rules)


def ends_rules(ends: Mapping[str, str]) -> dict[str, Any]:
    """The rules for certificates that end at *ends*, in RFC 3339, by name."""
    rules = [
        {
            "record": "federation_certificate_end_timestamp_seconds",
            "expr": f"vector({int(datetime.fromisoformat(end).timestamp())})",
            "labels": {"certificate": name},
        }
        for name, end in sorted(ends.items())
    ]
    return {"groups": [{"name": "federation-certificate-ends", "rules": rules}]}
