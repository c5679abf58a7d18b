"""Pools that an autoscaler grows, as docs/hetzner.md tells users to say them."""

import re
from pathlib import Path

import pytest
import yaml

from tests.unit.deciding import decide
from tests.unit.federations import Plain, cluster, node_class, price, workload

PAGE = Path(__file__).parents[3] / "docs" / "hetzner.md"
TOLERATED = [{"key": "burst", "operator": "Exists"}]


def burst() -> Plain:
    """The node class that the page shows."""
    (block,) = re.findall(r"```yaml\n(nodeClasses:\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (found,) = yaml.safe_load(block)["nodeClasses"]
    plain: Plain = found
    return plain


@pytest.mark.parametrize(
    ("changes", "placed"),
    [
        ({"tolerations": TOLERATED}, True),
        ({}, False),
        ({"tolerations": TOLERATED, "stateful": True}, False),
        ({"tolerations": TOLERATED, "class": "critical", "acceptSingleContinent": True}, False),
    ],
    ids=["tolerates", "tolerates-nothing", "stateful", "critical"],
)
def test_an_autoscaled_class_is_capacity_for_those_who_may(changes: Plain, placed: bool) -> None:
    """Twelve pods of two cores: four fit what is always there, and the rest what may come."""
    here = cluster("here", node_class("always", cpu=8), burst())
    prices = [price("here", 90, "burst")]
    for replicas, found in ((4, True), (12, placed)):
        decision = decide([here], [workload("w", replicas, cpu=2, **changes)], prices=prices)
        assert (decision.status != "infeasible") is found


def test_it_costs_what_is_used_of_it_at_its_own_price() -> None:
    """A workload that needs it goes where that is cheaper, as with any class."""
    classes = [node_class("always", cpu=2), burst()]
    dear, cheap = (cluster(name, *classes, price=1) for name in ("dear", "cheap"))
    prices = [price("dear", 900, "burst"), price("cheap", 90, "burst")]
    wanted = [workload("w", 4, cpu=2, tolerations=TOLERATED)]
    decision = decide([dear, cheap], wanted, prices=prices)
    counts = decision.counts["default/w"]
    assert counts["cheap"] >= 3
