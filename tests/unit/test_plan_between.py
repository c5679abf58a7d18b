"""Small federations whose right placement is found by hand: what concerns several workloads.

Neighbours, budgets, reserves, moves, and the totals of an autoscaled workload.
"""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from placement.__main__ import placement
from placement.check import violations
from placement.check.budget import spent
from placement.division import webster
from placement.federation import load
from placement.plan import plan
from tests.unit.deciding import BIG, WORLD, cheap_and_dear, counts_of, decide
from tests.unit.federations import Plain, cluster, federation, node_class, workload


def _with(other: str, level: str = "cluster") -> list[Plain]:
    return [{"workload": f"default/{other}", "level": level}]


@pytest.mark.parametrize(
    ("level", "where"), [("cluster", "de-1"), ("region", "de-1"), ("continent", "fr-1")]
)
def test_affinity_follows_the_other_workload(level: str, where: str) -> None:
    """A workload goes where the other one is held, by cluster, region or continent."""
    held = workload("db", 1, affinity={"clusterNames": ["de-1"]})
    given = workload("w", 2, workloadAffinity=_with("db", level))
    assert counts_of(decide(WORLD, [given, held])) == {where: 2}


def test_affinity_draws_the_other_workload_along() -> None:
    """Where the follower is held, the followed one goes as well: the two are placed together."""
    given = workload("w", 1, affinity={"clusterNames": ["us-1"]}, workloadAffinity=_with("db"))
    decision = decide(WORLD, [given, workload("db", 1)])
    assert counts_of(decision, "db") == {"us-1": 1}


def test_affinity_counts_where_the_other_is_at_its_minimum() -> None:
    """Of one to five replicas the second cluster has none at one: it is no place to follow to."""
    clusters = [cluster("a", node_class(cpu=3), price=10), cluster("b", node_class(cpu=9))]
    followed = workload("db", {"min": 1, "max": 5}, atMost={"a": 2})
    given = workload("w", 1, workloadAffinity=_with("db"))
    decision = decide(clusters, [given, followed])
    assert counts_of(decision, "db") == {"a": 2, "b": 3}
    assert counts_of(decision) == {"b": 1}


@pytest.mark.parametrize(
    ("level", "where"),
    [("cluster", "fr-2"), ("region", "de-1"), ("provider", "fr-2"), ("continent", "us-1")],
)
def test_anti_affinity_shares_no_group(level: str, where: str) -> None:
    """A workload takes the cheapest place outside the other one's group of each level."""
    held = workload("db", 1, affinity={"clusterNames": ["fr-1"]})
    given = workload("w", 1, workloadAntiAffinity=_with("db", level))
    assert counts_of(decide(WORLD, [given, held])) == {where: 1}


def test_apart_from_each_other_without_room_is_refused() -> None:
    """Two workloads that must be apart find no placement on one cluster."""
    given = workload("w", 1, workloadAntiAffinity=_with("v"))
    decision = decide([cluster("a")], [given, workload("v", 1)])
    assert decision.status == "infeasible"


def test_budget_moves_a_workload_to_where_it_is_paid_for() -> None:
    """Near costs 110 where far costs 100: within a budget of 52 half of them may be near."""
    sites = {"near": {"near": 1, "far": 80}, "far": {"near": 80, "far": 1}}
    clusters = [cluster("far", price=100), cluster("near", price=110)]
    users = [{"region": "near", "share": 1}]
    changes: Plain = {
        "latency": {
            "source": "by hand",
            "date": "2026-08-14",
            "statistic": "mean",
            "sites": {name: {"site": name} for name in sites},
            "roundTrip": sites,
        },
        "objective": {"lexicographic": [{"term": "latency"}]},
    }
    given = [workload("w", 2, demand=users)]
    assert counts_of(decide(clusters, given, **changes)) == {"near": 2}
    money = {"amount": "52.5", "currency": "EUR"}
    changes["budgets"] = [{"name": "team", "workloads": ["default/*"], "money": money}]
    assert counts_of(decide(clusters, given, **changes)) == {"far": 1, "near": 1}


