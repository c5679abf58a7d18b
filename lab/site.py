"""Where a lab is: its folder, its ports, its certificates.

Owns the names of the files in a lab's folder and the addresses on 127.0.0.1. It makes none of
them: ``kubernetes.pki``, ``processes.ports`` and ``kubernetes.access`` do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lab.kubernetes.pki import Pki

HOST = "127.0.0.1"
"""Nothing of a lab listens on another address, but for estimators, which cannot be told."""

KARMADA = "karmada"
"""The name of the Karmada API among the clusters of a lab, and of its port."""


@dataclass(frozen=True)
class Site:
    """Where a lab is.

    Attributes:
        folder: all that it writes is in here.
        ports: each port by what it is for.
        instances: what is put after the name of a part of the control plane, and of its ports, for
            each of its instances; one with nothing where it is not highly available.
    """

    folder: Path
    ports: Mapping[str, int]
    instances: tuple[str, ...] = ("",)

    @property
    def replicated(self) -> bool:
        """Whether each part of the control plane has others beside it."""
        return len(self.instances) > 1

    @property
    def pki(self) -> Pki:
        """The lab's certificates."""
        return Pki(self.folder / "pki")

    @property
    def data(self) -> Path:
        """The folder of what etcd keeps."""
        return self.folder / "data"

    @property
    def registration(self) -> Path:
        """The workspace of the stack by which members join."""
        return self.folder / "registration"

    @property
    def stages(self) -> Path:
        """What KWOK does with nodes and pods."""
        return self.folder / "kwok.yaml"

    def kubeconfig(self, cluster: str = KARMADA) -> Path:
        """The kubeconfig of the administrator of *cluster*."""
        return self.folder / "kubeconfig" / f"{cluster}.yaml"

    def discovery(self, cluster: str = KARMADA) -> Path:
        """What a client remembers of the kinds that *cluster* serves."""
        return self.folder / "discovery" / f"{cluster}.json"

    def log(self, process: str) -> Path:
        """The log of the process called *process*."""
        return self.folder / "logs" / f"{process}.log"

    def url(self, port: str = KARMADA) -> str:
        """The address of the server whose port is for *port*."""
        return f"https://{HOST}:{self.ports[port]}"
