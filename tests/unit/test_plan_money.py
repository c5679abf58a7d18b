"""Small federations whose right placement is found by hand: what providers charge.

Egress by region, capped months, spot nodes.
"""

from decimal import Decimal

import pytest

from placement.check import violations
from placement.federation import Federation
from tests.unit.deciding import counts_of, decide
from tests.unit.federations import Plain, cluster, federation, node_class, price, workload

_SOURCE = {"currency": "EUR", "vat": "net", "source": "by hand", "date": "2026-08-14"}


def _egress(region: str, amount: str, *to: str) -> Plain:
    return {"region": region, "to": list(to), "amount": amount, **_SOURCE}


_TWO = [cluster("a", price=10), cluster("b", price=20)]
_DATA = {"name": "set", "region": "b", "gigabytesPerMonth": "100"}


@pytest.mark.parametrize(
    ("direction", "egress", "where"),
    [
        # A replica is 2.50 EUR dearer beside its data in b.
        ("read", [_egress("b", "0.02"), _egress("a", "9")], {"a": 2}),
        ("read", [_egress("b", "0.03"), _egress("a", "0")], {"b": 2}),
        ("write", [_egress("b", "9"), _egress("a", "0.02")], {"a": 2}),
        ("write", [_egress("b", "0"), _egress("a", "0.03")], {"b": 2}),
        ("read", [_egress("b", "0.02", "a"), _egress("b", "9")], {"a": 2}),
        ("read", [_egress("b", "0.02", "c"), _egress("b", "9")], {"b": 2}),
    ],
)
def test_egress_is_charged_to_the_region_that_data_leaves(
    direction: str, egress: list[Plain], where: dict[str, int]
) -> None:
    """What is read leaves the data's region, what is written the cluster's; first fact wins."""
    given = workload("w", 2, data=[{**_DATA, "direction": direction}])
    assert counts_of(decide(_TWO, [given], egress=egress)) == where


def test_the_cost_shows_the_egress() -> None:
    """Two replicas on a quarter of a 10 EUR node each, and 100 GB each at 2 cents."""
    decision = decide(_TWO, [workload("w", 2, data=[_DATA])], egress=[_egress("b", "0.02")])
    assert decision.objective[0].value == pytest.approx(2 * 2.5 + 2 * 2)


def test_users_pull_an_equal_share_of_each_replica() -> None:
    """600 GB a month over two replicas: 300 GB each to the internet, 3 EUR at a cent."""
    given = workload("w", 2, trafficGigabytesPerMonth="600")
    egress = [_egress("a", "0.01", "internet"), _egress("b", "0", "internet")]
    decision = decide(_TWO, [given], egress=egress)
    assert counts_of(decision) == {"b": 2}
    decision = decide(_TWO[:1], [given], egress=egress)
    assert decision.objective[0].value == pytest.approx(5 + 6)


def test_an_unknown_egress_price_is_not_zero() -> None:
    """Where prices are stated and none matches, the cost is unknown and the cluster refused."""
    decision = decide(_TWO, [workload("w", 1, data=[_DATA])], egress=[_egress("a", "1")])
    assert counts_of(decision) == {"b": 1}
    (refused,) = decision.workload("default/w").refused
    assert (refused.cluster, refused.filter) == ("a", "Facts")
    assert "cost" in refused.detail


def test_egress_counts_against_a_budget() -> None:
    """The nodes cost 5 EUR and the traffic 4: a budget of 8 EUR is passed, one of 9 is kept."""
    changes: Plain = {"egress": [_egress("b", "0.02")]}
    counts = {"default/w": {"a": 2}}

    def given(amount: str) -> Federation:
        budget = {"name": "all", "money": {"amount": amount, "currency": "EUR"}}
        return federation(_TWO, [workload("w", 2, data=[_DATA])], budgets=[budget], **changes)

    assert violations(given("9"), counts) == []
    assert [v.rule for v in violations(given("8"), counts)] == ["money"]


def test_a_month_costs_no_more_than_its_cap() -> None:
    """An hour at 2 cents is 14.60 EUR a month; capped at 12 the cluster is the cheaper one."""
    clusters = [cluster("hourly", price=None), cluster("monthly", price=13)]
    for cap, where in (({}, "monthly"), ({"monthCap": "12"}, "hourly")):
        hourly = price("hourly", "0.02", per="hour", **cap)
        decision = decide(clusters, [workload("w", 4)], prices=[hourly])
        assert counts_of(decision) == {where: 4}


def test_a_capped_price_in_exact_arithmetic() -> None:
    """730 hours at 0.01 are 7.30; a cap above that changes nothing."""
    hourly = price("a", "0.01", per="hour", monthCap="8")
    given = federation([cluster("a", price=None)], [], prices=[hourly])
    assert given.prices[0].per_month == Decimal("7.30")


_SPOT = {"key": "spot", "value": "true", "effect": "NoSchedule"}
_BEARS = [{**_SPOT, "operator": "Equal"}]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"class": "batch"}, "spot"),
        ({"class": "standard"}, "spot"),
        ({"class": "critical", "acceptSingleContinent": True}, "lasting"),
        ({"class": "standard", "stateful": True}, "lasting"),
    ],
)
def test_spot_nodes_are_for_what_may_be_interrupted(changes: Plain, where: str) -> None:
    """Cheap spot nodes take batch and standard, never critical or stateful workloads."""
    clusters = [
        cluster("spot", node_class(spot=True, taints=[_SPOT]), price=1),
        cluster("lasting", price=50),
    ]
    given = workload("w", 2, tolerations=_BEARS, **changes)
    decision = decide(clusters, [given])
    assert counts_of(decision) == {where: 2}
    if where == "lasting":
        assert "spot nodes" in decision.workload("default/w").refused[0].detail


def test_the_check_puts_no_critical_replica_on_spot_nodes() -> None:
    """Two lasting CPUs and four spot ones hold two critical replicas, not three."""
    nodes = [node_class("n", cpu=2), node_class("s", spot=True, taints=[_SPOT])]
    given = workload(
        "w", 3, tolerations=_BEARS, **{"class": "critical"}, acceptSingleContinent=True
    )
    found = violations(federation([cluster("a", *nodes)], [given]), {"default/w": {"a": 3}})
    assert [v.rule for v in found] == ["capacity"]
    batch = workload("w", 3, tolerations=_BEARS, **{"class": "batch"})
    assert violations(federation([cluster("a", *nodes)], [batch]), {"default/w": {"a": 3}}) == []
