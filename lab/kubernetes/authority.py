"""The authority of a member's servers, and its replacement while the member goes on.

Owns the three steps of a rotation, as Kubernetes has them: clients trust both authorities, the
server presents a certificate of the new one, clients trust the new one alone. Each step is a file
of another name, so that `up` starts anew what reads it. Whom the member's API server trusts, its
clients, stays as it is.
"""

from dataclasses import dataclass
from pathlib import Path

from lab.kubernetes import pki
from lab.kubernetes.pki import Pair, Pki
from lab.site import Site
from placement.faults import FederationError

STEPS = ("both", "presented", "alone")


@dataclass(frozen=True)
class Trust:
    """Who a member's API server is, and by whose word.

    Attributes:
        root: the certificates of the authorities that its clients trust.
        server: what it presents.
    """

    root: Path
    server: Pair


def trust(site: Site, member: str) -> Trust:
    """That of *member* as it stands: the lab's own until a rotation has begun."""
    folder = _folder(site, member)
    done = [step for step in STEPS if (folder / f"{step}.crt").exists()]
    if not done:
        return Trust(site.pki.ca.public, site.pki.server)
    presents = Pki(folder / "pki") if "presented" in done else site.pki
    return Trust(folder / f"{done[-1]}.crt", presents.server)


def advance(site: Site, member: str) -> str:
    """Take the next step of a rotation of the authority of *member*; its name.

    Raises:
        FederationError: all are taken.
    """
    folder = _folder(site, member)
    step = next((step for step in STEPS if not (folder / f"{step}.crt").exists()), None)
    if step is None:
        raise FederationError(f"the authority of {member} is replaced already")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = pki.ensure(folder / "pki").ca.public.read_bytes()
    old = b"" if step == "alone" else site.pki.ca.public.read_bytes()
    (folder / f"{step}.crt").write_bytes(old + new)
    return step


def _folder(site: Site, member: str) -> Path:
    return site.folder / "authority" / member
