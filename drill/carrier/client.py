"""A client that knows several addresses of one API, and keeps no connection.

Owns what counts as a failed call. Each call opens a connection of its own, so that none lives on
what was there before a kill.
"""

import http.client
import itertools
import json
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kubernetes import client, config

from placement.faults import FederationError

PATIENCE = 3.0
"""Seconds of silence after which the next address is tried: an election in etcd takes one or two,
and what a follower had passed on to the old leader is answered after seven."""

_TYPES = {"PATCH": "application/merge-patch+json"}


@dataclass(frozen=True)
class Call:
    """What became of a call.

    Attributes:
        status: the HTTP status; None where no address answered.
        tries: how many addresses were tried.
        errors: how many of them answered with a server error (5xx).
        seconds: from its begin to its answer.
        body: the answer; empty where there is none.
        why: what the last address did, where none answered.
    """

    status: int | None
    tries: int
    seconds: float
    body: bytes = b""
    why: str = ""
    errors: int = 0

    @property
    def ok(self) -> bool:
        """Whether the API did what it was asked."""
        return self.status is not None and self.status < HTTPStatus.BAD_REQUEST

    def content(self) -> Any:
        """The answer as plain values."""
        return json.loads(self.body)

    def __str__(self) -> str:
        what = self.why or f"{self.status} {self.body.decode('utf-8', 'replace')[:200]}"
        return f"{what} ({self.tries} tried, {self.seconds:.1f} s)"


class Client:
    """A client of one API at several addresses.

    Args:
        endpoints: the addresses, such as ``https://127.0.0.1:5443``; each call begins at the next.
        tls: by whom it is, and whom it believes.
    """

    def __init__(self, endpoints: Sequence[str], tls: ssl.SSLContext) -> None:
        self._hosts = [urlsplit(endpoint).netloc for endpoint in endpoints]
        self._tls = tls
        self._turns = itertools.count()

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Call:
        """One call, to each address once at most.

        The next one is tried where a connection is refused, breaks or is silent, and where a
        server answers that it could not do it (5xx): what was in flight through a dying member of
        etcd is answered so. What is sent may have been done all the same: it must bear to be done
        twice.
        """
        begun, first = time.monotonic(), next(self._turns) % len(self._hosts)
        status: int | None = None
        answer, why, errors = b"", "", 0
        hosts = (*self._hosts[first:], *self._hosts[:first])
        for tries, host in enumerate(hosts, start=1):  # noqa: B007 - counted after the loop
            try:
                status, answer, why = *self._ask(host, method, path, body), ""
            except (OSError, http.client.HTTPException) as error:
                status, answer = None, b""
                why = f"{method} {path} at {host}: {error or type(error).__name__}"
                continue
            if status < HTTPStatus.INTERNAL_SERVER_ERROR:
                break
            errors += 1
        return Call(status, tries, time.monotonic() - begun, answer, why, errors)

    def _ask(
        self, host: str, method: str, path: str, body: Mapping[str, Any] | None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPSConnection(host, context=self._tls, timeout=PATIENCE)
        try:
            headers = {"Content-Type": _TYPES.get(method, "application/json")}
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


def credentials(kubeconfig: Path) -> ssl.SSLContext:
    """TLS as the user of *kubeconfig*.

    Raises:
        FederationError: that user has no certificate.
    """
    found = client.Configuration()
    config.load_kube_config(str(kubeconfig), client_configuration=found)
    if found.cert_file is None:
        raise FederationError(f"{kubeconfig}: its user has no client certificate")
    tls = ssl.create_default_context(cafile=found.ssl_ca_cert)
    tls.load_cert_chain(found.cert_file, found.key_file)
    return tls
