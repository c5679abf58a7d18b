"""Keys, authorities and certificates, made by the TLS provider.

Owns their algorithm and their lives. A leaf's key outlives its certificates: what trusts the key,
such as Karmada's ServiceAccount tokens, holds through a renewal. Nothing here says where a
certificate is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address

import pulumi
import pulumi_tls as tls

_AUTHORITY = 10 * 8760
_LEAF = 8760
_EARLY = 30 * 24
"""Hours."""

SERVER, CLIENT = "server_auth", "client_auth"


@dataclass(frozen=True)
class Authority:
    """A certificate authority.

    Attributes:
        certificate: in PEM.
        key: in PEM; a secret.
    """

    certificate: pulumi.Output[str]
    key: pulumi.Output[str]


@dataclass(frozen=True)
class Leaf:
    """A certificate and its key.

    Attributes:
        certificate: in PEM.
        key: in PEM; a secret.
        ends: when the certificate ends, in RFC 3339.
    """

    certificate: pulumi.Output[str]
    key: pulumi.Output[str]
    ends: pulumi.Output[str]


@dataclass(frozen=True)
class Subject:
    """Who a certificate is for.

    Attributes:
        name: the common name: to Kubernetes, a user.
        uses: ``SERVER``, ``CLIENT`` or both.
        organization: to Kubernetes, the user's group.
        hosts: the names and IP addresses under which a server is reached.
    """

    name: str
    uses: Sequence[str]
    organization: str | None = None
    hosts: Sequence[str] = ()


def authority(name: str, opts: pulumi.ResourceOptions) -> Authority:
    """A self-signed authority of its own, for ten years."""
    key = _key(name, opts)
    certificate = tls.SelfSignedCert(
        name,
        private_key_pem=key.private_key_pem,
        is_ca_certificate=True,
        allowed_uses=["digital_signature", "cert_signing", "crl_signing"],
        validity_period_hours=_AUTHORITY,
        set_subject_key_id=True,
        subject=tls.SelfSignedCertSubjectArgs(common_name=name),
        opts=opts,
    )
    return Authority(certificate.cert_pem, _secret(key))


def leaf(
    name: str, subject: Subject, signer: Authority, rotate: str, opts: pulumi.ResourceOptions
) -> Leaf:
    """A certificate for a year, renewed a month before its end or when *rotate* is another text.

    The provider renews at a refresh alone; the other text renews on any run.
    """
    key = _key(name, opts)
    addresses = [host for host in subject.hosts if _is_address(host)]
    request = tls.CertRequest(
        name,
        private_key_pem=key.private_key_pem,
        subject=tls.CertRequestSubjectArgs(
            common_name=subject.name, organization=subject.organization
        ),
        dns_names=[host for host in subject.hosts if host not in addresses] or None,
        ip_addresses=addresses or None,
        opts=opts,
    )
    made = tls.LocallySignedCert(
        name,
        cert_request_pem=request.cert_request_pem,
        ca_cert_pem=signer.certificate,
        ca_private_key_pem=signer.key,
        allowed_uses=["digital_signature", "key_encipherment", *subject.uses],
        validity_period_hours=_LEAF,
        early_renewal_hours=_EARLY,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(replacement_trigger=rotate)),
    )
    return Leaf(made.cert_pem, _secret(key), made.validity_end_time)


def _key(name: str, opts: pulumi.ResourceOptions) -> tls.PrivateKey:
    return tls.PrivateKey(name, algorithm="ECDSA", ecdsa_curve="P256", opts=opts)


def _secret(key: tls.PrivateKey) -> pulumi.Output[str]:
    pem: pulumi.Output[str] = key.private_key_pem
    return pulumi.Output.secret(pem)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
