"""The independent check accepts a right answer and refuses each way to break it."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from placement.check import violations
from placement.check.workload import rules
from placement.federation import Federation
from tests.unit.federations import Plain, cluster, federation, latency, node_class, workload

ROOT = Path(__file__).parents[2]
_TAINT = {"key": "k", "value": "v", "effect": "NoSchedule"}
_SITES = latency({"a": {"a": 1, "b": 90}, "b": {"a": 90, "b": 1, "c": 20, "d": 20, "e": 90}})


def _federation(**changes: Any) -> Federation:
    """Five clusters, and a workload of four with the given rules."""
    clusters = [
        cluster("a", node_class(count=2), jurisdiction="eu"),
        cluster("b", node_class(count=2), jurisdiction="eu"),
        cluster("c", taints=[_TAINT], jurisdiction="eu"),
        cluster("d", jurisdiction="us", ready=False),
        cluster("e", jurisdiction="us", continent="asia", headroom="0.5"),
    ]
    return federation(clusters, [workload("w", 4, **changes)], latency=_SITES)


@pytest.mark.parametrize(
    ("changes", "right", "wrong", "rule"),
    [
        ({}, {"a": 4}, {"a": 3}, "replicas"),
        ({}, {"a": 4}, {"a": 5}, "replicas"),
        ({}, {"a": 4}, {"a": 5, "b": -1}, "replicas"),
        ({}, {"a": 4}, {}, "replicas"),
        ({}, {"a": 4}, {"x": 4}, "suitable"),
        ({}, {"a": 4}, {"a": 3, "c": 1}, "suitable"),
        ({}, {"a": 4}, {"a": 3, "d": 1}, "suitable"),
        ({"affinity": {"exclude": ["b"]}}, {"a": 4}, {"a": 3, "b": 1}, "suitable"),
        ({"residency": ["eu"]}, {"a": 4}, {"a": 3, "e": 1}, "suitable"),
        ({"cpu": 2}, {"a": 4}, {"e": 4}, "headroom"),
        ({}, {"a": 2, "e": 2}, {"a": 1, "e": 3}, "headroom"),
        ({"cpu": 3}, {"a": 2, "b": 2}, {"a": 3, "b": 1}, "capacity"),
        ({"spread": {"cluster": {"minGroups": 2}}}, {"a": 3, "b": 1}, {"a": 4}, "spread.cluster"),
        ({"spread": {"cluster": {"maxGroups": 1}}}, {"a": 4}, {"a": 3, "b": 1}, "spread.cluster"),
        (
            {"spread": {"continent": {"minGroups": 2}}},
            {"a": 3, "e": 1},
            {"a": 3, "b": 1},
            "spread.continent",
        ),
        ({"perCluster": {"max": 3}}, {"a": 3, "b": 1}, {"a": 4}, "perCluster"),
        ({"perCluster": {"min": 2}}, {"a": 2, "b": 2}, {"a": 3, "b": 1}, "perCluster"),
        ({"atMost": {"b": 1}}, {"a": 3, "b": 1}, {"a": 2, "b": 2}, "perCluster"),
        ({"atLeast": {"b": 2}}, {"a": 2, "b": 2}, {"a": 4}, "atLeast"),
        ({"weights": {"a": 3, "b": 1}}, {"a": 3, "b": 1}, {"a": 2, "b": 2}, "weights"),
        (
            {"data": [{"name": "x", "region": "a", "gigabytesPerMonth": 1, "rttLimit": 50}]},
            {"a": 4},
            {"a": 3, "b": 1},
            "suitable",
        ),
        (
            {"demand": [{"region": "a", "share": 1}], "latencyLimit": 50},
            {"a": 4},
            {"a": 3, "b": 1},
            "suitable",
        ),
        (
            {
                "demand": [{"region": "a", "share": 1}, {"region": "b", "share": 1}],
                "latencyLimit": 50,
            },
            {"a": 3, "b": 1},
            {"a": 4},
            "latencyLimit",
        ),
        (
            {"survive": {"loss": "cluster"}},
            {"a": 2, "b": 2},
            {"a": 4},
            "spread.cluster",
        ),
        ({"survive": {"loss": "cluster"}, "cpu": 2}, {"a": 2, "b": 2}, None, ""),
        ({"survive": {"loss": "cluster"}, "cpu": 3}, None, {"a": 2, "b": 2}, "survive.cluster"),
        (
            {
                "spread": {"cluster": {"minGroups": 2}},
                "survive": {"loss": "cluster", "keep": "spread"},
            },
            {"a": 2, "b": 1, "e": 1},
            {"a": 2, "b": 2},
            "survive.cluster.spread",
        ),
    ],
)
def test_each_rule(
    changes: Plain, right: dict[str, int] | None, wrong: dict[str, int] | None, rule: str
) -> None:
    """The right answer passes, and the broken one is refused by the rule that it breaks."""
    given = _federation(**changes)
    if right is not None:
        assert violations(given, {"default/w": right}) == []
    if wrong is not None:
        found = violations(given, {"default/w": wrong})
        assert rule in {violation.rule for violation in found}, found


def test_workloads_are_checked_together() -> None:
    """Two workloads that each fit a node alone do not fit it both."""
    given = federation([cluster("a")], [workload("w", 3), workload("v", 3)])
    found = violations(given, {"default/w": {"a": 3}, "default/v": {"a": 3}})
    assert {v.rule for v in found} == {"capacity", "headroom"}


_NEAR = {"workload": "default/v", "level": "cluster"}
_EUR = {"currency": "EUR"}


@pytest.mark.parametrize(
    ("changes", "whole", "right", "wrong", "rule"),
    [
        (
            {"workloadAffinity": [_NEAR]},
            {},
            {"a": 1, "b": 1},
            {"a": 1, "e": 1},
            "workloadAffinity",
        ),
        ({"workloadAntiAffinity": [_NEAR]}, {}, {"e": 2}, {"a": 1, "e": 1}, "workloadAntiAffinity"),
        (
            {"workloadAntiAffinity": [{**_NEAR, "level": "continent"}]},
            {},
            {"e": 2},
            {"c": 2},
            "workloadAntiAffinity",
        ),
        # A replica is a quarter of a node: 25 EUR on a and b, 50 on e.
        (
            {},
            {
                "budgets": [
                    {"name": "x", "workloads": ["default/w"], "money": {"amount": "75", **_EUR}}
                ]
            },
            {"a": 1, "e": 1},
            {"e": 2},
            "money",
        ),
        ({}, {"budgets": [{"name": "x", "carbon": "1"}]}, None, {"a": 2}, "carbon"),
        ({}, {"objective": {"moves": {"atMost": 1}}}, {"a": 1, "b": 1}, {"b": 2}, "moves.atMost"),
        ({}, {"objective": {"moves": {"atMost": 1}}}, {"a": 2}, {"b": 1, "e": 1}, "moves.atMost"),
    ],
)
def test_rules_between_workloads(
    changes: Plain,
    whole: Plain,
    right: dict[str, int] | None,
    wrong: dict[str, int],
    rule: str,
) -> None:
    """With *v* on a and b, the right placement of *w* passes and the wrong one is refused."""
    clusters = [
        cluster("a", node_class(count=2)),
        cluster("b", node_class(count=2)),
        cluster("c"),
        cluster("e", price=200, continent="asia"),
    ]
    given = federation(clusters, [workload("w", 2, **changes), workload("v", 2)], **whole)
    beside = {"default/v": {"a": 1, "b": 1}}
    present = {"default/w": {"a": 2}, "default/v": {"a": 1, "b": 1}}
    if right is not None:
        assert violations(given, {"default/w": right, **beside}, present) == []
    found = violations(given, {"default/w": wrong, **beside}, present)
    assert [violation.rule for violation in found] == [rule]


def test_reserve_is_kept_free() -> None:
    """Of eight CPUs on two classes six may be used, although each class has room."""
    nodes = [node_class("n"), node_class("m")]
    given = federation([cluster("a", *nodes, reserve={"cpu": "2"})], [workload("w", 7)])
    assert [v.rule for v in violations(given, {"default/w": {"a": 7}})] == ["reserve"]
    given = federation([cluster("a", *nodes, reserve={"cpu": "1"})], [workload("w", 7)])
    assert violations(given, {"default/w": {"a": 7}}) == []


def test_an_overfull_class_takes_nothing_from_another() -> None:
    """Others use 12 CPU of one class of 4: the other class still has its own 4, and no more."""
    nodes = [node_class("n", inUse={"cpu": "12"}), node_class("m")]
    given = federation([cluster("a", *nodes)], [workload("w", 4)])
    assert violations(given, {"default/w": {"a": 4}}) == []
    given = federation([cluster("a", *nodes)], [workload("w", 5)])
    assert [v.rule for v in violations(given, {"default/w": {"a": 5}})] == ["headroom", "capacity"]


_NAMES = "abcd"
_NEARBY, _FAR = 10.0, 90.0


@hypothesis.given(
    near=st.lists(st.sets(st.sampled_from(_NAMES), min_size=1), min_size=2, max_size=4),
    shares=st.lists(st.integers(1, 9), min_size=4, max_size=4),
    counts=st.dictionaries(st.sampled_from(_NAMES), st.integers(1, 20), min_size=2),
)
@hypothesis.settings(derandomize=True, deadline=None, max_examples=300)
def test_users_are_carried_where_every_set_of_regions_is(
    near: list[set[str]], shares: list[int], counts: dict[str, int]
) -> None:
    """The check refuses a placement if and only if some set of regions has too few replicas near.

    Of each cluster the replicas carry one share more than they are, all sets one by one.
    """
    regions = [f"u{i}" for i in range(len(near))]
    trips = {
        region: {name: _NEARBY if name in there else _FAR for name in _NAMES}
        for region, there in zip(regions, near, strict=True)
    }
    demand = [{"region": r, "share": s} for r, s in zip(regions, shares, strict=False)]
    size = sum(counts.values())
    given = federation(
        [cluster(name, node_class(count=2)) for name in _NAMES],
        [workload("w", size, demand=demand, latencyLimit=50)],
        latency=latency(trips),
    )
    total = sum(shares[: len(near)])
    short = any(
        sum(n + 1 for name, n in counts.items() if any(name in near[i] for i in chosen)) * total
        < sum(shares[i] for i in chosen) * size
        for length in range(1, len(near) + 1)
        for chosen in combinations(range(len(near)), length)
    )
    found = list(rules(given, given.workloads[0], counts))
    assert [v.rule for v in found] == ["latencyLimit"] * short


def test_users_of_many_regions_are_judged() -> None:
    """Users of sixty regions, all near the same cluster, are one question and not 2^60."""
    demand = [{"region": f"u{i}", "share": 1} for i in range(60)]
    sites = latency({f"u{i}": {"a": _NEARBY} for i in range(60)})
    given = federation(
        [cluster("a")], [workload("w", 4, demand=demand, latencyLimit=50)], latency=sites
    )
    assert violations(given, {"default/w": {"a": 4}}) == []


def test_a_workload_without_an_entry_is_missing() -> None:
    """Silence about a workload is no placement of it."""
    assert [v.rule for v in violations(_federation(), {})] == ["replicas"]


@pytest.mark.parametrize("module", ["placement.check", "placement.division"])
def test_imports(module: str) -> None:
    """Without numpy, OR-Tools, Pulumi and YAML the check and the division still import."""
    blocked = ("numpy", "ortools", "pulumi", "highspy", "google", "kubernetes", "rich", "click")
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({blocked!r}))\n"
        f"import {module}\n"
        "print('imported')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout == "imported\n", run.stderr
