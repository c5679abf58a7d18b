"""What a loss brings, and when."""

from hypothesis import given, settings
from hypothesis import strategies as st

from placement.emit import DETECTION
from review.changes import Division
from review.losses import evictions, losses
from tests.unit.review.made import decided, placed

BORNE = st.lists(st.integers(min_value=0, max_value=600), max_size=40)


def test_request_44_three_at_once_and_then_three_in_two_seconds() -> None:
    """Seven workloads without a toleration: three, three and one, two seconds apart."""
    times = [time - DETECTION for time in evictions([0] * 7)]
    assert times == [0, 0, 0, 2, 2, 2, 4]


def test_what_is_due_later_waits_for_nobody_that_has_rested() -> None:
    """A toleration that runs out after the queue has emptied is not delayed by it."""
    assert evictions([0, 0, 0, 0, 270]) == [30, 30, 30, 32, 300]


@settings(derandomize=True, deadline=None)
@given(BORNE)
def test_evictions_obey_detection_toleration_and_rate(tolerated: list[int]) -> None:
    """Nothing goes before it is due, and in no two seconds do more than three workloads go."""
    times = evictions(tolerated)
    for due, time in zip(sorted(tolerated), times, strict=True):
        assert time >= DETECTION + due
    for first, fourth in zip(times, times[3:], strict=False):
        assert fourth - first >= 2


def test_a_loss_counts_moves_places_and_time() -> None:
    """Moved replicas are what the others gain; those without a place are told with the past."""
    before = decided(placed("web", {"east": 2, "west": 2}, lost={"cluster/east": ({"west": 4}, 0)}))
    after = decided(
        placed("web", {"east": 3, "west": 1}, lost={"cluster/east": ({"west": 4}, 1)}),
        placed("db", {"east": 1}, lost={"cluster/east": ({}, 1)}),
    )
    divisions = {"web": Division(tolerated=270), "db": Division(tolerated=None)}
    (loss,) = losses(before, after, divisions, {"east": "eu", "west": "us"})
    assert (loss.lost, loss.workloads, loss.moved) == ("cluster/east", 2, 3)
    assert (dict(loss.pending), loss.pending_before) == ({"web": 1, "db": 1}, 0)
    assert loss.stays == ("db",)
    assert (loss.detected, loss.first, loss.last) == (30, 300, 300)


def test_a_region_of_one_cluster_is_lost_with_it() -> None:
    """Only a region of several clusters has a row of its own."""
    lost = {name: ({"far": 1}, 0) for name in ("cluster/a", "cluster/b", "region/eu", "region/us")}
    after = decided(placed("web", {"a": 1, "b": 1, "far": 1}, lost=lost))
    found = losses(None, after, {}, {"a": "eu", "b": "eu", "far": "us"})
    assert [loss.lost for loss in found] == ["cluster/a", "cluster/b", "region/eu"]
