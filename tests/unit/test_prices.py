"""What the binding requirements cost: figures that can be worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from placement import plan as engine
from placement.decision import Decision
from placement.federation import Federation
from placement.findings import Price
from tests.unit.deciding import BIG, WORLD
from tests.unit.federations import Plain, cluster, federation, node_class, workload


def _prices(given: Federation) -> dict[str, Price]:
    decision = engine.plan(given)
    found = engine.priced(decision, given).prices
    assert [p.saves for p in found] == sorted((p.saves for p in found), reverse=True)
    return {p.change.key: p for p in found}


def test_one_more_gpu() -> None:
    """A GPU costs 59 EUR in *near* and 100 in *far*: one more in *near* saves 41 EUR a month."""
    gpu = {"gpu": 1, "cpu": 16, "memory": "64Gi"}
    clusters = [
        cluster("near", node_class("g", count=2, **gpu), price=59),
        cluster("far", node_class("g", count=9, **gpu), price=100),
    ]
    given = federation(clusters, [workload("w", 4, request={"nvidia.com/gpu": "1"})])
    (found,) = _prices(given).values()
    assert (found.saves, found.unit, found.estimated) == (41.0, "EUR/month allocated net", False)
    assert found.change.key == "clusters[0].nodeClasses[0].count"
    assert (found.change.before, found.change.after) == ("2", "3")
    assert found.change.note == "1 node of 1 nvidia.com/gpu more in near"


@pytest.mark.parametrize(
    ("rules", "key", "saves"),
    [
        ({"spread": {"region": {"minGroups": 3}}}, "spread.region.minGroups", 30.0),
        ({"perCluster": {"max": 2}}, "perCluster.max", 10.0),
        ({"atLeast": {"us-1": 2}}, "atLeast.us-1", 30.0),
        ({"atMost": {"fr-1": 1}}, "atMost.fr-1", 10.0),
        ({"residency": ["us"]}, "residency", 120.0),
        ({"affinity": {"clusterNames": ["us-1"]}}, "affinity.clusterNames", 120.0),
    ],
)
def test_rules(rules: Plain, key: str, saves: float) -> None:
    """What a step of each saves where a replica costs 10, 20, 30 or 40 EUR by cluster."""
    clusters = [
        cluster(
            one["cluster"]["name"],
            node_class(cpu=16, count=9),
            price=one["price"],
            region=one["cluster"]["region"],
            jurisdiction=one["cluster"]["region"],
        )
        for one in WORLD
    ]
    found = _prices(federation(clusters, [workload("w", 4, cpu=16, **rules)]))
    assert found[f"workloads[0].{key}"].saves == pytest.approx(saves)
    assert not found[f"workloads[0].{key}"].estimated


def test_what_does_not_bind_has_no_price() -> None:
    """Rules that the best placement meets by itself cost nothing and are not listed."""
    clusters = [cluster("cheap", node_class(**BIG), price=10), cluster("dear", price=90)]
    rules = {"perCluster": {"max": 9}, "atMost": {"dear": 1}, "spread": {"cluster": {}}}
    assert _prices(federation(clusters, [workload("w", 4, **rules)])) == {}


def test_at_most_ten_are_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of fifteen that bind ten are priced, by eleven plans: the one at hand and ten others."""
    clusters = [cluster("cheap", node_class(**BIG), price=10), cluster("dear", price=90)]
    workloads = [workload(f"w{n}", 1, cpu="100m", atLeast={"dear": 1}) for n in range(15)]
    given = federation(clusters, workloads)
    decision = engine.plan(given)
    decide: Callable[..., Decision] = engine.decide
    planned: list[Federation] = []

    def counted(eased: Federation, **options: Any) -> Decision:
        planned.append(eased)
        return decide(eased, **options)

    monkeypatch.setattr(engine, "decide", counted)
    assert len(engine.priced(decision, given).prices) == 10
    assert len(planned) == 11


def test_without_a_proven_optimum_it_is_an_estimate() -> None:
    """Under the least effort the optimum of this packing is not proven, and the price says so."""
    clusters = [
        cluster("a", node_class(count=2, cpu=10), price=10),
        cluster("b", node_class(count=9, cpu=10, memory="10Gi"), price=90),
        cluster("c", node_class(count=9, cpu=10, memory="10Gi"), price=20),
    ]
    workloads = [workload("w", 2, cpu=4), workload("v", 4, cpu=3), workload("u", atLeast={"b": 1})]
    given = federation(clusters, workloads)
    decision = engine.plan(given, effort=1)
    assert decision.status == "gap"
    (found,) = engine.priced(decision, given, effort=1).prices
    assert (found.change.key, found.estimated) == ("workloads[2].atLeast.b", True)
    assert found.saves == pytest.approx(9 - 2)
