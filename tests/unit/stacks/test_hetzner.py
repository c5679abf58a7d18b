"""What lies in a Hetzner Cloud project, read from a double of its API."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from placement.faults import BadInputError, FederationError
from stacks.hetzner import Item, Kind, read
from tests.doubles import hetzner_api as made
from tests.doubles.hetzner_api import Api, api


@pytest.fixture
def cloud() -> Iterator[Api]:
    """The API with an empty project."""
    with api() as served:
        yield served


def _read(cloud: Api) -> list[Item]:
    return list(read(cloud.token, cloud.endpoint))


def test_each_kind_is_read_as_the_api_publishes_it(cloud: Api) -> None:
    """Name, type, place, age, networks and server of each kind come from its own fields."""
    cloud.things = {
        "servers": [made.server(1, "node", 4)],
        "load_balancers": [made.load_balancer(2, "front", 4)],
        "volumes": [made.volume(3, "data", on=1), made.volume(9, "loose", on=None)],
        "networks": [made.network(4, "net")],
        "primary_ips": [made.primary_ip(5, "address", on=1)],
        "placement_groups": [made.placement_group(6, "group")],
    }
    found = _read(cloud)
    assert [(item.kind, item.id, item.name, item.type) for item in found] == [
        (Kind.SERVER, "1", "node", "cpx32"),
        (Kind.LOAD_BALANCER, "2", "front", "lb11"),
        (Kind.VOLUME, "3", "data", "50 GB"),
        (Kind.VOLUME, "9", "loose", "50 GB"),
        (Kind.NETWORK, "4", "net", "10.0.0.0/16"),
        (Kind.PRIMARY_IP, "5", "address", "ipv4"),
        (Kind.PLACEMENT_GROUP, "6", "group", "spread"),
    ]
    assert [item.location for item in found] == [*["fsn1"] * 4, None, "fsn1", None]
    assert [item.zone for item in found] == [*["eu-central"] * 6, None]
    assert [item.networks for item in found] == [{"4"}, {"4"}, *[frozenset()] * 5]
    assert [item.server for item in found] == [None, None, "1", None, None, "1", None]
    assert {item.created for item in found} == {datetime(2026, 11, 1, 8, tzinfo=UTC)}


def test_an_address_of_a_load_balancer_is_on_no_server(cloud: Api) -> None:
    """Numbers are unique within a kind alone: what is not on a server is on none."""
    address = made.primary_ip(5, "address", on=1) | {"assignee_type": "load_balancer"}
    cloud.things["primary_ips"] = [address]
    assert [item.server for item in _read(cloud)] == [None]


def test_every_page_is_read(cloud: Api) -> None:
    """A project of more things than a page holds is read whole."""
    cloud.things["servers"] = [made.server(number, f"node-{number}") for number in range(120)]
    assert len({item.id for item in _read(cloud)}) == 120


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("", "environment HCLOUD_TOKEN: missing; allowed a token"),
        ("wrong-token", "environment HCLOUD_TOKEN: read a token that Hetzner Cloud refuses"),
        ("wrong-token\n", "environment HCLOUD_TOKEN: read something that no HTTP header"),
        ("wrong-t\N{LATIN SMALL LETTER O WITH DIAERESIS}ken", "no HTTP header"),
    ],
)
def test_a_token_that_will_not_do_is_one_clear_message(cloud: Api, token: str, said: str) -> None:
    """The variable is named, and its value is not."""
    with pytest.raises(BadInputError) as caught:
        read(token, cloud.endpoint)
    assert said in str(caught.value)
    assert "wrong" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_api_that_fails_is_said_in_its_words(cloud: Api) -> None:
    """What the API says is passed on, without the token."""
    cloud.broken = 500
    with pytest.raises(FederationError, match=r"an internal error .*service_error") as caught:
        _read(cloud)
    assert cloud.token not in str(caught.value)


def test_an_api_that_is_not_there_is_named(cloud: Api) -> None:
    """Where nobody answers, the endpoint is named, without the token."""
    with pytest.raises(
        FederationError, match=r"http://127\.0\.0\.1:1/v1 does not answer"
    ) as caught:
        read(cloud.token, "http://127.0.0.1:1/v1")
    assert cloud.token not in str(caught.value)
