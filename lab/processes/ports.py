"""Which ports on 127.0.0.1 a lab uses.

Owns the choice of ports and the answer to who holds one that is taken. It keeps none: ``state``
does.
"""

import secrets
import socket
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, islice

import psutil

from placement.faults import FederationError

_HOST = "127.0.0.1"
_FIRST, _END, _PLACE = 1 << 14, 1 << 15, 1 << 7
"""Where ports are chosen: below those that systems give to outgoing connections, one of which
could otherwise take a port between its choice and its use."""


def fixed(names: Sequence[str], base: int) -> dict[str, int]:
    """The ports *base*, *base* + 1, … for *names*, in their order."""
    return {name: base + index for index, name in enumerate(names)}


def free(names: Sequence[str], taken: Collection[int]) -> dict[str, int]:
    """A free port for each of *names*, none of them in *taken*.

    They lie together, in one of many places, so that two labs that begin at once hardly meet.

    Args:
        names: what the ports are for.
        taken: ports of other labs, which may be down at the moment.

    Raises:
        FederationError: there are not enough.
    """
    place = secrets.choice(range(_FIRST, _END, _PLACE))
    candidates = chain(range(place, _END), range(_FIRST, place))
    usable = (port for port in candidates if port not in taken and _is_free(port))
    ports = list(islice(usable, len(names)))
    if len(ports) < len(names):
        raise FederationError(f"fewer than {len(names)} ports from {_FIRST} to {_END - 1} are free")
    return dict(zip(names, ports, strict=True))


def check_free(ports: Iterable[int]) -> None:
    """See that nobody listens on any of *ports*.

    Raises:
        FederationError: somebody does; the message names each such port and its holder.
    """
    taken = [port for port in ports if not _is_free(port)]
    if taken:
        holders = [f"port {port} is in use by {_holder(port)}" for port in taken]
        way_out = "end it, or take the lab down: a new one may have other ports"
        raise FederationError("\n".join([*holders, way_out]))


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        # As the servers do: connections of an earlier run that fade out are no obstacle.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((_HOST, port))
        except OSError:
            return False
    return True


def _holder(port: int) -> str:
    """Who listens on *port*, as far as this user may know."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid:
                return f"pid {connection.pid} ({psutil.Process(connection.pid).name()})"
    except psutil.Error:
        pass  # not ours to see
    return "another user's process"