def test_a_budget_that_nothing_meets_is_refused() -> None:
    """Four replicas cost 100 at the least; 99 do not pay them, 100 do."""
    clusters = [cluster("a", price=100)]
    for amount, status in (("99", "infeasible"), ("100", "optimal")):
        budget = {"name": "all", "money": {"amount": amount, "currency": "EUR"}}
        decision = decide(clusters, [workload("w", 4)], budgets=[budget])
        assert decision.status == status


def test_budget_of_carbon() -> None:
    """The cheap grid is dirty: a budget of carbon sends away as many replicas as it must."""
    power = [
        {"resource": r, "watts": watts, "source": "by hand", "date": "2026-08-14"}
        for r, watts in (("cpu", "10"), ("memory", "0"))
    ]
    intensity = [
        {
            "region": r,
            "gramsPerKilowattHour": g,
            "basis": "average",
            "source": "by hand",
            "date": "2026-08-14",
        }
        for r, g in (("cheap", "1000"), ("dear", "0"))
    ]
    # 10 W for 730 h are 7.3 kWh: 7.3 kg a replica on the cheap cluster.
    decision = decide(
        cheap_and_dear(),
        [workload("w", 5)],
        carbon={"power": power, "intensity": intensity},
        budgets=[{"name": "grid", "carbon": "22"}],
    )
    assert counts_of(decision) == {"cheap": 3, "dear": 2}


def test_an_unknown_price_under_a_budget_refuses_the_cluster() -> None:
    """What a budget counts must be known, also where the objective does not weigh it."""
    clusters = [cluster("unknown", price=None), cluster("known", price=10)]
    budget = {"name": "all", "money": {"amount": "99", "currency": "EUR"}}
    changes: Plain = {"objective": {"lexicographic": [{"term": "fit"}]}, "budgets": [budget]}
    decision = decide(clusters, [workload("w", 2)], **changes)
    assert counts_of(decision) == {"known": 2}
    (refused,) = decision.workload("default/w").refused
    assert (refused.cluster, refused.filter) == ("unknown", "Facts")


def test_reserve_stays_free_over_all_node_classes() -> None:
    """Two CPUs of eight on two classes stay free: six replicas, the seventh goes elsewhere."""
    both = [node_class("n", cpu=4), node_class("m", cpu=4)]
    clusters = [
        cluster("a", *both, price=10, reserve={"cpu": "2"}),
        cluster("b", price=90),
    ]
    prices: list[Plain] = [
        {
            "cluster": "a",
            "nodeClass": "m",
            "amount": "10",
            "currency": "EUR",
            "vat": "net",
            "per": "month",
            "source": "by hand",
            "date": "2026-08-14",
        }
    ]
    decision = decide(clusters, [workload("w", 7)], prices=prices)
    assert counts_of(decision) == {"a": 6, "b": 1}


_KEPT = {"default/w": {"b": 4}}


@pytest.mark.parametrize(("most", "counts"), [(0, {"b": 4}), (1, {"a": 1, "b": 3}), (9, {"a": 4})])
def test_moves_are_bounded(most: int, counts: dict[str, int]) -> None:
    """Four replicas on the dear cluster: no more of them move than may, whatever that costs."""
    clusters = [cluster("a", price=10), cluster("b", price=20)]
    objective = {"moves": {"atMost": most}}
    decision = decide(clusters, [workload("w", 4)], objective=objective, present=_KEPT)
    assert counts_of(decision) == counts


def test_more_replicas_are_no_moves() -> None:
    """Two replicas more start where it is cheap although nothing may move."""
    clusters = [cluster("a", price=10), cluster("b", node_class(cpu=8), price=20)]
    objective = {"moves": {"atMost": 0}}
    decision = decide(clusters, [workload("w", 6)], objective=objective, present=_KEPT)
    assert counts_of(decision) == {"a": 2, "b": 4}


