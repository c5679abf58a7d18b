"""Keycloak: its operator, three instances on PostgreSQL, and a load balancer of their own.

Owns the servers and the administrator that they start with. What a realm holds is made by
``realm``: the operator's own import of a realm only creates it and never updates it.

TLS ends at the instances. An ingress before them would read every password, or need the settings
of one controller to pass TLS on; and this listener is shared with nobody. The operator of 26.0
knows one way to a new image: all instances stop, and logins with them, for as long as it takes.

Source: Keycloak documentation 26, "Operator: basic deployment", "advanced configuration".
"""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_random as random

from components.carrier.budget import one_at_a_time
from components.carrier.cert_manager import CertManager
from components.carrier.postgres import CREDENTIALS, DATABASE, HOST_NAME, Postgres
from components.carrier.spread import apart
from components.catalogue import Installer
from components.resource import KubernetesObject
from components.settings.carrier.keycloak import Keycloak as KeycloakSettings

NAMESPACE = "keycloak"
NAME = "keycloak"
ADMINISTRATOR = "admin"
INSTANCES = 3
PORT = 443
_CONTAINER_PORT = 8443
_TLS = "keycloak-tls"
_BOOTSTRAP = "keycloak-bootstrap"
_LABELS = {"app": "keycloak", "app.kubernetes.io/instance": NAME}
_READY = pulumi.CustomTimeouts(create="15m", update="30m")
"""Three instances start one after the other, and the first makes the database's tables."""
_ADDRESS = pulumi.CustomTimeouts(create="10m")
"""A cloud's load balancer takes minutes."""


@dataclass(frozen=True)
class KeycloakArgs:
    """What Keycloak is made from.

    Attributes:
        spec: its settings.
        namespace: its namespace, once it exists.
        postgres: its database.
        certificates: whoever signs its certificate.
        provider: of the cluster.
        installer: of the cluster.
    """

    spec: KeycloakSettings
    namespace: pulumi.Resource
    postgres: Postgres
    certificates: CertManager
    provider: kubernetes.Provider
    installer: Installer


class Keycloak(pulumi.ComponentResource):
    """Keycloak on the carrier's cluster.

    Attributes:
        password: of the administrator; a secret.
        ready: what a realm waits for.
    """

    password: pulumi.Output[str]
    ready: list[pulumi.Resource]

    def __init__(
        self, name: str, args: KeycloakArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Keycloak", name, props, opts)
        below = pulumi.ResourceOptions(parent=self)
        in_namespace = pulumi.ResourceOptions(
            parent=self, provider=args.provider, depends_on=[args.namespace]
        )
        operator = args.installer.install(
            "keycloak-operator",
            namespace=NAMESPACE,
            values={},
            opts=pulumi.ResourceOptions(parent=self, depends_on=[args.namespace]),
        )
        # Read at the first start alone: a new one would lock this program out.
        self.password = random.RandomPassword(
            f"{name}-administrator", length=32, special=False, opts=below
        ).result
        bootstrap = kubernetes.core.v1.Secret(
            f"{name}-administrator",
            metadata={"name": _BOOTSTRAP, "namespace": NAMESPACE},
            type="kubernetes.io/basic-auth",
            string_data={"username": ADMINISTRATOR, "password": self.password},
            opts=in_namespace,
        )
        certificate = args.certificates.certificate(
            _TLS, NAMESPACE, [args.spec.hostname], in_namespace
        )
        one_at_a_time(NAME, NAMESPACE, _LABELS, in_namespace)
        servers = KubernetesObject(
            f"{name}-servers",
            servers_object(args.spec),
            pulumi.ResourceOptions(
                parent=self,
                provider=args.provider,
                depends_on=[operator, bootstrap, certificate, args.postgres.ready],
                custom_timeouts=_READY,
            ),
        )
        front = KubernetesObject(
            f"{name}-front",
            front_object(args.spec),
            pulumi.ResourceOptions.merge(
                in_namespace, pulumi.ResourceOptions(custom_timeouts=_ADDRESS)
            ),
        )
        self.ready = [servers, front]
        self.register_outputs({"url": url(args.spec)})


def url(spec: KeycloakSettings) -> str:
    """Under which Keycloak is reached."""
    return f"https://{spec.hostname}"


def servers_object(spec: KeycloakSettings) -> dict[str, Any]:
    """The ``Keycloak`` object."""
    memory = {"limits": {"memory": spec.request["memory"]}} if "memory" in spec.request else {}
    return {
        "apiVersion": "k8s.keycloak.org/v2alpha1",
        "kind": "Keycloak",
        "metadata": {
            "name": NAME,
            "namespace": NAMESPACE,
            "annotations": {"pulumi.com/waitFor": "condition=Ready"},
        },
        "spec": {
            "instances": INSTANCES,
            "db": {
                "vendor": "postgres",
                "host": HOST_NAME,
                "database": DATABASE,
                "usernameSecret": {"name": CREDENTIALS, "key": "username"},
                "passwordSecret": {"name": CREDENTIALS, "key": "password"},
            },
            # To verify the name as well it would have to hold the database's whole authority.
            "additionalOptions": [{"name": "db-url-properties", "value": "?sslmode=require"}],
            "http": {"tlsSecret": _TLS, "httpEnabled": False},
            "hostname": {"hostname": url(spec)},
            "ingress": {"enabled": False},
            "bootstrapAdmin": {"user": {"secret": _BOOTSTRAP}},
            "scheduling": {"affinity": apart(_LABELS, must=True)},
            "resources": {"requests": dict(spec.request), **memory},
        },
    }


def front_object(spec: KeycloakSettings) -> dict[str, Any]:
    """The Service before the instances."""
    annotations = {"pulumi.com/waitFor": "jsonpath={.status.loadBalancer.ingress}"}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": f"{NAME}-front",
            "namespace": NAMESPACE,
            "annotations": {**spec.annotations, **annotations},
        },
        "spec": {
            "type": "LoadBalancer",
            "selector": _LABELS,
            "ports": [{"name": "https", "port": PORT, "targetPort": _CONTAINER_PORT}],
        },
    }
