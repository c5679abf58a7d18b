"""The etcd members of a carrier as processes of this machine, with the flags of their pods.

Owns the translation of names, ports and folders. The flags themselves are the carrier's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import tools
from lab.processes import ports
from lab.site import HOST

_LISTENING = (2379, 2380, 2381)
_CERTIFICATES, _DATA = "/etc/etcd/tls", "/var/lib/etcd"


@dataclass(frozen=True)
class EtcdMembers:
    """Members of one store.

    Attributes:
        arguments: of a member, as its container has them; ``$(NAME)`` is its own name.
        names: of the members.
        certificates: the folder with ``tls.crt``, ``tls.key`` and ``ca.crt``.
        folder: in which each member has its data, in a folder of its name.
        ports: the port on this machine, by ``name:port``.
    """

    arguments: Sequence[str]
    names: Sequence[str]
    certificates: Path
    folder: Path
    ports: Mapping[str, int]

    @classmethod
    def of(
        cls, arguments: Sequence[str], names: Sequence[str], certificates: Path, folder: Path
    ) -> "EtcdMembers":
        """Members that listen on ports which nobody has."""
        wanted = [f"{name}:{port}" for name in names for port in _LISTENING]
        return cls(arguments, names, certificates, folder, ports.free(wanted, set()))

    def url(self, name: str, port: int = 2379) -> str:
        """Where the member *name* listens for what its pod has on *port*."""
        return f"https://{HOST}:{self.ports[f'{name}:{port}']}"

    def argv(self, name: str) -> list[str]:
        """The command of the member *name*.

        Raises:
            FederationError: etcd is not built.
        """
        return [str(tools.path("etcd")), *(self._here(text, name) for text in self.arguments)]

    def _here(self, argument: str, own: str) -> str:
        text = argument.replace("$(NAME)", own).replace("://0.0.0.0:", f"://{own}.here:")
        text = re.sub(
            r"(etcd-\d)\.[a-z.-]+:(\d+)",
            lambda found: f"{HOST}:{self.ports[f'{found[1]}:{found[2]}']}",
            text,
        )
        text = text.replace(_CERTIFICATES, str(self.certificates))
        return text.replace(_DATA, str(self.folder / own))
