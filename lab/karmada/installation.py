"""The real Karmada, as its release offers it: a folder of programs, kinds and webhooks.

Owns the variable ``KARMADA_DIR``, what the folder must hold, and the check of its version. It runs
nothing but the version command: which processes Karmada needs is in ``components``.
"""

import base64
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from placement.faults import FederationError

VARIABLE = "KARMADA_DIR"
"""The environment variable that names the folder."""

ALLOWED = "1.18"
"""The release whose rules the engine knows; its scheduler's differ between releases."""

PROGRAMS = (
    "karmada-aggregated-apiserver",
    "karmada-controller-manager",
    "karmada-scheduler",
    "karmada-webhook",
)
"""What the least Karmada control plane needs, in the folder ``bin``."""

_WEBHOOKS = "webhook-configuration.yaml"
_ASK_SECONDS = 30
_IN_CLUSTER = "https://karmada-webhook.karmada-system.svc:443"
"""Where the published configuration expects the webhook."""


@dataclass(frozen=True)
class Installation:
    """A folder with a Karmada of an allowed version.

    Attributes:
        folder: the folder.
        version: of every program in it, such as ``1.18.2``.
    """

    folder: Path
    version: str

    def program(self, name: str) -> Path:
        """The file of the program *name*."""
        return self.folder / "bin" / name

    def need(self, programs: Sequence[str], purpose: str) -> None:
        """See that there are *programs* beyond the least, of the version of the others.

        Args:
            programs: their names.
            purpose: what needs them, for the message.

        Raises:
            FederationError: one is missing, or of another version.
        """
        read = {name: _version(self.program(name)) for name in programs}
        wrong = [
            f"{name} {found or 'missing'}" for name, found in read.items() if found != self.version
        ]
        if wrong:
            raise FederationError(
                f"{VARIABLE}: read {', '.join(wrong)}; {purpose} needs "
                f"{', '.join(programs)} {self.version} in its folder bin"
            )

    def kinds(self) -> list[dict[str, Any]]:
        """Karmada's CustomResourceDefinitions."""
        return [
            document
            for file in sorted((self.folder / "crds").glob("*.yaml"))
            for document in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader)
            if document
        ]

    def webhooks(self, url: str, ca: Path) -> list[dict[str, Any]]:
        """The published webhook configurations, for a webhook that answers at *url*.

        Args:
            url: its address, such as ``https://127.0.0.1:8443``.
            ca: the file of the certificate that signed its own.
        """
        text = (self.folder / _WEBHOOKS).read_text("utf-8")
        encoded = base64.b64encode(ca.read_bytes()).decode()
        text = text.replace(_IN_CLUSTER, url).replace("{{caBundle}}", encoded)
        return [document for document in yaml.safe_load_all(text) if document]


def find(environment: Mapping[str, str] = os.environ) -> Installation | None:
    """The Karmada that ``KARMADA_DIR`` names; None where it names none.

    Raises:
        FederationError: the folder lacks something, or its version is not an allowed one.
    """
    said = environment.get(VARIABLE, "")
    if not said:
        return None
    folder = Path(said).resolve()
    needed = [*(Path("bin", name) for name in PROGRAMS), Path("crds"), Path(_WEBHOOKS)]
    missing = [str(path) for path in needed if not (folder / path).exists()]
    if missing:
        raise FederationError(
            f"{VARIABLE}: read {said}, which lacks {', '.join(missing)}; allowed a folder with "
            f"what the release page of Karmada {ALLOWED} offers, or unset it for a lab without it"
        )
    versions = {name: _version(folder / "bin" / name) for name in PROGRAMS}
    found = set(versions.values())
    if len(found) > 1 or not next(iter(found)).startswith(f"{ALLOWED}."):
        read = ", ".join(f"{name} {version or 'unknown'}" for name, version in versions.items())
        raise FederationError(
            f"{VARIABLE}: read {read}; allowed {ALLOWED}.x, the same for all, since the engine "
            "predicts that release's scheduler"
        )
    return Installation(folder, found.pop())


def required() -> Installation:
    """The Karmada that ``KARMADA_DIR`` names, for what is a comparison with the real one.

    Raises:
        FederationError: it names none, or one that will not do.
    """
    found = find()
    if found is None:
        raise FederationError(
            f"{VARIABLE}: read nothing; allowed a folder with the real Karmada: without it there "
            "is nothing to compare with"
        )
    return found


def _version(program: Path) -> str:
    """What *program* says of its version, without the ``v``; empty where it says nothing."""
    try:
        said = subprocess.run(
            [program, "version"], capture_output=True, text=True, timeout=_ASK_SECONDS, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""  # the caller's message names the program
    version = re.search(r'GitVersion:"v([^"]+)"', said)
    return version[1] if version else ""