@pytest.mark.parametrize(("threshold", "where"), [("2.4", "a"), ("2.6", "b")])
def test_no_move_below_the_threshold(threshold: str, where: str) -> None:
    """A replica saves 2.50 EUR a month on *a*: it moves for 2.40, and stays for 2.60."""
    clusters = [cluster("a", price=10), cluster("b", price=20)]
    objective = {"moves": {"threshold": {"amount": threshold, "currency": "EUR"}}}
    decision = decide(clusters, [workload("w", 4)], objective=objective, present=_KEPT)
    assert counts_of(decision) == {where: 4}


def _range(decision: Any, name: str = "default/w") -> list[tuple[int, dict[str, int]]]:
    return [(t.total, t.replicas) for t in decision.workload(name).totals]


def test_spread_holds_at_every_total_of_a_range() -> None:
    """Two regions at two of ten replicas: one replica on the dear cluster is not enough for it."""
    given = workload("w", {"min": 2, "max": 10}, spread={"region": {"minGroups": 2}})
    counts = counts_of(decide(cheap_and_dear(), [given]))
    for total in range(2, 11):
        assert all(n for n in webster(total, counts).values()), (total, counts)
    one_less = {"cheap": counts["cheap"] + 1, "dear": counts["dear"] - 1}
    assert not all(n for n in webster(2, one_less).values()), "dearer than it must be"


def test_a_range_without_a_floor_is_as_cheap_as_can_be() -> None:
    """Without a spread the minimum asks for nothing: all replicas on the cheapest."""
    given = workload("w", {"min": 2, "max": 10})
    decision = decide(cheap_and_dear(), [given])
    assert counts_of(decision) == {"cheap": 10}
    assert _range(decision) == [(2, {"cheap": 2}), (10, {"cheap": 10})]


def test_the_table_of_totals_names_each_change_in_kind() -> None:
    """Nine to one: the second cluster comes in with the fifth replica, and that total is named.

    Then 9/9 ties with 1/1, and the cluster with fewer replicas wins.
    """
    given = workload("w", {"min": 2, "max": 10}, atMost={"cheap": 9})
    decision = decide(cheap_and_dear(), [given])
    assert counts_of(decision) == {"cheap": 9, "dear": 1}
    assert _range(decision) == [
        (2, {"cheap": 2}),
        (5, {"cheap": 4, "dear": 1}),
        (10, {"cheap": 9, "dear": 1}),
    ]


def test_at_least_holds_at_the_minimum() -> None:
    """Two of four on the dear cluster are four of ten: three of ten would be one of four."""
    given = workload("w", {"min": 4, "max": 10}, atLeast={"dear": 2})
    counts = counts_of(decide(cheap_and_dear(), [given]))
    assert webster(4, counts)["dear"] == 2
    assert webster(4, {"cheap": counts["cheap"] + 1, "dear": counts["dear"] - 1})["dear"] < 2


def test_per_cluster_minimum_holds_at_every_total() -> None:
    """A cluster that is used has two replicas at every total, so none comes in with one."""
    given = workload("w", {"min": 4, "max": 12}, perCluster={"min": 2, "max": 8})
    counts = counts_of(decide(cheap_and_dear(), [given]))
    assert len(counts) == 2
    for total in range(4, 13):
        assert all(n >= 2 for n in webster(total, counts).values()), total


def test_spread_survives_a_loss_at_the_minimum() -> None:
    """After any loss two regions are still used when only three replicas run."""
    given = workload(
        "w",
        {"min": 3, "max": 9},
        spread={"region": {"minGroups": 2}},
        survive={"loss": "region", "keep": "spread"},
    )
    decision = decide(WORLD, [given])
    counts = counts_of(decision)
    for lost in counts:
        left = {name: n for name, n in counts.items() if name != lost}
        assert sum(1 for n in webster(3, left).values() if n) >= 2


