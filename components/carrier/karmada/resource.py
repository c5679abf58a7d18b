"""The ``Karmada`` resource: every component of the control plane, as the operator is to make it.

The operator ignores ``featureGates`` of a component and ``privateRegistry``: a gate is an argument
here, and each image is named.

Source: Karmada 1.18.2 ``operator/pkg/{apis/operator/v1alpha1,controlplane}``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components.carrier import etcd
from components.carrier.names import ETCD_CREDENTIALS, INSTANCE, NAMESPACE
from components.carrier.spread import apart
from components.settings.carrier import Karmada, Oidc

REPLICAS = 3
PORT = 5443
"""At which the API servers listen, inside the cluster."""

AUTHORITY = f"{INSTANCE}-ca"
"""The Secret with the authority of the API."""
ISSUER = f"{INSTANCE}-oidc-authority"
"""The Secret with what signed the certificate of whoever issues tokens."""
DIGEST = "federation/certificates"
"""The annotation with the digest of all certificates."""

_LEAF_DAYS = 365
_ISSUER_FOLDER = "/etc/karmada/oidc"


@dataclass(frozen=True)
class Login:
    """How people log in to the API.

    Attributes:
        oidc: who issues their tokens.
        authority: what signed the issuer's certificate, in PEM; None: one that everybody knows.
    """

    oidc: Oidc
    authority: pulumi.Output[str] | None


def resource_spec(spec: Karmada) -> dict[str, Any]:
    """The resource's spec without its components."""
    found: dict[str, Any] = {
        "customCertificate": {
            "apiServerCACert": {"name": AUTHORITY, "namespace": NAMESPACE},
            "leafCertValidityDays": _LEAF_DAYS,
        },
    }
    if spec.crds is not None:
        found["crdTarball"] = {"httpSource": {"url": spec.crds}}
    return found


def components(
    spec: Karmada, login: Login | None, image: Callable[[str], str], digest: str
) -> dict[str, Any]:
    """Every component of the control plane.

    Args:
        spec: the settings.
        login: how people log in.
        image: where an image of the catalogue is fetched from, by its name.
        digest: of the certificates.
    """

    def component(name: str, arguments: Mapping[str, str] | None = None) -> dict[str, Any]:
        labels = {"app.kubernetes.io/name": name, "app.kubernetes.io/instance": INSTANCE}
        source = "kube-apiserver" if name == "karmada-apiserver" else name
        repository, _, tag = image(source).rpartition(":")
        found: dict[str, Any] = {
            "replicas": REPLICAS,
            "imageRepository": repository,
            "imageTag": tag,
            "podDisruptionBudgetConfig": {"maxUnavailable": 1},
            "affinity": apart(labels, must=False),
            "annotations": {DIGEST: digest},
        }
        return {**found, "extraArgs": dict(arguments)} if arguments else found

    service = spec.service
    api: dict[str, Any] = {
        **component("karmada-apiserver", _login_flags(login)),
        "certSANs": [spec.host],
        "serviceType": service.type,
        "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}},
    }
    if service.annotations:
        api["serviceAnnotations"] = dict(service.annotations)
    if service.load_balancer_class is not None:
        api["loadBalancerClass"] = service.load_balancer_class
    if login is not None and login.authority is not None:
        volume = {"name": ISSUER, "secret": {"secretName": ISSUER}}
        mount = {"name": ISSUER, "mountPath": _ISSUER_FOLDER, "readOnly": True}
        api |= {"extraVolumes": [volume], "extraVolumeMounts": [mount]}
    failover = {
        "feature-gates": "Failover=true",
        "enable-no-execute-taint-eviction": "true",
        "resource-eviction-rate": str(spec.eviction_rate),
    }
    return {
        "etcd": {
            "external": {
                "endpoints": etcd.endpoints(),
                "secretRef": {"name": ETCD_CREDENTIALS, "namespace": NAMESPACE},
            }
        },
        "karmadaAPIServer": api,
        "karmadaAggregatedAPIServer": component("karmada-aggregated-apiserver"),
        "kubeControllerManager": component("kube-controller-manager"),
        "karmadaControllerManager": component("karmada-controller-manager", failover),
        "karmadaScheduler": component("karmada-scheduler"),
        "karmadaWebhook": component("karmada-webhook", {"allow-no-execute-taint-policy": "true"}),
        "karmadaMetricsAdapter": component("karmada-metrics-adapter"),
    }


def _login_flags(login: Login | None) -> dict[str, str]:
    """The API servers' flags for tokens of an issuer; its users and groups carry a prefix."""
    if login is None:
        return {}
    oidc = login.oidc
    flags = {
        "oidc-issuer-url": oidc.issuer,
        "oidc-client-id": oidc.client,
        "oidc-username-claim": oidc.username_claim,
        "oidc-username-prefix": "oidc:",
        "oidc-groups-claim": oidc.groups_claim,
        "oidc-groups-prefix": "oidc:",
    }
    if login.authority is not None:
        flags["oidc-ca-file"] = f"{_ISSUER_FOLDER}/ca.crt"
    return flags
