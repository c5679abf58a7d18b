"""Each baseline places as it says, and the judge says what that is worth."""

from typing import Any

import pytest

from bench.baselines.eligible import eligible
from bench.baselines.methods import BASELINES, Method, engine
from bench.judge.judge import Verdict, judge
from bench.static.price import price
from placement.federation import Federation
from placement.plan import plan
from tests.unit.federations import Plain, cluster, federation, latency, node_class, workload

_BY_NAME = {method.name: method for method in BASELINES}


def _two(**changes: Any) -> list[Plain]:
    """A cheap cluster of one node of 4 CPU and a dear one of three."""
    return [
        cluster("cheap", node_class(count=1), price=40, **changes),
        cluster("dear", node_class(count=3), price=100, **changes),
    ]


def _placed(name: str, given: Federation) -> dict[str, int]:
    return dict(_BY_NAME[name].place(given, eligible(given)).get("default/w", {}))


def _fixed(counts: dict[str, dict[str, int]]) -> Method:
    """A method that answers *counts*."""
    return engine(lambda _: counts)


def _verdict(given: Federation, counts: dict[str, dict[str, int]]) -> Verdict:
    return judge(given, eligible(given), _fixed(counts))


@pytest.mark.parametrize(
    ("name", "placed"),
    [
        ("even static split", {"cheap": 4, "dear": 4}),  # Karmada's even weights
        ("dynamic weight", {"cheap": 2, "dear": 6}),  # by free capacity, 4 to 12
        ("aggregated", {"dear": 8}),  # the largest cluster first
        ("greedy best fit", {"cheap": 4, "dear": 4}),  # the first of equally tight nodes
        ("plain MIP", {"cheap": 4, "dear": 4}),  # the cheap one to the brim
    ],
)
def test_where_each_method_places(name: str, placed: dict[str, int]) -> None:
    """Eight replicas of one CPU over a cheap cluster with four and a dear one with twelve."""
    assert _placed(name, federation(_two(), [workload("w", 8)])) == placed


def test_static_weights_ignore_what_is_full() -> None:
    """An even split puts half on a cluster that does not hold it; dynamic weight does not."""
    given = federation(_two(), [workload("w", 12)])
    can = eligible(given)
    even = judge(given, can, _BY_NAME["even static split"])
    dynamic = judge(given, can, _BY_NAME["dynamic weight"])
    assert (even.crowded, even.running) == (2, 10)
    assert (dynamic.crowded, dynamic.running) == (0, 12)


def test_later_workloads_see_what_earlier_ones_took() -> None:
    """Karmada's dynamic weight divides the second workload by what the first left free."""
    given = federation(_two(), [workload("v", 4, affinity={"clusterNames": ["cheap"]}),
                                workload("w", 6)])  # fmt: skip
    assert _placed("dynamic weight", given) == {"dear": 6}


def test_what_karmada_cannot_divide_is_unplaced() -> None:
    """Where capacity is short, dynamic weight places nothing of the workload."""
    given = federation(_two(), [workload("w", 17)])
    verdict = judge(given, eligible(given), _BY_NAME["dynamic weight"])
    assert (verdict.unplaced, verdict.running) == (17, 0)


def test_spread_goes_into_the_policy() -> None:
    """Dynamic weight keeps to one region where the policy says so; static weights never look."""
    given = federation(_two(), [workload("w", 4, spread={"region": {"maxGroups": 1}})])
    assert len(_placed("dynamic weight", given)) == 1
    assert _placed("even static split", given) == {"cheap": 2, "dear": 2}


def test_the_judge_counts_what_is_broken() -> None:
    """A replica without a node, a spread not met and a replica without a cluster are told apart."""
    given = federation(_two(), [workload("w", 6, spread={"cluster": {"minGroups": 2}})])
    assert _verdict(given, {"default/w": {"cheap": 3, "dear": 3}}).running == 6
    alone = _verdict(given, {"default/w": {"dear": 6}})
    assert (alone.spread, alone.crowded, alone.unplaced) == (1, 0, 0)
    crowded = _verdict(given, {"default/w": {"cheap": 5, "dear": 1}})
    assert (crowded.spread, crowded.crowded, crowded.running) == (0, 1, 5)
    short = _verdict(given, {"default/w": {"cheap": 2, "dear": 3}})
    assert (short.unplaced, short.running, short.spread) == (1, 5, 0)


