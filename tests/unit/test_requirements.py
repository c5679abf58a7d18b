"""The list of requirements: complete, and each can be dropped and eased as it says."""

from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from placement.federation import Cluster, Federation, NodeClass, Workload
from placement.federation.budget import Budget
from placement.federation.intent import Data, Groups, PerCluster, Survive
from placement.federation.objective import Moves, Objective
from placement.plan import decide
from placement.requirements import Requirement, changed, requirements, without
from tests.unit.federations import Plain, cluster, federation, latency, node_class, workload

_TAINT = {"key": "own", "value": "ml", "effect": "NoSchedule"}
_USERS = [{"region": "users", "share": 1}]
_MONEY = {"amount": "100", "currency": "EUR"}

EVERYTHING: tuple[list[Plain], list[Plain], Plain] = (
    [
        cluster(
            "a",
            node_class(taints=[_TAINT], gpu=1, count=3, spot=True),
            taints=[_TAINT],
            headroom="0.1",
            reserve={"cpu": "1"},
            ready=False,
            cordoned=True,
            drained=True,
            jurisdiction="eu",
        ),
        cluster("b", jurisdiction="us"),
    ],
    [
        workload(
            "w",
            {"min": 3, "max": 6},
            request={"nvidia.com/gpu": "1"},
            acceleratorModels=["H100"],
            spread={"region": {"minGroups": 2, "maxGroups": 3}},
            perCluster={"min": 2, "max": 3},
            atLeast={"a": 1},
            atMost={"b": 2},
            affinity={
                "clusterNames": ["a"],
                "exclude": ["b"],
                "labelSelector": {"matchLabels": {"x": "y"}},
                "fieldSelector": {
                    "matchExpressions": [{"key": "region", "operator": "In", "values": ["a"]}]
                },
            },
            workloadAffinity=[{"workload": "default/v"}],
            workloadAntiAffinity=[{"workload": "default/u"}],
            residency=["eu"],
            demand=_USERS,
            latencyLimit=50,
            data=[{"name": "d", "region": "a", "gigabytesPerMonth": "1", "rttLimit": "5"}],
            survive={"loss": "region", "keep": "spread"},
        ),
        workload("v", 4, weights={"a": 1, "b": 1}),
        workload("u", 3, **{"class": "critical"}),
    ],
    {
        "latency": latency({"users": {"a": 60, "b": 70}, "a": {"a": 1}, "b": {"a": 9}}),
        "budgets": [{"name": "all", "money": _MONEY, "carbon": "5"}],
        "objective": {
            "lexicographic": [{"term": "cost"}, {"term": "latency"}],
            "moves": {"atMost": 1},
        },
    },
)
"""A federation that asks for all that can be asked for."""

PERMITS: dict[type[BaseModel], set[str]] = {
    Federation: {
        "apiVersion", "latency", "prices", "egress", "carbon", "exchange", "classes",
    },
    Cluster: {
        "name", "provider", "region", "continent", "zones", "jurisdiction", "labels", "apis",
    },
    NodeClass: {"name", "count", "inUse", "model", "labels"},
    Workload: {
        "name", "namespace", "template", "manifest", "deviationPrice", "acceptSingleContinent",
        "stateful", "tolerations", "division", "backups", "autoscaler", "overrides",
        "trafficGigabytesPerMonth",
    },
    Budget: {"name", "workloads"},
    Objective: {"currency", "vat", "basis", "weighted"},
    Moves: {"threshold"},
    Groups: {"missingPrice"},
    PerCluster: set(),
    Data: {"name", "region", "gigabytesPerMonth", "direction"},
    Survive: {"loss", "keep"},
}  # fmt: skip
"""The keys that name, describe or permit something. Every other key must be in the lists of
``placement/requirements``: with it a placement may be impossible that is possible without."""

BELOW: dict[str, type[BaseModel]] = {
    "clusters": Cluster,
    "clusters.nodeClasses": NodeClass,
    "workloads": Workload,
    "workloads.spread.region": Groups,
    "workloads.perCluster": PerCluster,
    "workloads.data": Data,
    "budgets": Budget,
    "objective": Objective,
    "objective.moves": Moves,
}


