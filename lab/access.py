"""How a client reaches a lab's API server.

Owns the kubeconfig file for people and tools, and the small client that the lab itself uses. What
it applies is not its business: ``objects`` knows.
"""

import base64
import http.client
import json
import ssl
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from lab.pki import Pki, write_private
from placement.faults import FederationError

FIELD_MANAGER = "federation-lab"
"""Who owns the fields that the lab applies."""
_TIMEOUT_SECONDS = 30


def context(pki: Pki) -> ssl.SSLContext:
    """TLS to the lab's servers as their administrator."""
    tls = ssl.create_default_context(cafile=str(pki.ca.public))
    tls.load_cert_chain(pki.admin.public, pki.admin.key)
    return tls


def write_kubeconfig(file: Path, name: str, server: str, pki: Pki) -> None:
    """Write a kubeconfig of the administrator of *server* to *file*, whole in itself.

    Args:
        file: the file, which only its owner may read.
        name: the name of the cluster, its user and its context.
        server: its address, such as ``https://127.0.0.1:5443``.
        pki: the certificates.
    """
    cluster = {"server": server, "certificate-authority-data": _encoded(pki.ca.public)}
    user = {
        "client-certificate-data": _encoded(pki.admin.public),
        "client-key-data": _encoded(pki.admin.key),
    }
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    write_private(file, yaml.safe_dump(content, sort_keys=False).encode())


def _encoded(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()


class Api:
    """A client of one API server; plain JSON, no discovery, one connection a request.

    Args:
        server: its address, such as ``https://127.0.0.1:5443``.
        tls: how to know the server and be known to it.
    """

    def __init__(self, server: str, tls: ssl.SSLContext) -> None:
        self._server = server
        self._tls = tls

    def get(self, path: str) -> dict[str, Any]:
        """The object or list at *path*.

        Raises:
            FederationError: the server is not reached, or its answer is not success.
        """
        return self._call("GET", path)

    def is_there(self, path: str) -> bool:
        """Whether the server has something at *path*.

        Raises:
            FederationError: the server is not reached.
        """
        return self._answer("GET", path)[0] == http.HTTPStatus.OK

    def apply(self, path: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Apply *content* at *path*, server side: the object, made if it was not there.

        Raises:
            FederationError: the server is not reached, or its answer is not success.
        """
        query = urllib.parse.urlencode({"fieldManager": FIELD_MANAGER, "force": "true"})
        return self._call("PATCH", f"{path}?{query}", content)

    def delete(self, path: str) -> None:
        """Delete the object at *path*.

        Raises:
            FederationError: the server is not reached, or its answer is not success.
        """
        self._call("DELETE", path)

    def _call(
        self, method: str, path: str, content: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        body = None if content is None else json.dumps(content)
        status, answer = self._answer(method, path, body)
        if status >= http.HTTPStatus.BAD_REQUEST:
            raise FederationError(f"{method} {self._server}{path}: {status} {_message(answer)}")
        result: dict[str, Any] = json.loads(answer)
        return result

    def _answer(self, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
        # An apply patch is YAML by its type, and JSON is YAML.
        headers = {"Content-Type": "application/apply-patch+yaml", "Accept": "application/json"}
        url = self._server + path
        try:
            return request(url, self._tls, method, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise FederationError(f"{method} {url}: {error}") from error


def request(
    url: str,
    tls: ssl.SSLContext,
    method: str = "GET",
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, bytes]:
    """The status and the body that *url* answers with.

    Raises:
        OSError: the server is not reached.
        http.client.HTTPException: what it says is not HTTP.
    """
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPSConnection(parts.netloc, context=tls, timeout=_TIMEOUT_SECONDS)
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, dict(headers or {}))
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _message(answer: bytes) -> str:
    """The words of a Kubernetes ``Status``, or the raw answer where it is none."""
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        return answer.decode("utf-8", "replace").strip()
