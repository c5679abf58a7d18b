"""Two decisions side by side."""

import pytest

from placement.decision import Decision
from review.decisions import Refusal, Tie, compare
from tests.unit.review.made import decided, placed

REGIONS = {"east": "eu", "west": "us", "late": "asia"}

WHY = {
    "new workload": (None, placed("web", {"east": 1}), "east"),
    "workload removed": (placed("web", {"east": 1}), None, "east"),
    "new cluster": (placed("web", {"east": 2}), placed("web", {"east": 1, "late": 1}), "late"),
    "cluster removed": (placed("web", {"east": 1, "late": 1}), placed("web", {"east": 2}), "late"),
    "refused now: Taints: as told": (
        placed("web", {"east": 1}),
        placed("web", {"west": 1}, refused={"east": "Taints"}),
        "east",
    ),
    "refused no longer: Ready": (
        placed("web", {"east": 1}, refused={"west": "Ready"}),
        placed("web", {"west": 1}, ranks={"east": 2}),
        "west",
    ),
    "rank 1 → 2, cost 10 → 12.5": (
        placed("web", {"east": 1}, ranks={"west": 2}, cost={"east": 10.0, "west": 11.0}),
        placed("web", {"west": 1}, ranks={"east": 2}, cost={"east": 12.5, "west": 11.0}),
        "east",
    ),
    "replicas asked for: 1 → 3": (placed("web", {"east": 1}), placed("web", {"east": 3}), "east"),
    "follows from the rest: capacity, spread, other clusters": (
        placed("web", {"east": 2}, ranks={"west": 1}),
        placed("web", {"east": 1, "west": 1}),
        "east",
    ),
}


@pytest.mark.parametrize("why", WHY)
def test_request_10_a_move_says_what_changed(why: str) -> None:
    """Of each cluster whose replicas change, the first reason that explains it is told."""
    old, new, cluster = WHY[why]
    before = decided(*([old] if old else [placed("other", {"west": 1})]))
    after = decided(*([new] if new else [placed("other", {"west": 1})]))
    reasons = {(m.workload, m.cluster): m.why for m in compare(before, after, REGIONS).moves}
    assert reasons["web", cluster] == why


def test_a_worse_figure_explains_no_gain() -> None:
    """A cluster that became dearer and gets more replicas does so for another reason."""
    cheap, dear = ({"east": cost, "west": 9.0} for cost in (1.0, 2.0))
    before = decided(placed("web", {"east": 1, "west": 1}, cost=cheap))
    after = decided(placed("web", {"east": 2}, cost=dear, refused={"west": "Taints"}))
    reasons = {move.cluster: move.why for move in compare(before, after, REGIONS).moves}
    assert reasons["east"] == "follows from the rest: capacity, spread, other clusters"


def test_request_13_what_stays_is_not_told() -> None:
    """Equal decisions have no moves, no reasons, no new or lost clusters; totals stand with 0."""
    same = decided(placed("web", {"east": 1}, refused={"west": "Taints"}), cost=5.0)
    found = compare(same, same, REGIONS)
    assert (found.moves, found.refusals, found.new_clusters, found.lost_clusters) == (
        (),
        (),
        (),
        (),
    )
    assert [total.delta for total in found.totals] == [0.0]


def test_reasons_are_new_or_lost() -> None:
    """A refusal that comes or goes is told with its filter, whether replicas move or not."""
    before = decided(placed("web", {"east": 1}, refused={"west": "Ready"}))
    after = decided(placed("web", {"east": 1}, ranks={"west": 2}, refused={}))
    lost = Refusal("web", "west", new=False, filter="Ready", detail="as told")
    assert compare(before, after, REGIONS).refusals == (lost,)
    back = Refusal("web", "west", new=True, filter="Ready", detail="as told")
    assert compare(after, before, REGIONS).refusals == (back,)


def test_a_changed_filter_is_one_new_reason() -> None:
    """A cluster refused before and now, for another reason, is refused for the new one."""
    before = decided(placed("web", {"east": 1}, refused={"west": "Ready"}))
    after = decided(placed("web", {"east": 1}, refused={"west": "Taints"}))
    (refusal,) = compare(before, after, REGIONS).refusals
    assert (refusal.new, refusal.filter) == (True, "Taints")


def test_request_06_ties_are_told_where_they_were_broken() -> None:
    """Equal ranks are a tie where some of them hold replicas and some do not."""
    broken = decided(placed("web", {"east": 2}, ranks={"east": 1, "west": 1, "late": 2}))
    assert compare(None, broken, REGIONS).ties == (Tie("web", ("east", "west"), ("east",)),)
    shared = decided(placed("web", {"east": 1, "west": 1}))
    assert compare(None, shared, REGIONS).ties == ()


def test_a_region_that_loses_its_last_replica_is_told() -> None:
    """The last replica of any workload counts, not of one."""
    before = decided(placed("web", {"east": 1}), placed("api", {"east": 1}))
    half = decided(placed("web", {"west": 1}), placed("api", {"east": 1}))
    none = decided(placed("web", {"west": 1}), placed("api", {"west": 1}))
    assert compare(before, half, REGIONS).emptied_regions == ()
    assert compare(before, none, REGIONS).emptied_regions == ("eu",)


@pytest.mark.parametrize("before", [None, decided(cost=None)], ids=["first", "unknown"])
def test_an_unknown_total_has_no_difference(before: Decision | None) -> None:
    """What was unknown, or not there, is not 0."""
    (total,) = compare(before, decided(cost=7.0), REGIONS).totals
    assert (total.before, total.after, total.delta) == (None, 7.0, None)
