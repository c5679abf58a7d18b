"""A backup is the best cluster that has room when every cluster of a workload is lost."""

from typing import Any

import pytest

from placement.backup import backups
from placement.decision import AfterLoss, Decision, read
from placement.plan import plan
from tests.unit.deciding import decide
from tests.unit.federations import Plain, cluster, federation, node_class, workload


def one(name: str, price: int, **changes: Any) -> Plain:
    """A cluster of one node of 4 CPU at *price*."""
    return cluster(name, node_class(), price=price, **changes)


def chosen(decision: Decision, name: str = "w") -> tuple[str, ...]:
    """The backups of a workload."""
    return decision.workload(f"default/{name}").backups


def test_the_next_best_takes_over() -> None:
    """The second by rank is the backup, and the failure table has it."""
    decision = decide([one("a", 1), one("b", 3), one("c", 2)], [workload("w", 2)])
    assert decision.counts["default/w"] == {"a": 2}
    assert chosen(decision) == ("c",)
    assert decision.workload("default/w").after_loss == (
        AfterLoss("cluster/a", {"c": 2}, 0),
        AfterLoss("region/a", {"c": 2}, 0),
    )


def test_another_region_comes_first() -> None:
    """A cluster of the same region goes with it when the region is lost."""
    clusters = [one("a", 1, region="r"), one("b", 2, region="r"), one("c", 3)]
    decision = decide(clusters, [workload("w", 2)])
    assert chosen(decision) == ("c",)
    decision = decide(clusters[:2], [workload("w", 2)])
    assert chosen(decision) == ("b",)
    lost = {entry.lost: entry.pending for entry in decision.workload("default/w").after_loss}
    assert lost == {"cluster/a": 0, "region/r": 2}


def test_a_backup_has_room() -> None:
    """Where the next best is full, the one after it is taken; where all are, none."""
    full = workload("v", 4, affinity={"clusterNames": ["b"]}, stateful=True)
    clusters = [one("a", 1), one("b", 2), one("c", 3)]
    decision = decide(clusters, [workload("w", 2), full])
    assert decision.counts["default/v"] == {"b": 4}
    assert chosen(decision) == ("c",)
    assert chosen(decide(clusters[:2], [workload("w", 2), full])) == ()


def test_room_is_counted_with_what_moves_besides() -> None:
    """Of two workloads that lose the same cluster, the more important one gets the room."""
    lesser = workload("batch", 3, **{"class": "batch"})
    greater = workload("std", 3)
    nodes = node_class(count=2)
    decision = decide([cluster("a", nodes, price=1), one("b", 2)], [lesser, greater])
    assert decision.counts == {"default/batch": {"a": 3}, "default/std": {"a": 3}}
    assert chosen(decision, "std") == ("b",)
    assert chosen(decision, "batch") == ()


def test_a_backup_displaces_nobody() -> None:
    """What runs on a cluster is not pushed out of it, even where it is less important."""
    there = workload("batch", 4, affinity={"clusterNames": ["b"]}, **{"class": "batch"})
    decision = decide([one("a", 1), one("b", 2)], [workload("w", 2), there])
    assert chosen(decision) == ()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"backups": ["b", "c"]}, ("b", "c")),
        ({"backups": []}, ()),
        ({"atMost": {"c": 1}}, ("b",)),
        ({"residency": ["eu"]}, ()),
        ({"stateful": True}, ()),
    ],
    ids=["named", "none-wanted", "at-most", "residency", "stateful"],
)
def test_what_the_file_says_of_backups(changes: Plain, expected: tuple[str, ...]) -> None:
    """Named ones in their order; only where the workload may run, and whole."""
    clusters = [one("a", 1, jurisdiction="eu"), one("b", 3), one("c", 2)]
    assert chosen(decide(clusters, [workload("w", 2, **changes)])) == expected


def test_named_backups_of_a_divided_workload() -> None:
    """They take all of it once nothing of the chosen clusters is left."""
    spread = {"cluster": {"minGroups": 2}}
    clusters = [one("a", 1, region="r"), one("b", 2, region="r"), one("c", 3)]
    given = workload("w", 4, spread=spread, backups=["c"])
    decision = decide(clusters, [given])
    after = {entry.lost: entry.replicas for entry in decision.workload("default/w").after_loss}
    assert after["region/r"] == {"c": 4}
    assert set(after["cluster/a"]) == {"b"}
    assert chosen(decide(clusters, [workload("w", 4, spread=spread)])) == ()


def test_a_decision_keeps_its_backups() -> None:
    """They come back from JSON; a decision of before they existed has none."""
    decision = decide([one("a", 1), one("b", 2)], [workload("w", 2)])
    document = decision.document()
    assert chosen(read(document)) == ("b",)
    for of_workload in document["workloads"]:
        del of_workload["backups"], of_workload["estimate"]
    assert chosen(read(document)) == ()


def test_the_order_of_the_file_does_not_matter() -> None:
    """Workloads of a class are served in the order of the decision, the same each time."""
    given = federation([one("a", 1), one("b", 2)], [workload("v", 1), workload("w", 1)])
    decision = plan(given)
    assert backups(given, decision.workloads) == {"default/v": ("b",), "default/w": ("b",)}
