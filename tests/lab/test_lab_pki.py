"""The lab's certificates: who they stand for, who signed them, and who can read the keys."""

import datetime as dt
import ipaddress
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import NameOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from lab.kubernetes import pki


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> pki.Pki:
    """One lab's certificates."""
    return pki.ensure(tmp_path_factory.mktemp("lab") / "pki")


def certificate(file: Path) -> x509.Certificate:
    """The certificate in *file*."""
    return x509.load_pem_x509_certificate(file.read_bytes())


@pytest.mark.parametrize(
    "host", [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
)
def test_the_server_is_known_by_each_of_its_names(
    keys: pki.Pki, host: x509.DNSName | x509.IPAddress
) -> None:
    """A client that trusts the authority alone accepts the server on 127.0.0.1 and localhost."""
    verifier = PolicyBuilder().store(Store([certificate(keys.ca.public)]))
    chain = verifier.build_server_verifier(host).verify(certificate(keys.server.public), [])
    assert chain[-1] == certificate(keys.ca.public)


def test_the_server_is_not_known_by_another_name(keys: pki.Pki) -> None:
    """The certificate vouches for no other host."""
    verifier = PolicyBuilder().store(Store([certificate(keys.ca.public)]))
    with pytest.raises(VerificationError):
        verifier.build_server_verifier(x509.DNSName("example.org")).verify(
            certificate(keys.server.public), []
        )


def test_the_administrator_is_in_the_group_of_masters(keys: pki.Pki) -> None:
    """Kubernetes reads the user from the common name and the group from the organisation."""
    admin = certificate(keys.admin.public)
    names = {attribute.oid: attribute.value for attribute in admin.subject}
    assert names[NameOID.COMMON_NAME] == "system:admin"
    assert names[NameOID.ORGANIZATION_NAME] == "system:masters"
    admin.verify_directly_issued_by(certificate(keys.ca.public))


def test_the_front_proxy_has_an_authority_of_its_own(keys: pki.Pki) -> None:
    """A client of the API server cannot pass for the front proxy: another authority signs that."""
    proxy = certificate(keys.front_proxy.public)
    proxy.verify_directly_issued_by(certificate(keys.front_proxy_ca.public))
    with pytest.raises(ValueError, match="Issuer"):
        proxy.verify_directly_issued_by(certificate(keys.ca.public))


def test_every_certificate_outlives_the_lab(keys: pki.Pki) -> None:
    """Certificates are valid now and in nine years."""
    now = dt.datetime.now(dt.UTC)
    for file in keys.folder.glob("*.crt"):
        assert certificate(file).not_valid_before_utc < now
        assert certificate(file).not_valid_after_utc > now + dt.timedelta(days=9 * 365)


def test_the_pair_of_service_accounts_fits(keys: pki.Pki) -> None:
    """The public key that checks tokens is that of the private key that signs them."""
    private = serialization.load_pem_private_key(keys.service_accounts.key.read_bytes(), None)
    public = serialization.load_pem_public_key(keys.service_accounts.public.read_bytes())
    assert private.public_key() == public


def test_only_the_owner_reads_private_keys(keys: pki.Pki) -> None:
    """Every key has mode 0600, and the folder of them is closed to others."""
    private = list(keys.folder.glob("*.key"))
    assert len(private) == 6
    assert {stat.S_IMODE(file.stat().st_mode) for file in private} == {0o600}
    assert stat.S_IMODE(keys.folder.stat().st_mode) == 0o700


def test_certificates_that_are_there_are_kept(keys: pki.Pki) -> None:
    """A second call makes nothing anew: the kubeconfig of a lab stays good."""
    before = keys.ca.public.read_bytes()
    assert pki.ensure(keys.folder).ca.public.read_bytes() == before


def test_an_interrupted_call_leaves_no_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certificates are there all or not at all, so that no later call builds on a half of them."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pki, "_leaf", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pki.ensure(tmp_path / "pki")
    assert not (tmp_path / "pki").exists()
