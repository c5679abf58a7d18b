"""The address of a cluster that the doubles make, with a real API server behind it.

Owns the certificate that it shows: signed by the authority that the founder was told of, so that
the kubeconfig which the program made opens it. Whoever comes in is the administrator behind it.
"""

import asyncio
import datetime as dt
import ipaddress
import itertools
import ssl
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from kubernetes import client, config

from tests.doubles.schema import Plain

PORT = 6443
_CHUNK_BYTES = 1 << 16
_numbers = itertools.count(2)


class Gate:
    """The front of one cluster.

    Args:
        kubeconfig: of the administrator of the API server behind it.
        folder: for the certificate.

    Attributes:
        address: where it will stand, once the cluster is founded: an address of this machine alone.
    """

    def __init__(self, kubeconfig: Path, folder: Path) -> None:
        self.address = f"127.64.43.{next(_numbers)}"
        self._folder = folder
        found = client.Configuration()
        config.load_kube_config(str(kubeconfig), client_configuration=found)
        self._behind = urlsplit(found.host)
        self._to = ssl.create_default_context(cafile=found.ssl_ca_cert)
        self._to.load_cert_chain(str(found.cert_file), found.key_file)
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def told(self, order: Plain) -> None:
        """What a machine is told at its enrolment: the founder opens the gate."""
        if order.get("mayFound"):
            files = {Path(name).name: text for name, text in order["files"].items()}
            tls = self._shown(files["server-ca.crt"], files["server-ca.key"])
            asyncio.run_coroutine_threadsafe(self._open(tls), self._loop).result(10)

    def start(self) -> None:
        """Be ready to open."""
        self._thread.start()

    def close(self) -> None:
        """End everything that goes through."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self, tls: ssl.SSLContext) -> None:
        self._server = await asyncio.start_server(self._pass, self.address, PORT, ssl=tls)

    async def _end(self) -> None:
        if self._server is not None:
            self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _pass(self, reader: StreamReader, writer: StreamWriter) -> None:
        answers, requests = await asyncio.open_connection(
            self._behind.hostname, self._behind.port, ssl=self._to
        )
        await asyncio.gather(_copy(reader, requests), _copy(answers, writer))

    def _shown(self, authority: str, authority_key: str) -> ssl.SSLContext:
        """TLS of a server whose certificate *authority* signed."""
        signer = x509.load_pem_x509_certificate(authority.encode())
        signer_key = serialization.load_pem_private_key(authority_key.encode(), None)
        if not isinstance(signer_key, ec.EllipticCurvePrivateKey):
            raise TypeError("the gate signs with keys on elliptic curves alone")
        key = ec.generate_private_key(ec.SECP256R1())
        now = dt.datetime.now(dt.UTC)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kube-apiserver")])
        here = x509.IPAddress(ipaddress.ip_address(self.address))
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(signer.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(hours=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([here]), critical=False)
            .sign(signer_key, hashes.SHA256())
        )
        pair = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ) + made.public_bytes(serialization.Encoding.PEM)
        file = self._folder / "gate.pem"
        file.write_bytes(pair)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(file)
        return tls


async def _copy(source: StreamReader, sink: StreamWriter) -> None:
    try:
        while content := await source.read(_CHUNK_BYTES):
            sink.write(content)
            await sink.drain()
    except OSError:
        pass  # one side ended: the other is told by the close
    finally:
        sink.close()


@contextmanager
def gate(kubeconfig: Path, folder: Path) -> Iterator[Gate]:
    """A gate for as long as a test uses it."""
    made = Gate(kubeconfig, folder)
    made.start()
    try:
        yield made
    finally:
        made.close()
