"""What lies in a Hetzner Cloud project: one question to its API for each kind of thing.

Owns the reading, by Hetzner's own client. Whose a thing is, and what it costs, is said elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import hcloud
import requests

from placement.faults import BadInputError, Fault, FederationError

ENDPOINT = "https://api.hetzner.cloud/v1"
_SECONDS = 30
"""How long one question may take; the client asks again, a few times."""


class Kind(StrEnum):
    """What is looked for, as people read it."""

    SERVER = "server"
    LOAD_BALANCER = "load balancer"
    VOLUME = "volume"
    NETWORK = "network"
    PRIMARY_IP = "primary IP"
    PLACEMENT_GROUP = "placement group"


@dataclass(frozen=True)
class Item:
    """One thing in the project.

    Attributes:
        id: Hetzner's number, as text; unique within its kind.
        type: the server or load balancer type, else what tells one of its kind from another.
        location: None for what spans locations.
        zone: its network zone; None for what spans zones.
        created: None: not said.
        networks: the ids of the private networks that it is in.
        server: the id of the server that it is on.
    """

    kind: Kind
    id: str
    name: str
    type: str
    location: str | None
    zone: str | None
    created: datetime | None
    labels: Mapping[str, str]
    networks: frozenset[str] = field(default=frozenset())
    server: str | None = None


def read(token: str, endpoint: str = ENDPOINT) -> tuple[Item, ...]:
    """Everything of the kinds looked for in the project that *token* is for.

    Raises:
        BadInputError: there is no token, or the API does not know it.
        FederationError: the API does not answer, or not with what was asked. No message holds the
            token.
    """
    if not token:
        raise _bad("missing; allowed a token of the project, to read")
    if not (token.isascii() and token.isprintable()) or token != token.strip():
        # It would be refused where a request is made, with a message that quotes it.
        raise _bad("read something that no HTTP header can carry; allowed the token alone")
    client = hcloud.Client(
        token=token, api_endpoint=endpoint.rstrip("/"), application_name="stacks", timeout=_SECONDS
    )
    try:
        return tuple(_items(client))
    except hcloud.APIException as error:
        if error.code in ("unauthorized", requests.codes.unauthorized):
            message = "read a token that Hetzner Cloud refuses; allowed one of the project"
            raise _bad(message) from None
        raise FederationError(f"Hetzner Cloud: {error}") from None
    except requests.RequestException as error:
        raise FederationError(f"{endpoint} does not answer: {type(error).__name__}") from None


def _items(client: hcloud.Client) -> Iterator[Item]:
    for kind, (plural, type_of) in _KINDS.items():
        for found in getattr(client, plural).get_all():
            yield _item(kind, found, type_of(found))


def _item(kind: Kind, found: Any, type_: str) -> Item:
    # One kind has what another has not: a volume no networks, a network no location.
    location, server = getattr(found, "location", None), getattr(found, "server", None)
    zone = location.network_zone if location else None
    if kind is Kind.NETWORK:
        zone = found.subnets[0].network_zone if found.subnets else None
    if kind is Kind.PRIMARY_IP:
        server = found.assignee_id if found.assignee_type == "server" else None
    return Item(
        kind=kind,
        id=str(found.id),
        name=found.name,
        type=type_,
        location=location.name if location else None,
        zone=zone,
        created=found.created,
        labels=found.labels or {},
        networks=frozenset(str(each.network.id) for each in getattr(found, "private_net", ())),
        server=str(getattr(server, "id", server)) if server else None,
    )


def _bad(message: str) -> BadInputError:
    return BadInputError(Fault("environment", 0, "HCLOUD_TOKEN", message))


_KINDS: Mapping[Kind, tuple[str, Callable[[Any], str]]] = {
    Kind.SERVER: ("servers", lambda found: found.server_type.name),
    Kind.LOAD_BALANCER: ("load_balancers", lambda found: found.load_balancer_type.name),
    Kind.VOLUME: ("volumes", lambda found: f"{found.size} GB"),
    Kind.NETWORK: ("networks", lambda found: found.ip_range),
    Kind.PRIMARY_IP: ("primary_ips", lambda found: found.type),
    Kind.PLACEMENT_GROUP: ("placement_groups", lambda found: found.type),
}
"""What the client calls each kind, and what tells one of it from another."""
