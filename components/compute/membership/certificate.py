"""Who an agent is to Karmada: a client certificate, asked for and signed by Kubernetes' own API.

Owns the request and the kubeconfig made of the answer. The key of Karmada's authority stays where
it is: with it, whoever administers one compute plane would be the administrator of all. Karmada's
controller ``agentcsrapproving`` approves the request, since who makes it may create
``certificatesigningrequests/clusteragent``; kube-controller-manager (``csrsigning``) signs it.

A client certificate cannot be taken back: the old one of a rotation ends by itself.

Source: Karmada ``pkg/karmadactl/register/register.go``,
``pkg/controllers/certificate/approver/agent_csr_approving.go``.
"""

import base64
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pulumi_tls as tls
import yaml

from components.compute.membership.side import SYSTEM, Side

GROUP = "system:karmada:agents"
_SIGNER = "kubernetes.io/kube-apiserver-client"
_SECONDS = 365 * 24 * 3600
"""kube-controller-manager signs for no longer, unless told otherwise."""


def user(cluster: str) -> str:
    """What the agent of *cluster* is called on the Karmada API."""
    return f"system:karmada:agent:{cluster}"


def kubeconfig(
    karmada: Side, cluster: str, administrator: pulumi.Output[str], rotate: str
) -> pulumi.Output[str]:
    """A kubeconfig of the agent of *cluster*; a secret.

    Args:
        karmada: the Karmada API.
        cluster: the member's name.
        administrator: a kubeconfig of the same API, whose address and authority are taken.
        rotate: another text makes another key and another certificate.
    """
    name = f"{karmada.prefix}-agent"
    below = pulumi.ResourceOptions(parent=karmada.parent)
    key = tls.PrivateKey(
        name,
        algorithm="ECDSA",
        ecdsa_curve="P256",
        opts=pulumi.ResourceOptions.merge(
            below, pulumi.ResourceOptions(replacement_trigger=rotate)
        ),
    )
    request = tls.CertRequest(
        name,
        private_key_pem=key.private_key_pem,
        subject=tls.CertRequestSubjectArgs(common_name=user(cluster), organization=GROUP),
        opts=below,
    )
    signed = kubernetes.certificates.v1.CertificateSigningRequest(
        name,
        metadata={
            "labels": SYSTEM,
            "annotations": {"pulumi.com/waitFor": "jsonpath={.status.certificate}"},
        },
        spec={
            "request": request.cert_request_pem.apply(_encoded),
            "signer_name": _SIGNER,
            "expiration_seconds": _SECONDS,
            "usages": ["digital signature", "key encipherment", "client auth"],
        },
        opts=pulumi.ResourceOptions.merge(
            karmada.options(),
            # The API server keeps the specification that it has, and does not say so.
            pulumi.ResourceOptions(replace_on_changes=["spec"]),
        ),
    )
    text = pulumi.Output.all(
        administrator, signed.status["certificate"], key.private_key_pem
    ).apply(lambda found: _kubeconfig(cluster, *found))
    return pulumi.Output.secret(text)


def _kubeconfig(cluster: str, administrator: str, certificate: str, key: str) -> str:
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "karmada", "cluster": _server(yaml.safe_load(administrator))}],
        "users": [
            {
                "name": cluster,
                "user": {
                    "client-certificate-data": certificate,
                    "client-key-data": _encoded(key),
                },
            }
        ],
        "contexts": [{"name": "karmada", "context": {"cluster": "karmada", "user": cluster}}],
        "current-context": "karmada",
    }
    return yaml.safe_dump(content, sort_keys=False)


def _server(administrator: dict[str, Any]) -> dict[str, Any]:
    """The entry of the API server that is current in a kubeconfig."""
    current = administrator["current-context"]
    contexts = {entry["name"]: entry["context"] for entry in administrator["contexts"]}
    clusters = {entry["name"]: entry["cluster"] for entry in administrator["clusters"]}
    found: dict[str, Any] = clusters[contexts[current]["cluster"]]
    return found


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
