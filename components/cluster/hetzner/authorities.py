"""The certificate authorities of a cluster, and an administrator's kubeconfig from them.

Both authorities are self-signed and of this cluster alone: with a root that clusters share behind
their client authorities, the administrator of one would be that of all. Because they are made
here, the kubeconfig is known before the cluster is and nothing has to be fetched from it. Their
keys are in the stack's encrypted state, and on the servers, which need them to sign.
"""

import base64

import pulumi
import yaml

from components.certificates import CLIENT, Authority, Subject, authority, leaf


class Authorities(pulumi.ComponentResource):
    """The authorities of a cluster and its administrator.

    Attributes:
        server: signs what the API shows.
        client: signs what the API believes.
        administrator: certificate and key of the administrator, in PEM; a secret.
        expires: when the administrator's certificate ends, in RFC 3339.
    """

    server: Authority
    client: Authority
    administrator: pulumi.Output[str]
    expires: pulumi.Output[str]

    def __init__(self, name: str, rotate: str, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("federation:cluster:HetznerAuthorities", name, {}, opts)
        below = pulumi.ResourceOptions(parent=self)
        self.server = authority(f"{name}-server-ca", below)
        self.client = authority(f"{name}-client-ca", below)
        subject = Subject("federation-administrator", (CLIENT,), "system:masters")
        self._leaf = leaf(f"{name}-administrator", subject, self.client, rotate, below)
        self.administrator = pulumi.Output.secret(
            pulumi.Output.concat(self._leaf.certificate, self._leaf.key)
        )
        self.expires = self._leaf.ends
        self.register_outputs({"expires": self.expires})

    def kubeconfig(self, cluster: str, endpoint: pulumi.Output[str]) -> pulumi.Output[str]:
        """The administrator's kubeconfig for the API at *endpoint*; a secret."""
        parts = pulumi.Output.all(
            endpoint, self.server.certificate, self._leaf.certificate, self._leaf.key
        )
        return pulumi.Output.secret(parts.apply(lambda found: _kubeconfig(cluster, *found)))


def _kubeconfig(cluster: str, endpoint: str, authority: str, certificate: str, key: str) -> str:
    user = {"client-certificate-data": _encoded(certificate), "client-key-data": _encoded(key)}
    reached = {"server": endpoint, "certificate-authority-data": _encoded(authority)}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": cluster,
            "clusters": [{"name": cluster, "cluster": reached}],
            "users": [{"name": "administrator", "user": user}],
            "contexts": [
                {"name": cluster, "context": {"cluster": cluster, "user": "administrator"}}
            ],
        }
    )


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
