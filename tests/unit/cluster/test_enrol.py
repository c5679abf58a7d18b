"""How a machine enters its cluster: against an API server of the test's own, with real TLS."""

import datetime as dt
import http.server
import io
import json
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from components.cluster.hetzner.first_boot import enrol

Plain = dict[str, Any]
PLACES = {"management": ("10.64.0.12", "enp7s0"), "workload": ("10.64.17.3", "enp8s0")}


class Identity:
    """A key and a certificate that it signed itself, in PEM."""

    def __init__(self, name: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(start + dt.timedelta(days=3650))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.certificate = made.public_bytes(serialization.Encoding.PEM).decode()
        self.key = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        ).decode()


class Api:
    """The API of a cluster, as far as a machine that enters asks it.

    Attributes:
        nodes: the nodes that it knows.
        asked: every request: method, path and whether a certificate came with it.
    """

    def __init__(self, folder: Path, identity: Identity, client: Identity) -> None:
        self.nodes: set[str] = set()
        self.asked: list[tuple[str, str, bool]] = []
        pem = folder / "api.pem"
        pem.write_text(identity.certificate + identity.key)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cadata=client.certificate)
        context.verify_mode = ssl.CERT_OPTIONAL
        context.load_cert_chain(pem)
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def _answer(self) -> None:
                known = bool(self.connection.getpeercert())
                api.asked.append((self.command, self.path, known))
                self.send_response(api.status(self.command, self.path, known=known))
                self.end_headers()

            do_GET = do_DELETE = _answer  # noqa: N815 - the names that the server calls

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def status(self, method: str, path: str, *, known: bool) -> int:
        """The status of a request."""
        if not known:
            return 200 if path == "/ping" else 401
        name = path.rsplit("/", 1)[-1]
        found = name in self.nodes
        if method == "DELETE":
            self.nodes.discard(name)
        return 200 if found or path == "/readyz" else 404

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def authority() -> Identity:
    """The authority of the cluster."""
    return Identity("alpha")


@pytest.fixture
def api(tmp_path: Path, authority: Identity) -> Iterator[Api]:
    """The API of the cluster, which answers."""
    served = Api(tmp_path, authority, authority)
    yield served
    served.close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has ended its first boot, in a folder; nothing waits long."""
    root = tmp_path / "machine"
    for name in ("run", "etc/rancher/k3s", "etc/ssh"):
        (root / name).mkdir(parents=True)
    (root / enrol.PREPARED).touch()
    (root / "etc/ssh/ssh_host_ed25519_key").write_text("planted")
    monkeypatch.setattr(enrol, "ROOT", root)
    monkeypatch.setattr(enrol, "PAUSE", 0.0)
    monkeypatch.setattr(enrol, "PORT", 1)  # nobody listens there
    monkeypatch.setattr(enrol, "DEADLINES", dict.fromkeys(enrol.DEADLINES, 0))
    monkeypatch.setattr(enrol, "own_addresses", lambda: list(PLACES.values()))
    return root


def order(authority: Identity, **changes: Any) -> Plain:
    """What a server is told that may found the cluster."""
    return {
        "name": "alpha-control-1",
        "role": "server",
        "networks": {"management": "10.64.0.0/20", "workload": "10.64.16.0/20"},
        "hosts": ["127.0.0.1"],
        "mayFound": True,
        "authority": authority.certificate,
        "administrator": authority.certificate + authority.key,
        "files": {"var/lib/rancher/k3s/server/tls/server-ca.key": "planted-key"},
        "config": {"token": "K10abc::server:secret", "agent-token": "agents", "tls-san": ["a"]},
        **changes,
    }


def config(machine: Path) -> Plain:
    """What k3s on the machine is told."""
    found: Plain = json.loads((machine / enrol.CONFIG).read_text())
    return found


def test_a_cluster_is_founded_where_nobody_answers(machine: Path, authority: Identity) -> None:
    """The founder gets the authorities' keys, and a token without a digest to hold against."""
    enrol.enter(order(authority))
    assert config(machine) == {
        "agent-token": "agents",
        "tls-san": ["a"],
        "cluster-init": True,
        "token": "secret",
        "node-ip": "10.64.0.12",
        "advertise-address": "10.64.0.12",
        "flannel-iface": "enp8s0",
    }
    key = machine / "var/lib/rancher/k3s/server/tls/server-ca.key"
    assert key.read_text() == "planted-key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert (machine / enrol.CONFIG).stat().st_mode & 0o777 == 0o600


