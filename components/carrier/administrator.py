"""The administrator of the Karmada API: a certificate of ours, and the kubeconfig that holds it.

The operator writes a kubeconfig too, but for an address inside the cluster, and issues it anew at
every reconcile. This one is for the address outside, and lives for a year.
"""

import base64

import pulumi
import yaml

from components.certificates import CLIENT, Authority, Leaf, Subject, leaf

_USER = "federation-administrator"


class Administrator(pulumi.ComponentResource):
    """An administrator of an API.

    Attributes:
        kubeconfig: a secret.
        ends: when the certificate ends, in RFC 3339.
    """

    kubeconfig: pulumi.Output[str]
    ends: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        endpoint: str,
        signer: Authority,
        rotate: str,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("federation:carrier:Administrator", name, {"endpoint": endpoint}, opts)
        made = leaf(
            name,
            Subject(_USER, (CLIENT,), "system:masters"),
            signer,
            rotate,
            pulumi.ResourceOptions(parent=self),
        )
        self.ends = made.ends
        self.kubeconfig = kubeconfig(endpoint, signer, made)
        self.register_outputs({"ends": self.ends})


def kubeconfig(endpoint: str, signer: Authority, held: Leaf) -> pulumi.Output[str]:
    """A kubeconfig for the API at *endpoint*, with the certificate *held*; a secret."""
    parts = pulumi.Output.all(signer.certificate, held.certificate, held.key)
    return pulumi.Output.secret(parts.apply(lambda found: _written(endpoint, *found)))


def _written(endpoint: str, authority: str, certificate: str, key: str) -> str:
    name = "karmada"
    user = {"client-certificate-data": _encoded(certificate), "client-key-data": _encoded(key)}
    reached = {"server": endpoint, "certificate-authority-data": _encoded(authority)}
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": name, "cluster": reached}],
        "users": [{"name": _USER, "user": user}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": _USER}}],
    }
    return yaml.safe_dump(content)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