@pytest.fixture(scope="module")
def everything() -> Federation:
    """The federation that asks for everything."""
    clusters, workloads, rest = EVERYTHING
    return federation(clusters, workloads, **rest)


@pytest.mark.parametrize("path", ["", *BELOW])
def test_every_key_is_a_requirement_or_permits(path: str, everything: Federation) -> None:
    """Whoever adds a key to the models decides which of the two it is."""
    model = BELOW.get(path, Federation)
    keys = {field.alias or name for name, field in model.model_fields.items()}
    listed = {_plain_path(r) for r in requirements(everything)}
    prefix = f"{path}." if path else ""
    asked = {p.removeprefix(prefix).split(".")[0] for p in listed if p.startswith(prefix)}
    assert keys - asked - PERMITS[model] == set()


def _plain_path(requirement: Requirement) -> str:
    return ".".join(str(part) for part in requirement.location if isinstance(part, str))


def test_without_all_requirements_there_is_nothing_to_do(everything: Federation) -> None:
    """No workload is left; without all but the workloads themselves each finds its place."""
    listed = requirements(everything)
    assert without(everything, listed).workloads == ()
    rules = [r for r in listed if len(r.location) != 2 or r.location[0] != "workloads"]
    decision = decide(without(everything, rules), effort=3, present=None)
    assert decision.status == "optimal"
    assert all(sum(w.replicas.values()) == 1 for w in decision.workloads)


def test_a_dropped_requirement_is_not_listed_again(everything: Federation) -> None:
    """Nothing is left to ask where a requirement was dropped, and nothing else has changed."""
    before = requirements(everything)
    for requirement in before:
        after = {r.key: r.read for r in requirements(without(everything, [requirement]))}
        if not _is_amount(requirement):
            assert after.get(requirement.key) != requirement.read, requirement.key


def _is_amount(requirement: Requirement) -> bool:
    """What is dropped by giving enough of it, or has another after it in its list."""
    *_, before, last = requirement.location
    return before == "allocatable" or isinstance(last, int)


def test_ladders_give_up_more_with_each_step(everything: Federation) -> None:
    """Sizes grow along every ladder, and every step changes the file."""
    for requirement in requirements(everything):
        for ladder in requirement.ladders:
            sizes = [ladder[i].size for i in range(min(len(ladder), 50))]
            assert all(a <= b for a, b in pairwise(sizes)), requirement.key
            for size, index in zip(sizes, range(50), strict=False):
                assert size > 0, requirement.key
                assert changed(everything, ladder[index].changes) != everything


def test_replicas_are_as_few_as_the_other_bounds_need() -> None:
    """Without their number: two on each of three clusters are six, four at least are four."""
    cases: list[tuple[Any, int]] = [
        ({"spread": {"cluster": {"minGroups": 3}}, "perCluster": {"min": 2}}, 6),
        ({"atLeast": {"a": 4}}, 4),
        ({"survive": {"loss": "cluster"}}, 2),
        ({"weights": {"a": 8, "b": 1}, "spread": {"cluster": {"minGroups": 2}}}, 5),
        ({}, 1),
    ]
    for rules, expected in cases:
        given = federation([cluster(n) for n in "abc"], [workload("w", 9, **rules)])
        (number,) = [r for r in requirements(given) if r.key == "workloads[0].replicas"]
        assert without(given, [number]).workloads[0].replicas == expected, rules


def test_a_workload_that_is_gone_is_nobody_s_neighbour(everything: Federation) -> None:
    """Whoever asks to be near it asks no more."""
    (second,) = [r for r in requirements(everything) if r.location == ("workloads", 1)]
    left = without(everything, [second]).workloads
    assert [w.name for w in left] == ["w", "u"]
    assert left[0].workload_affinity == ()
    assert len(left[0].workload_anti_affinity) == 1
