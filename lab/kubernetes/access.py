"""How a client reaches a lab's API server.

Owns the kubeconfig file for people and tools, and the TLS of the lab's own probes. The client that
the lab itself uses is in ``client``.
"""

import base64
import ssl
from collections.abc import Iterable
from pathlib import Path

import yaml

from lab.kubernetes.pki import Pki, write_private


def context(pki: Pki, roots: Iterable[Path] = ()) -> ssl.SSLContext:
    """TLS to the lab's servers as their administrator; *roots* are of members with their own."""
    tls = ssl.create_default_context(cafile=str(pki.ca.public))
    for root in roots:
        tls.load_verify_locations(cafile=str(root))
    tls.load_cert_chain(pki.admin.public, pki.admin.key)
    return tls


def write_kubeconfig(file: Path, name: str, server: str, pki: Pki, root: Path) -> None:
    """Write a kubeconfig of the administrator of *server* to *file*, whole in itself.

    Args:
        file: the file, which only its owner may read.
        name: the name of the cluster, its user and its context.
        server: its address, such as ``https://127.0.0.1:5443``.
        pki: the certificates.
        root: those of the authorities by which the server is known.
    """
    cluster = {"server": server, "certificate-authority-data": encoded(root)}
    user = {
        "client-certificate-data": encoded(pki.admin.public),
        "client-key-data": encoded(pki.admin.key),
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


def encoded(file: Path) -> str:
    """The content of *file* as Kubernetes wants binary data: in base64."""
    return base64.b64encode(file.read_bytes()).decode()
