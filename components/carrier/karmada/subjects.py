"""The leaves of Karmada's control plane: who they are for, and what tells that one was renewed.

Source: Karmada 1.18.2 ``operator/pkg/certs/certs.go``.
"""

import hashlib
from collections.abc import Mapping

from components.carrier.names import NAMESPACE
from components.certificates import CLIENT, SERVER, Subject


def subjects(host: str) -> dict[str, Subject]:
    """The leaves of the control plane, by the names that the operator looks for."""
    names = (
        "localhost",
        "127.0.0.1",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        f"*.{NAMESPACE}.svc",
        f"*.{NAMESPACE}.svc.cluster.local",
        host,
    )
    return {
        # Also a client of the API, and its key signs the accounts' tokens.
        "karmada": Subject("system:admin", (SERVER, CLIENT), "system:masters", names),
        "apiserver": Subject("karmada-apiserver", (SERVER,), hosts=names),
        "front-proxy-client": Subject("front-proxy-client", (CLIENT,)),
    }


def digest_of(certificates: Mapping[str, str]) -> str:
    """A short digest of all certificates: another one restarts what holds them in memory."""
    text = "".join(certificates[key] for key in sorted(certificates))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
