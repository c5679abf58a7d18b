"""Small federations whose right placement is found by hand: capacity, spread, ratios."""

import pytest

from tests.unit.deciding import WORLD, cheap_and_dear, counts_of, decide
from tests.unit.federations import cluster, node_class, price, workload


def test_cheapest_cluster_takes_all() -> None:
    """Without other rules every replica goes where it costs least; cost and bound say so."""
    decision = decide(cheap_and_dear(), [workload("w", 4, cpu=16)])
    assert counts_of(decision) == {"cheap": 4}
    cost = decision.objective[0]
    assert (cost.term, cost.value, cost.bound) == ("cost", 100.0, 100.0)
    assert cost.unit == "EUR/month allocated net"


def test_capacity_is_shared_by_all_workloads() -> None:
    """Two workloads of 3 CPU find 4 CPU at the cheap cluster: one CPU each way is elsewhere."""
    clusters = [cluster("cheap", price=10), cluster("dear", node_class(count=2), price=20)]
    decision = decide(clusters, [workload("w", 3), workload("v", 3)])
    on_cheap = [decision.counts[f"default/{n}"].get("cheap", 0) for n in "wv"]
    assert sum(on_cheap) == 4
    assert decision.objective[0].value == pytest.approx(10 + 10)


@pytest.mark.parametrize(
    ("level", "least", "counts"),
    [
        ("cluster", 3, {"fr-1": 2, "fr-2": 1, "de-1": 1}),
        ("region", 2, {"fr-1": 3, "de-1": 1}),
        ("continent", 2, {"fr-1": 3, "us-1": 1}),
        ("provider", 2, {"fr-1": 3, "fr-2": 1}),
        ("zone", 3, {"fr-1": 3, "fr-2": 1}),
    ],
)
def test_spread_at_least(level: str, least: int, counts: dict[str, int]) -> None:
    """Each level is met with as few dear replicas as it takes; a cluster counts for its zones."""
    given = workload("w", 4, spread={level: {"minGroups": least}})
    assert counts_of(decide(WORLD, [given])) == counts


@pytest.mark.parametrize(
    ("level", "counts"),
    [
        ("cluster", {"us-1": 16}),
        ("region", {"fr-1": 8, "fr-2": 8}),
        ("continent", {"fr-1": 8, "fr-2": 8}),
        ("provider", {"fr-1": 8, "de-1": 8}),
        ("zone", {"fr-1": 8, "fr-2": 8}),
    ],
)
def test_spread_at_most(level: str, counts: dict[str, int]) -> None:
    """With eight a cluster, sixteen replicas stay within one group of each level (three zones)."""
    world = [
        {**c, "cluster": {**c["cluster"], "nodeClasses": [node_class(cpu=cpu)]}}
        for c, cpu in zip(WORLD, (8, 8, 8, 16), strict=True)
    ]
    most = 3 if level == "zone" else 1
    given = workload("w", 16, memory="512Mi", spread={level: {"maxGroups": most}})
    assert counts_of(decide(world, [given])) == counts


def test_per_cluster_bounds() -> None:
    """Two or three a cluster: seven replicas take three clusters, the cheapest first."""
    given = workload("w", 7, perCluster={"min": 2, "max": 3})
    assert counts_of(decide(WORLD, [given])) == {"fr-1": 3, "fr-2": 2, "de-1": 2}


def test_at_least_and_at_most() -> None:
    """One on the dearest, three at most on the cheapest, the rest on the next."""
    given = workload("w", 6, atLeast={"us-1": 1}, atMost={"fr-1": 3})
    assert counts_of(decide(WORLD, [given])) == {"fr-1": 3, "fr-2": 2, "us-1": 1}


def test_ratio_with_spread_is_never_made_equal() -> None:
    """70 to 30 of ten is 7 and 3 also where a spread of two regions stands beside it."""
    given = workload(
        "w", 10, weights={"dear": 70, "cheap": 30}, spread={"region": {"minGroups": 2}}
    )
    decision = decide(cheap_and_dear(), [given])
    assert counts_of(decision) == {"cheap": 3, "dear": 7}
    assert decision.workload("default/w").weights == {"cheap": 3_000_001, "dear": 7_000_000}


@pytest.mark.parametrize(("amount", "cheap"), [("0.9", 10), ("1.6", 3)])
def test_ratio_at_a_price(amount: str, cheap: int) -> None:
    """A replica saves 100/64 = 1.56 EUR on *cheap*: below that price all go, above none."""
    given = workload(
        "w",
        10,
        memory="1Gi",
        weights={"dear": 70, "cheap": 30},
        deviationPrice={"amount": amount, "currency": "EUR"},
    )
    assert counts_of(decide(cheap_and_dear(), [given])).get("cheap") == cheap


def test_residency() -> None:
    """Only clusters of the named jurisdictions; an unknown one is none of them."""
    clusters = [
        cluster("none", price=1),
        cluster("us", price=2, jurisdiction="us"),
        cluster("eu", price=3, jurisdiction="eu"),
    ]
    assert counts_of(decide(clusters, [workload("w", 2, residency=["eu"])])) == {"eu": 2}


def test_tolerations() -> None:
    """A cheap tainted cluster takes who tolerates the taint, and nobody else."""
    taint = {"key": "team", "value": "ml", "effect": "NoSchedule"}
    clusters = [cluster("open", price=90), cluster("own", price=10, taints=[taint])]
    tolerant = workload("v", 1, tolerations=[{**taint, "operator": "Equal"}])
    decision = decide(clusters, [workload("w", 1), tolerant])
    assert counts_of(decision) == {"open": 1}
    assert counts_of(decision, "v") == {"own": 1}


def test_processors_without_a_gpu_do_not_help_a_gpu_job() -> None:
    """Seventy-two free CPUs beside one GPU hold one GPU replica, not two."""
    nodes = [node_class("cpu", cpu=72, memory="64Gi"), node_class("gpu", cpu=8, gpu=1)]
    job = workload("w", 2, cpu=8, request={"nvidia.com/gpu": "1"})
    decision = decide([cluster("a", *nodes)], [job], prices=[price("a", 100, "gpu")])
    assert decision.status == "infeasible"
    assert any("nvidia.com/gpu" in c or "replicas 2: short by 1" in c for c in decision.conflicts)


def test_whole_replicas_on_whole_nodes() -> None:
    """Two replicas of 3 CPU and one of 2 are 8 CPU in sum, and do not fit two nodes of 4."""
    workloads = [workload("w", 2, cpu=3), workload("v", 1, cpu=2)]
    two = [cluster("a", node_class(count=2))]
    assert decide(two, workloads).status == "infeasible"
    three = [cluster("a", node_class(count=3))]
    assert decide(three, workloads).status == "optimal"