def test_a_seat_that_few_clusters_make_dearer_is_found_by_cuts() -> None:
    """One replica in each zone would do among twelve clusters, and does not among four.

    17, 1, 1, 1 are 8, 0, 0, 0 at eight. Heuristic cuts alone lead to a split that keeps the zones,
    without the exact ones that the least effort leaves out.
    """
    zoned = [cluster(n, node_class(**BIG), price=200, zones=[n]) for n in "xyz"]
    plain_ones = [cluster(n, node_class(**BIG), price=100 + i) for i, n in enumerate("abcdefghi")]
    replicas = {"min": 8, "max": 20}
    given = federation(
        [*zoned, *plain_ones], [workload("w", replicas, spread={"zone": {"minGroups": 3}})]
    )
    decision = plan(given, effort=1)
    assert violations(given, decision.counts) == []
    assert decision.workload("default/w").totals[0].replicas.keys() >= {"x", "y", "z"}


def test_what_only_the_maximum_meets_is_refused() -> None:
    """Five to two hundred with four clusters of at most ten each beside a large one.

    At five replicas the small ones, each a sixteenth of the large one, have no seat.
    """
    clusters = [
        cluster("large", node_class(cpu=400, memory="1Ti", pods=400), price=1),
        *(cluster(n, node_class(cpu=10, memory="1Ti"), price=1) for n in "abcd"),
    ]
    spread = {"cluster": {"minGroups": 3}}
    given = workload("w", {"min": 5, "max": 200}, memory="1Mi", spread=spread)
    fixed = workload("w", 200, memory="1Mi", spread=spread)
    assert decide(clusters, [fixed]).status == "optimal"
    assert decide(clusters, [given]).status == "infeasible"


def test_check_divides_every_total_anew() -> None:
    """A split that keeps its spread at the maximum and not at the minimum is refused."""
    spread = {"region": {"minGroups": 2}}
    given = federation(
        [cluster(n, node_class(**BIG)) for n in "ab"],
        [workload("w", {"min": 2, "max": 10}, spread=spread)],
    )
    assert violations(given, {"default/w": {"a": 7, "b": 3}}) == []
    (found,) = violations(given, {"default/w": {"a": 9, "b": 1}})
    assert found.rule == "replicas.min: spread.region"
    assert found.detail.startswith("with 2 replicas")


def test_check_looks_for_a_neighbour_at_its_minimum() -> None:
    """At one replica of five the neighbour is on b alone: a is no place to be with it."""
    followed = workload("db", {"min": 1, "max": 5})
    given = federation(
        [cluster(n, node_class(**BIG)) for n in "ab"],
        [workload("w", 1, workloadAffinity=_with("db")), followed],
    )
    beside = {"default/db": {"a": 2, "b": 3}}
    assert violations(given, {"default/w": {"b": 1}, **beside}) == []
    (found,) = violations(given, {"default/w": {"a": 1}, **beside})
    assert found.rule == "replicas.min: workloadAffinity"


def test_the_example_of_rules() -> None:
    """The example's carts are in the regions of its checkouts at every total, within the budget."""
    given = load(Path("examples/rules.yaml"))
    decision = plan(given)
    assert decision.status == "optimal"
    assert violations(given, decision.counts) == []
    regions = {c.name: c.region for c in given.clusters}
    carts = {regions[name] for name in decision.counts["shop/cart"]}
    for at in decision.workload("shop/checkout").totals:
        checkouts = {regions[name] for name in at.replicas}
        assert len(checkouts) >= 2
        assert carts <= checkouts
    (money,) = spent(given, decision.counts)
    assert money.used is not None
    assert 0 < money.used <= money.limit


def test_the_report_says_what_is_left_of_a_budget() -> None:
    """The plan of the example has a line with what is spent and what may be."""
    run = CliRunner().invoke(placement, ["plan", "examples/rules.yaml"])
    assert "budget shop: 416.66 of 420.00 EUR/month." in run.output
    assert "    at 4 replicas: 3 destroyer-newyork, 1 gcp-us-central1" in run.output