def test_the_judge_counts_who_is_not_with_its_neighbour() -> None:
    """Being with another workload is a rule of the one that asks; who is not placed whole has none.

    The other one may be autoscaled, and may have been given no cluster at all.
    """
    together = {"workloadAffinity": [{"workload": "default/v"}]}
    others = [workload("v", {"min": 1, "max": 2})]
    given = federation(_two(), [workload("w", 2, **together), *others])
    near = {"default/w": {"dear": 2}, "default/v": {"dear": 2}}
    assert _verdict(given, near).rules == 0
    assert _verdict(given, {**near, "default/v": {"cheap": 2}}).rules == 1
    assert _verdict(given, {**near, "default/v": {}}).rules == 1
    assert _verdict(given, {"default/w": {"dear": 1}, "default/v": {"cheap": 2}}).rules == 0


def test_the_judge_charges_shares_of_nodes() -> None:
    """A replica of a quarter of a node costs a quarter of its price, on the cheapest class."""
    clusters = [cluster("c", node_class("a", count=1), node_class("b", count=1), price=80)]
    dear = {"cluster": "c", "nodeClass": "b", "amount": "200", "currency": "EUR", "vat": "net",
            "per": "month", "source": "by hand", "date": "2026-08-14"}  # fmt: skip
    given = federation(clusters, [workload("w", 6)], prices=[dear])
    # Four replicas fit the cheap class, two go to the other.
    assert _verdict(given, {"default/w": {"c": 6}}).cost == pytest.approx(4 * 20 + 2 * 50)


def test_the_judge_measures_users() -> None:
    """Half of the users near, half far: each half served by the replicas nearest to it."""
    sites = latency({"a": {"cheap": 10, "dear": 50}, "b": {"cheap": 70, "dear": 20}})
    demand = [{"region": "a", "share": 1}, {"region": "b", "share": 1}]
    given = federation(_two(), [workload("w", 4, demand=demand)], latency=sites)
    assert _verdict(given, {"default/w": {"cheap": 2, "dear": 2}}).latency == pytest.approx(15)
    assert _verdict(given, {"default/w": {"dear": 4}}).latency == pytest.approx(35)


def test_a_promise_is_broken_where_the_rest_is_too_small() -> None:
    """Of two losses, the one after which four replicas do not fit the cheap cluster breaks it."""
    given = federation(_two(), [workload("w", 5, survive={"loss": "cluster"}), workload("v", 1)])
    counts = {"default/w": {"cheap": 2, "dear": 3}, "default/v": {"dear": 1}}
    verdict = _verdict(given, counts)
    assert (verdict.losses, verdict.promises) == (1, 2)


def test_after_a_loss_dynamic_weight_looks_anew() -> None:
    """Karmada divides what was lost by free capacity, and the promise holds where there is room."""
    wide = [*_two(), cluster("third", node_class(count=3), price=90)]
    given = federation(wide, [workload("w", 6, survive={"loss": "cluster"})])
    verdict = judge(given, eligible(given), _BY_NAME["dynamic weight"])
    assert (verdict.losses, verdict.promises) == (0, 3)


def test_the_engine_breaks_nothing() -> None:
    """Where placements exist, the engine's has no violation and costs no more than any other's."""
    given = federation(_two(), [workload("w", 8, spread={"cluster": {"minGroups": 2}})])
    can = eligible(given)
    ours = judge(given, can, engine(lambda f: plan(f).counts))
    assert (ours.unplaced, ours.crowded, ours.spread, ours.rules) == (0, 0, 0, 0)
    for method in BASELINES:
        other = judge(given, can, method)
        assert other.running < ours.running or other.spread or ours.cost <= other.cost + 1e-6


def test_the_price_of_a_static_split() -> None:
    """What a split costs, what the optimum saves, and the most that could be saved."""
    given = federation(
        _two(), [workload("w", 8), workload("v", 2, affinity={"clusterNames": ["dear"]})]
    )
    found = price("two", given, effort=3)
    # Shares of a node: 10 on the cheap cluster, 25 on the dear one.
    assert found.static == pytest.approx(4 * 10 + 4 * 25 + 2 * 25)
    assert found.saving == pytest.approx(0)
    assert found.possible == pytest.approx(1 - (8 * 10 + 2 * 25) / 190)
    assert found.pinned == pytest.approx(50 / 190)
    assert found.crowded == 0
