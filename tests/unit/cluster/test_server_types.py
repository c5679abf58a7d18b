"""Which server type is taken, what it costs, and what it leaves to pods."""

from decimal import Decimal

import pytest

from components.cluster.hetzner import cost, facts, hardware, tuning
from components.cluster.hetzner.choice import SoldOut, choose, settled
from components.settings.hardware import wrong
from components.settings.hetzner import LOCATIONS, server_types
from components.settings.hetzner.server_types import price_list
from placement.quantity import parse_quantity
from tests.unit.cluster.clusters import cluster, pool

EVERYWHERE = {name: set(server_types()) for name in LOCATIONS}


def test_the_first_that_can_be_ordered_is_taken() -> None:
    """The order of the list decides, and where the node stands."""
    node = cluster(controlPlane={"serverTypes": ["cx43", "cpx42", "ccx33"]}).servers()[0]
    some = {"nbg1": {"cpx42", "ccx33"}, "fsn1": {"cx43"}}
    assert choose(node, EVERYWHERE, price_list(), "eu-central") == "cx43"
    assert choose(node, some, price_list(), "eu-central") == "cpx42"


def test_the_next_best_has_at_least_as_much_and_is_cheapest() -> None:
    """Of what can be ordered, with the same architecture, by price."""
    node = cluster(controlPlane={"serverTypes": ["cpx42"]}).servers()[0]
    some = {"nbg1": {"cx23", "cax31", "ccx33", "cx53", "cpx52"}}
    found = choose(node, some, price_list(), "eu-central")
    assert found == SoldOut(node, ("cx53", "cpx52", "ccx33"))
    node = cluster(controlPlane={"serverTypes": ["ccx13"]}).servers()[0]
    some = {"nbg1": {"cx23", "cpx22", "cpx32", "ccx33"}}  # the first two lack memory
    found = choose(node, some, price_list(), "eu-central")
    assert found == SoldOut(node, ("cpx32", "ccx33"))


def test_a_node_keeps_its_type_until_it_is_named() -> None:
    """Whatever the list says by now."""
    node = cluster().servers()[0]
    assert settled(node, {node.name: "cx23"}, None) == "cx23"
    assert settled(node, {node.name: "cx23"}, "alpha-control-2") == "cx23"
    assert settled(node, {node.name: "cx23"}, node.name) is None
    assert settled(node, {}, None) is None


def test_the_cost_of_a_cluster_adds_up() -> None:
    """Three cpx32 with an address each, and two load balancers, by the dated list."""
    made = cluster()
    chosen = dict.fromkeys((node.name for node in made.nodes()), "cpx32")
    found = cost.lines(chosen, {}, price_list(), made.zone)
    whole = cost.total(found, price_list())
    parts = 3 * (Decimal("35.99") + Decimal("0.50")) + 2 * Decimal("7.49")
    assert (Decimal(whole["amount"]), whole["unknown"]) == (parts, [])
    (said,) = cost.report("alpha", found, price_list(), made.zone)
    assert said == "alpha costs 124.45 EUR a month net, price list of 2026-08-17"


def test_a_price_that_is_unknown_is_not_zero() -> None:
    """The sum says what it lacks."""
    made = cluster(locations=["ash"])
    chosen = dict.fromkeys((node.name for node in made.nodes()), "cpx32")
    found = cost.lines(chosen, {}, price_list(), made.zone)
    (said,) = cost.report("alpha", found, price_list(), made.zone)
    assert said.startswith("alpha costs 0 EUR a month net")
    assert "and what cpx32, lb11 costs in us-east" in said


def test_a_rescale_shows_both_tariffs() -> None:
    """A new type is bought at today's tariff, whatever the old one was on."""
    found = cost.lines({"n": "ccx13"}, {"n": "cpx32"}, price_list(), "eu-central")
    said = list(cost.report("alpha", found, price_list(), "eu-central"))
    assert said[1].startswith("n becomes ccx13 instead of cpx32: 36.49 -> 43.99 EUR a month net")


def test_facts_count_nodes_as_they_are() -> None:
    """Agents of one pool with two types are two classes, and the control plane is none."""
    made = cluster(pools=[pool("web", 3, labels={"disk": "fast"})])
    names = [node.name for node in made.nodes()]
    chosen = dict.fromkeys(names, "cpx22") | {"alpha-web-2": "cpx32"}
    found = facts.cluster(made, chosen)
    assert {each.name: each.count for each in found.node_classes} == {
        "web-cpx22": 2,
        "web-cpx32": 1,
    }
    assert found.node_classes[0].labels["disk"] == "fast"
    assert (found.provider, found.region, found.continent) == ("hetzner", "nbg1", "europe")


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("ccx13", {"cpu-dedicated": "true", "cpu-family": "amd-epyc", "disk": "nvme"}),
        ("cax11", {"cpu-dedicated": "false", "cpu-family": "ampere-altra", "disk": "nvme"}),
        ("cx23", {"cpu-dedicated": "false", "disk": "nvme"}),
    ],
)
def test_hardware_is_labels_that_the_user_may_overrule(kind: str, labels: dict[str, str]) -> None:
    """Each type says what it is made of; what is not known of it is not said."""
    whole = {f"federation/{key}": value for key, value in labels.items()}
    assert hardware.labels(kind) == whole
    said = {"federation/disk": "network"}
    made = cluster(pools=[pool("web", 1, labels=said)]).pools[0]
    assert hardware.labelled(made, kind).labels == whole | said


def test_hardware_of_every_type_is_in_the_vocabulary() -> None:
    """No type has a label that the settings would refuse of a cluster that exists."""
    assert [f for kind in server_types() for f in wrong(hardware.labels(kind))] == []


def test_a_tuned_pool_takes_more_pods() -> None:
    """What the kubelet is told is what the placement counts on."""
    made = cluster(pools=[pool("web", 1, profile="high-concurrency")])
    chosen = {node.name: "cpx22" for node in made.nodes()}
    (found,) = facts.cluster(made, chosen).node_classes
    assert f"max-pods={found.allocatable['pods']}" in tuning.kubelet(made.pools[0])


def test_every_type_leaves_room_for_pods() -> None:
    """What the kernel and the kubelet keep is less than what any type has, and is kept."""
    for kind in server_types().values():
        left = facts.allocatable(kind, 110)
        assert 0 < parse_quantity(left["cpu"]) < kind.cores
        assert 0 < parse_quantity(left["memory"]) < kind.memory * 2**30
