"""What Karmada makes of a loss, by hand."""

from placement.failure import Standing, divided_after, losses
from placement.federation import Federation
from tests.unit.federations import Plain, cluster, federation, node_class, workload


def _three(*given: Plain) -> Federation:
    clusters = [
        cluster("a", node_class(count=2), region="r"),
        cluster("b", region="r"),
        cluster("c", region="s"),
    ]
    return federation(clusters, list(given))


def test_losses_are_each_cluster_and_each_region() -> None:
    """Three clusters in two regions are five losses; a region takes all its clusters."""
    found = {f"{loss.kind}/{loss.name}": set(loss.clusters) for loss in losses(_three())}
    assert found == {
        "cluster/a": {"a"},
        "cluster/b": {"b"},
        "cluster/c": {"c"},
        "region/r": {"a", "b"},
        "region/s": {"c"},
    }


def test_the_weights_of_who_is_left_divide_all_replicas() -> None:
    """Of 5, 3 and 2 the loss of the 5 leaves 3:2 for ten: six and four."""
    workload_ = _three(workload("w", 10)).workloads[0]
    assert divided_after(workload_, {"a": 5, "b": 3, "c": 2}, frozenset("a")) == {"b": 6, "c": 4}


def test_equal_weights_after_a_loss_do_not_tie() -> None:
    """Two, two and one: what is left of 2 and 1 for five is 3 and 2, whatever the UID."""
    workload_ = _three(workload("w", 5)).workloads[0]
    assert divided_after(workload_, {"a": 2, "b": 2, "c": 1}, frozenset("a")) == {"b": 3, "c": 2}


def test_nobody_left() -> None:
    """On a single cluster nothing is left to divide over: all are pending."""
    given = _three(workload("w", 2))
    loss = next(loss for loss in losses(given) if loss.name == "a")
    aftermath = Standing(given, {"default/w": {"a": 2}}).after(loss)
    assert aftermath.counts == {"default/w": {}}
    assert aftermath.pending == {"default/w": 2}


def test_stateful_workloads_are_not_moved() -> None:
    """What a stateful workload had on the lost cluster is missing, the rest stays."""
    given = _three(workload("w", 3, stateful=True))
    loss = next(loss for loss in losses(given) if loss.name == "a")
    aftermath = Standing(given, {"default/w": {"a": 2, "b": 1}}).after(loss)
    assert aftermath.counts == {"default/w": {"b": 1}}
    assert aftermath.pending == {"default/w": 2}


def test_karmada_does_not_look_at_capacity() -> None:
    """Eight CPU move to a cluster of four: four replicas are pending and it is crowded."""
    given = _three(workload("w", 8))
    loss = next(loss for loss in losses(given) if loss.name == "a")
    aftermath = Standing(given, {"default/w": {"a": 6, "b": 2}}).after(loss)
    assert aftermath.counts == {"default/w": {"b": 8}}
    assert aftermath.pending == {"default/w": 4}
    assert aftermath.crowded == {"b": {"default/w": 4}}


def test_lower_classes_give_way() -> None:
    """What arrives as critical preempts batch work that was there."""
    given = _three(
        workload("w", 4, **{"class": "critical"}), workload("v", 4, **{"class": "batch"})
    )
    loss = next(loss for loss in losses(given) if loss.name == "a")
    counts = {"default/w": {"a": 2, "b": 2}, "default/v": {"b": 2, "c": 2}}
    aftermath = Standing(given, counts).after(loss)
    assert aftermath.counts == {"default/w": {"b": 4}}
    assert aftermath.pending == {"default/v": 2}


def test_untouched_clusters_are_not_blamed() -> None:
    """A loss that moves nothing to a cluster leaves it out of the account."""
    given = _three(workload("w", 2), workload("v", 1))
    loss = next(loss for loss in losses(given) if loss.name == "c")
    aftermath = Standing(given, {"default/w": {"a": 2}, "default/v": {"b": 1}}).after(loss)
    assert (aftermath.counts, aftermath.pending, aftermath.crowded) == ({}, {}, {})
