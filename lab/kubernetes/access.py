"""How a client reaches a lab's API server.

Owns the kubeconfig file for people and tools, and the TLS of the lab's own probes. The client that
the lab itself uses is in ``client``.
"""

import base64
import ssl
from pathlib import Path

import yaml

from lab.kubernetes.pki import Pki, write_private


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
    cluster = {"server": server, "certificate-authority-data": encoded(pki.ca.public)}
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
