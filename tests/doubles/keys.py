"""The TLS provider: real keys and certificates, since what is made of them is held against them."""

import datetime as dt
import importlib.metadata
import itertools
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.doubles.provider import Package
from tests.doubles.schema import Plain, Schema

Key = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
_START = dt.datetime.now(dt.UTC).replace(microsecond=0) - dt.timedelta(hours=1)
"""Real servers show these certificates, so they must hold while a test runs."""

_ENCODING, _FORMAT = serialization.Encoding, serialization.PrivateFormat


class Keys:
    """The provider's package."""

    def __init__(self, schemas: Path) -> None:
        self._numbers = itertools.count(1)
        schema = Schema.published(schemas / "tls-5.5.1.json.gz")
        kinds = ("PrivateKey", "CertRequest", "SelfSignedCert", "LocallySignedCert")
        self.package = Package(
            name="tls",
            version=importlib.metadata.version("pulumi-tls"),
            schema=schema,
            make=self._make,
            # The provider never updates: any change makes another.
            replacing={kind: _inputs(schema, kind) for kind in kinds},
        )

    def _make(self, kind: str, inputs: Plain) -> tuple[str, Plain]:
        short = kind.rsplit(":", 1)[-1]
        make = {
            "PrivateKey": _private_key,
            "CertRequest": _request,
            "SelfSignedCert": _self_signed,
            "LocallySignedCert": _signed,
        }[short]
        return str(next(self._numbers)), make(inputs)


def _inputs(schema: Schema, kind: str) -> set[str]:
    return schema.inputs(f"tls:index/{kind[0].lower()}{kind[1:]}:{kind}")


def _private_key(inputs: Plain) -> Plain:
    key: Key = ed25519.Ed25519PrivateKey.generate()
    if inputs["algorithm"] == "ECDSA":
        key = ec.generate_private_key(ec.SECP256R1())
    none = serialization.NoEncryption()
    traditional = _FORMAT.TraditionalOpenSSL if inputs["algorithm"] == "ECDSA" else _FORMAT.PKCS8
    public = key.public_key()
    return {
        "privateKeyPem": key.private_bytes(_ENCODING.PEM, traditional, none).decode(),
        "privateKeyPemPkcs8": key.private_bytes(_ENCODING.PEM, _FORMAT.PKCS8, none).decode(),
        "privateKeyOpenssh": key.private_bytes(_ENCODING.PEM, _FORMAT.OpenSSH, none).decode(),
        "publicKeyOpenssh": public.public_bytes(
            _ENCODING.OpenSSH, serialization.PublicFormat.OpenSSH
        ).decode()
        + "\n",
        "publicKeyPem": public.public_bytes(
            _ENCODING.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ).decode(),
        "publicKeyFingerprintMd5": "",
        "publicKeyFingerprintSha256": "",
        "rsaBits": 2048,
        "ecdsaCurve": inputs.get("ecdsaCurve", "P224"),
    }


def _request(inputs: Plain) -> Plain:
    builder = x509.CertificateSigningRequestBuilder().subject_name(_name(inputs["subject"]))
    hosts: list[x509.GeneralName] = [x509.DNSName(name) for name in inputs.get("dnsNames", ())]
    hosts += [x509.IPAddress(ip_address(text)) for text in inputs.get("ipAddresses", ())]
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
    request = builder.sign(_loaded(inputs["privateKeyPem"]), hashes.SHA256())
    return {
        "certRequestPem": request.public_bytes(_ENCODING.PEM).decode(),
        "keyAlgorithm": "ECDSA",
    }


def _self_signed(inputs: Plain) -> Plain:
    key = _loaded(inputs["privateKeyPem"])
    name = _name(inputs["subject"])
    hours = inputs["validityPeriodHours"]
    builder = _builder(name, name, key.public_key(), hours).add_extension(
        x509.BasicConstraints(ca=inputs["isCaCertificate"], path_length=None), critical=True
    )
    return {**_issued(builder, key, hours), "keyAlgorithm": "ECDSA"}


def _signed(inputs: Plain) -> Plain:
    authority = x509.load_pem_x509_certificate(inputs["caCertPem"].encode())
    request = x509.load_pem_x509_csr(inputs["certRequestPem"].encode())
    public = request.public_key()
    if not isinstance(public, ec.EllipticCurvePublicKey):
        raise TypeError("the double signs keys on elliptic curves alone")
    hours = inputs["validityPeriodHours"]
    builder = _builder(request.subject, authority.subject, public, hours)
    usage = {
        "client_auth": ExtendedKeyUsageOID.CLIENT_AUTH,
        "server_auth": ExtendedKeyUsageOID.SERVER_AUTH,
    }
    wanted = [usage[name] for name in inputs["allowedUses"] if name in usage]
    builder = builder.add_extension(x509.ExtendedKeyUsage(wanted), critical=False)
    for extension in request.extensions:
        builder = builder.add_extension(extension.value, extension.critical)
    return {
        **_issued(builder, _loaded(inputs["caPrivateKeyPem"]), hours),
        "caKeyAlgorithm": "ECDSA",
    }


def _builder(
    subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey, hours: float
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(_START)
        .not_valid_after(_START + dt.timedelta(hours=hours))
    )


def _issued(
    builder: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey, hours: float
) -> Plain:
    made = builder.sign(key, hashes.SHA256())
    return {
        "certPem": made.public_bytes(_ENCODING.PEM).decode(),
        "validityStartTime": _START.isoformat(),
        "validityEndTime": (_START + dt.timedelta(hours=hours)).isoformat(),
        "readyForRenewal": False,
    }


def _loaded(text: str) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(text.encode(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError("the double signs with keys on elliptic curves alone")
    return key


def _name(subject: Plain) -> x509.Name:
    parts = {"commonName": NameOID.COMMON_NAME, "organization": NameOID.ORGANIZATION_NAME}
    return x509.Name([x509.NameAttribute(parts[key], value) for key, value in subject.items()])
