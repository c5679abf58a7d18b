"""What is the federation's and no stack's: which things those are, and what they cost."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from components.cluster.hetzner.balancers import CLUSTER, KIND
from components.settings.hetzner.server_types import price_list
from stacks.hetzner import Item, Kind
from stacks.orphans import LABEL, Key, Orphan, held, orphans, total

OURS = {LABEL: "singapore"}
CONTROLLER = {"hcloud-ccm/service-uid": "0f7a"}
AUTOSCALER = {"hcloud/node-group": "burst"}
CSI = {"managed-by": "csi-driver", "pvc-name": "data"}
STACKS = {(Kind.NETWORK, "10"): "singapore", (Kind.SERVER, "11"): "singapore"}
NETWORK = Item(Kind.NETWORK, "10", "workload", "10.0.0.0/16", None, "eu-central", None, {})
SERVER = Item(Kind.SERVER, "11", "node", "cpx32", "fsn1", "eu-central", None, {})


def _item(kind: Kind, type_: str = "", zone: str = "eu-central", **own: Any) -> Item:
    return Item(kind, "1", "it", type_, "fsn1", zone, None, own.pop("labels", {}), **own)


def _found(*items: Item, stacks: dict[Key, str] | None = None) -> tuple[Orphan, ...]:
    return orphans([*items, NETWORK, SERVER], STACKS if stacks is None else stacks, price_list())


def _near(**own: Any) -> Item:
    return _item(Kind.LOAD_BALANCER, "lb11", **own)


def test_the_label_is_the_one_that_clusters_put() -> None:
    """What is looked for is what the components put on everything they make."""
    assert LABEL == CLUSTER


@pytest.mark.parametrize("kind", list(Kind))
def test_what_a_state_knows_is_no_orphan(kind: Kind) -> None:
    """A labelled thing is an orphan until a state of some stack knows its kind and number."""
    item = _item(kind, labels=OURS)
    (orphan,) = _found(item)
    assert (orphan.item, orphan.certain) == (item, True)
    assert orphan.known_by == "label federation/cluster=singapore"
    assert not _found(item, stacks={**STACKS, (kind, "1"): "any"})
    other = next(each for each in Kind if each is not kind)
    assert _found(item, stacks={**STACKS, (other, "1"): "any"})


def test_states_are_read_by_type_and_number() -> None:
    """Resources of other types, and those that have no number yet, hold nothing."""
    states: dict[str, list[dict[str, Any]]] = {
        "singapore": [
            {"type": "pulumi:pulumi:Stack"},
            {"type": "hcloud:index/server:Server", "id": "7"},
            {"type": "hcloud:index/server:Server"},
            {"type": "hcloud:index/serverNetwork:ServerNetwork", "id": "7-1"},
        ],
        "frankfurt": [{"type": "hcloud:index/primaryIp:PrimaryIp", "id": "7"}],
    }
    assert held(states) == {(Kind.SERVER, "7"): "singapore", (Kind.PRIMARY_IP, "7"): "frankfurt"}


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (_near(labels=CONTROLLER, networks=frozenset({"10"})), "a cloud controller"),
        (_item(Kind.SERVER, labels=AUTOSCALER, networks=frozenset({"10"})), "an autoscaler"),
        (_item(Kind.VOLUME, labels=CSI, server="11"), "a CSI driver"),
    ],
)
def test_what_a_cluster_made_is_known_by_where_it_is(item: Item, said: str) -> None:
    """Made from inside a cluster of the federation, it is listed with the stack of that cluster."""
    (orphan,) = _found(item)
    assert orphan.certain
    assert orphan.known_by.endswith(f"of stack singapore, made by {said}")


def test_what_others_made_in_our_networks_is_left_out() -> None:
    """Without a label of ours or of a known maker, a neighbour in the network is not ours."""
    assert not _found(_item(Kind.SERVER, "cpx32", networks=frozenset({"10"})))
    assert not _found(_item(Kind.VOLUME, labels={"managed-by": "somebody"}, server="11"))
    assert not _found(_item(Kind.PRIMARY_IP, "ipv4", server="11"))


def test_what_another_cluster_uses_is_left_out() -> None:
    """A maker's label says nothing of whose cluster it is: elsewhere in use, it is another's."""
    assert not _found(_near(labels=CONTROLLER, networks=frozenset({"99"})))
    assert not _found(_item(Kind.VOLUME, labels=CSI, server="99"))


def test_what_is_tied_to_nothing_is_listed_as_uncertain() -> None:
    """A volume or balancer of a cluster that is gone has lost what it was known by."""
    (orphan,) = _found(_item(Kind.VOLUME, "50 GB", labels=CSI))
    assert not orphan.certain
    assert orphan.known_by == "made by a CSI driver, and tied to nothing that is left"


def test_what_is_on_an_orphan_is_one_too() -> None:
    """An address and a volume on a server that no stack knows are listed, labelled or not."""
    lost = replace(SERVER, id="12", name="lost", labels=AUTOSCALER, networks=frozenset({"10"}))
    address = _item(Kind.PRIMARY_IP, "ipv4", server="12")
    found = _found(address, replace(address, kind=Kind.VOLUME), lost)
    assert [each.item.kind for each in found] == [Kind.PRIMARY_IP, Kind.VOLUME, Kind.SERVER]
    assert [each.known_by for each in found[:2]] == ["server lost"] * 2


@pytest.mark.parametrize(
    ("item", "month"),
    [
        (_item(Kind.SERVER, "cpx32"), "35.99"),
        (_item(Kind.SERVER, "cpx32", "ap-southeast"), None),
        (_item(Kind.SERVER, "cx11"), None),
        (_item(Kind.LOAD_BALANCER, KIND), "7.49"),
        (_item(Kind.LOAD_BALANCER, "lb21"), None),
        (_item(Kind.LOAD_BALANCER, "lb11", "us-east"), None),
        (_item(Kind.PRIMARY_IP, "ipv4"), "0.50"),
        (_item(Kind.PRIMARY_IP, "ipv6"), None),
        (_item(Kind.VOLUME, "50 GB"), None),
        (_item(Kind.NETWORK, "10.0.0.0/16"), "0"),
        (_item(Kind.PLACEMENT_GROUP, "spread"), "0"),
    ],
)
def test_prices_are_the_lists_or_unknown(item: Item, month: str | None) -> None:
    """A price is the dated list's for that type and zone; what it does not say is no number."""
    (orphan,) = _found(replace(item, labels=OURS))
    assert orphan.month == (None if month is None else Decimal(month))


def test_the_total_says_what_it_lacks() -> None:
    """The sum is of what is known, the rest is named, once."""
    items = [
        _item(Kind.SERVER, "cpx32", labels=OURS),
        replace(_item(Kind.PRIMARY_IP, "ipv4", labels=OURS), id="2"),
        replace(_item(Kind.VOLUME, "50 GB", labels=OURS), id="3"),
        replace(_item(Kind.VOLUME, "50 GB", labels=OURS), id="4"),
    ]
    assert total(_found(*items), price_list()) == {
        "amount": "36.49",
        "unknown": ["volume 50 GB"],
        "currency": "EUR",
        "vat": "net",
        "per": "month",
        "date": price_list().date.isoformat(),
    }
