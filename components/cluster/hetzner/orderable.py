"""What Hetzner Cloud says of its stock and of a project: two questions to its API."""

from collections.abc import Callable
from typing import TypeVar

import pulumi
import pulumi_hcloud as hcloud

from components.cluster.hetzner.balancers import CLUSTER
from components.cluster.hetzner.choice import Orderable
from components.secret import command, wrong
from placement.faults import FederationError

TOKEN = "hcloud:token"  # noqa: S105 - the name of the key

_T = TypeVar("_T")


def orderable() -> Orderable:
    """The server types that can be ordered, by location.

    Raises:
        BadInputError: the token is refused.
        FederationError: Hetzner Cloud does not answer.
    """
    found: dict[str, set[str]] = {}
    kinds = _asked(lambda: hcloud.get_server_types(opts=pulumi.InvokeOptions()))
    for kind in kinds.server_types:
        for place in kind.locations:
            if place.available and not place.is_deprecated:
                found.setdefault(place.name, set()).add(kind.name)
    return found


def standing(cluster: str) -> dict[str, str]:
    """The type of each server of *cluster* that is there, by its name.

    Raises:
        BadInputError: the token is refused.
        FederationError: Hetzner Cloud does not answer.
    """
    selector = f"{CLUSTER}={cluster}"
    found = _asked(lambda: hcloud.get_servers(with_selector=selector, opts=pulumi.InvokeOptions()))
    return {server.name: server.server_type for server in found.servers}


def _asked(question: Callable[[], _T]) -> _T:
    try:
        return question()
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower
        if "unauthorized" in str(error):
            message = "read a token that Hetzner Cloud refuses; allowed one of the project: "
            raise wrong(TOKEN, message + command(TOKEN)) from None
        raise FederationError(f"Hetzner Cloud does not answer: {error}") from None