def test_a_rebuilt_first_server_joins(
    machine: Path, api: Api, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody answers for the cluster: its predecessor is taken out, and it founds nothing."""
    monkeypatch.setattr(enrol, "PORT", api.port)
    api.nodes = {"alpha-control-1", "alpha-control-2", "alpha-control-1.node-password.k3s"}
    enrol.enter(order(authority))
    assert config(machine)["server"] == f"https://127.0.0.1:{api.port}"
    assert config(machine)["token"] == "K10abc::server:secret"
    assert "cluster-init" not in config(machine)
    assert not (machine / "var/lib/rancher").exists()
    assert api.nodes == {"alpha-control-2"}
    assert list((machine / "run").iterdir()) == []


@pytest.mark.usefixtures("machine")
def test_a_short_outage_founds_no_second_cluster(
    api: Api, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The API is asked several times: one answer is enough."""
    ports = iter([1, 1, 1])
    ask = enrol.ask

    def flaky(*args: Any, **options: Any) -> int | None:
        monkeypatch.setattr(enrol, "PORT", next(ports, api.port))
        return ask(*args, **options)

    monkeypatch.setattr(enrol, "ask", flaky)
    assert enrol.founds(order(authority)) is False


def test_a_cluster_that_is_away_is_not_founded_again(machine: Path, authority: Identity) -> None:
    """The stack published it before: the machine stops, and says what to do."""
    with pytest.raises(enrol.RefusedError, match=r"founded before and nobody .* snapshot"):
        enrol.enter(order(authority, mayFound=False))
    assert not (machine / enrol.CONFIG).exists()


def test_a_stranger_is_not_joined_and_not_passed_over(
    machine: Path,
    tmp_path: Path,
    authority: Identity,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An address that another cluster answers at is a fault, not an absent cluster."""
    stranger = Api(tmp_path, Identity("other"), authority)
    monkeypatch.setattr(enrol, "PORT", stranger.port)
    with pytest.raises(enrol.RefusedError, match="certificate of another cluster"):
        enrol.enter(order(authority))
    stranger.close()
    assert not (machine / enrol.CONFIG).exists()


def test_an_agent_asks_nothing_of_the_api(
    machine: Path, api: Api, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not: it has no certificate. It joins by its token, under a new name."""
    monkeypatch.setattr(enrol, "PORT", api.port)
    told = {
        key: value
        for key, value in order(authority, role="agent").items()
        if key not in ("administrator", "files", "mayFound")
    }
    enrol.enter({**told, "config": {"token": "K10abc::node:agents"}})
    assert api.asked == []
    assert "advertise-address" not in config(machine)


def test_run_again_it_goes_on_where_it_was(
    machine: Path, api: Api, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A founder whose run was cut off does not take itself for its predecessor."""
    enrol.enter(order(authority))
    before = config(machine)
    monkeypatch.setattr(enrol, "PORT", api.port)
    enrol.enter(order(authority))
    assert config(machine) == before
    assert api.asked == []


def test_once_it_serves_nobody_can_log_in(
    machine: Path, api: Api, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SSH is ended, and the host key that user data held is gone."""
    commands: list[list[str]] = []
    monkeypatch.setattr("subprocess.run", lambda args, **_: commands.append(args))
    monkeypatch.setattr(enrol, "PORT", api.port)
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(order(authority))))
    enrol.main()
    assert [command[1:] for command in commands] == [
        ["enable", "--now", "k3s.service"],
        ["disable", "--now", "ssh.socket", "ssh.service"],
    ]
    assert list((machine / "etc/ssh").iterdir()) == []


def test_what_is_waited_for_in_vain_is_named(
    machine: Path, authority: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that is not attached ends the run with its name and the time that was given."""
    monkeypatch.setattr(enrol, "own_addresses", lambda: [PLACES["management"]])
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(order(authority))))
    with pytest.raises(SystemExit, match="alpha-control-1: waited 0 s for both private networks"):
        enrol.main()
    assert (machine / "etc/ssh/ssh_host_ed25519_key").exists()
