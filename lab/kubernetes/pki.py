"""The lab's certificates: who the servers are, and who may talk to them.

Owns the certificate authority of one lab, what it signs, and the files of both. It renews nothing:
a lab is younger than its certificates, and a new lab has new ones. What a client needs of them is
in ``access``.
"""

import datetime as dt
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AGGREGATED = "karmada-aggregated-apiserver"
"""The service of the API server behind the Karmada API, which looks for this name in its
certificate wherever the service leads."""

_YEARS = 10
"""Longer than any lab is kept, so that no test meets an expired certificate."""
_SERVER_USES = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)
"""etcd talks to itself, as a client, with the certificate that it serves."""
_CLIENT_USES = (ExtendedKeyUsageOID.CLIENT_AUTH,)


@dataclass(frozen=True)
class Pair:
    """A public file (certificate or key) and the private key that belongs to it."""

    public: Path
    key: Path


@dataclass(frozen=True)
class Pki:
    """Where a lab's certificates and keys are.

    Attributes:
        folder: the folder of all of them; only its owner may look into it.
    """

    folder: Path

    @property
    def ca(self) -> Pair:
        """The authority that signs servers and clients alike."""
        return self._pair("ca")

    @property
    def server(self) -> Pair:
        """What every server on 127.0.0.1 presents."""
        return self._pair("server")

    @property
    def admin(self) -> Pair:
        """The client certificate of an administrator, in the group ``system:masters``."""
        return self._pair("admin")

    @property
    def front_proxy_ca(self) -> Pair:
        """The authority by which an aggregated API server knows the API server in front of it."""
        return self._pair("front-proxy-ca")

    @property
    def front_proxy(self) -> Pair:
        """What the API server presents to the servers that it aggregates."""
        return self._pair("front-proxy-client")

    @property
    def service_accounts(self) -> Pair:
        """The key pair that signs service account tokens; the public file is a bare key."""
        return Pair(self.folder / "service-accounts.pub", self.folder / "service-accounts.key")

    def _pair(self, name: str) -> Pair:
        return Pair(self.folder / f"{name}.crt", self.folder / f"{name}.key")


@dataclass(frozen=True)
class _Authority:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def ensure(folder: Path) -> Pki:
    """The certificates in *folder*, made now if there are none.

    They are there all or not at all: an interrupted call leaves no *folder*.
    """
    if not folder.exists():
        partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
        partial.mkdir(mode=0o700, parents=True)
        _create(Pki(partial))
        partial.rename(folder)
    return Pki(folder)


def _create(pki: Pki) -> None:
    ca = _authority("federation-lab", pki.ca)
    hosts = [
        x509.DNSName("localhost"),
        x509.DNSName(f"{AGGREGATED}.karmada-system.svc"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    _leaf(ca, pki.server, "federation-lab-server", uses=_SERVER_USES, hosts=hosts)
    _leaf(ca, pki.admin, "system:admin", uses=_CLIENT_USES, group="system:masters")
    front_proxy_ca = _authority("federation-lab-front-proxy", pki.front_proxy_ca)
    _leaf(front_proxy_ca, pki.front_proxy, "front-proxy-client", uses=_CLIENT_USES)
    # RSA of 2048 bits, as Kubernetes' own installers make it.
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    pki.service_accounts.public.write_bytes(public)
    write_private(pki.service_accounts.key, _pem(key))


def _authority(name: str, files: Pair) -> _Authority:
    """A new self-signed authority, written to *files*."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = _usage(signs_certificates=True)
    certificate = (
        _builder(subject, subject, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(files, certificate, key)
    return _Authority(certificate, key)


def _leaf(
    authority: _Authority,
    files: Pair,
    name: str,
    *,
    uses: Sequence[x509.ObjectIdentifier],
    group: str = "",
    hosts: Sequence[x509.GeneralName] = (),
) -> None:
    """A certificate signed by *authority*, written to *files*.

    Args:
        authority: who signs.
        files: where certificate and key go.
        name: the common name, which Kubernetes reads as the user.
        uses: the extended key usages.
        group: the organisation, which Kubernetes reads as the group.
        hosts: the names and addresses that a server answers to.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, name)]
    if group:
        attributes.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, group))
    builder = (
        _builder(x509.Name(attributes), authority.certificate.subject, key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()),
            critical=False,
        )
    )
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
    _write(files, builder.sign(authority.key, hashes.SHA256()), key)


def _builder(
    subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        # An hour back: a clock that is set back a little does not end the lab.
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=365 * _YEARS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _write(files: Pair, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    files.public.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    write_private(files.key, _pem(key))


def _pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def write_private(file: Path, content: bytes) -> None:
    """Write *content* to *file*, whole or not at all, readable by nobody but its owner."""
    partial = file.with_name(f".{file.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
        output.write(content)
    partial.replace(file)
