"""The certificate authorities of a cluster, and an administrator's kubeconfig from them.

Both authorities are self-signed and of this cluster alone: with a root that clusters share behind
their client authorities, the administrator of one would be that of all. Because they are made
here, the kubeconfig is known before the cluster is and nothing has to be fetched from it. Their
keys are in the stack's encrypted state, and on the servers, which need them to sign.
"""

import base64
from dataclasses import dataclass

import pulumi
import pulumi_tls as tls
import yaml

_YEARS = 10 * 8760
_LEAF = 8760
_EARLY = 30 * 24
_CURVE = "P256"


@dataclass(frozen=True)
class Authority:
    """A certificate authority.

    Attributes:
        certificate: in PEM.
        key: in PEM; a secret.
    """

    certificate: pulumi.Output[str]
    key: pulumi.Output[str]


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
        self.server = self._authority(f"{name}-server-ca")
        self.client = self._authority(f"{name}-client-ca")
        key = self._key(f"{name}-administrator")
        request = tls.CertRequest(
            f"{name}-administrator",
            private_key_pem=key.private_key_pem,
            subject=tls.CertRequestSubjectArgs(
                common_name="federation-administrator", organization="system:masters"
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        leaf = tls.LocallySignedCert(
            f"{name}-administrator",
            cert_request_pem=request.cert_request_pem,
            ca_cert_pem=self.client.certificate,
            ca_private_key_pem=self.client.key,
            allowed_uses=["digital_signature", "client_auth"],
            validity_period_hours=_LEAF,
            early_renewal_hours=_EARLY,
            # The provider renews by itself at a refresh alone; this does it when asked to.
            opts=pulumi.ResourceOptions(parent=self, replacement_trigger=rotate),
        )
        self._certificate, self._key_pem = leaf.cert_pem, key.private_key_pem
        self.administrator = pulumi.Output.secret(
            pulumi.Output.concat(self._certificate, self._key_pem)
        )
        self.expires = leaf.validity_end_time
        self.register_outputs({"expires": self.expires})

    def kubeconfig(self, cluster: str, endpoint: pulumi.Output[str]) -> pulumi.Output[str]:
        """The administrator's kubeconfig for the API at *endpoint*; a secret."""
        parts = pulumi.Output.all(
            endpoint, self.server.certificate, self._certificate, self._key_pem
        )
        return pulumi.Output.secret(parts.apply(lambda found: _kubeconfig(cluster, *found)))

    def _authority(self, name: str) -> Authority:
        key = self._key(name)
        certificate = tls.SelfSignedCert(
            name,
            private_key_pem=key.private_key_pem,
            is_ca_certificate=True,
            allowed_uses=["digital_signature", "cert_signing", "crl_signing"],
            validity_period_hours=_YEARS,
            set_subject_key_id=True,
            subject=tls.SelfSignedCertSubjectArgs(common_name=name),
            opts=pulumi.ResourceOptions(parent=self),
        )
        return Authority(certificate.cert_pem, key.private_key_pem)

    def _key(self, name: str) -> tls.PrivateKey:
        return tls.PrivateKey(
            name,
            algorithm="ECDSA",
            ecdsa_curve=_CURVE,
            opts=pulumi.ResourceOptions(parent=self),
        )


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
