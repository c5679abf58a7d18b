"""Small federations whose right placement is found by hand: users, objectives, losses, limits."""

import pytest

from tests.unit.deciding import WORLD, counts_of, decide
from tests.unit.federations import Plain, cluster, latency, node_class, workload

_SITES = latency({"a": {"a": 1, "b": 90}, "b": {"a": 90, "b": 1}})


def test_latency_limit() -> None:
    """Users in two regions within 50 ms need replicas near both, in proportion."""
    clusters = [cluster("a", price=10), cluster("b", price=90)]
    demand = [{"region": "a", "share": 1}, {"region": "b", "share": 1}]
    given = workload("w", 4, demand=demand, latencyLimit=50)
    counts = counts_of(decide(clusters, [given], latency=_SITES))
    assert counts == {"a": 3, "b": 1}  # a cluster may carry up to one replica's share more


def test_users_known_to_one_cluster_each() -> None:
    """Where each cluster's distance to only one of two regions is known, odd replicas still fit."""
    known = latency({"a": {"a": 1}, "b": {"b": 1}})
    demand = [{"region": "a", "share": 1}, {"region": "b", "share": 1}]
    decision = decide(
        [cluster("a"), cluster("b")], [workload("w", 3, demand=demand)], latency=known
    )
    assert sorted(counts_of(decision).values()) == [1, 2]


@pytest.mark.parametrize(("within", "where"), [("0.04", "far"), ("0.15", "near")])
def test_lexicographic_with_tolerance(within: str, where: str) -> None:
    """The near cluster is 10 % dearer: taken where 15 % may be given up, not where 4 %."""
    clusters = [cluster("far", price=100), cluster("near", price=110)]
    decision = decide(
        clusters,
        [workload("w", 2, demand=[{"region": "near", "share": 1}])],
        latency=latency({"near": {"near": 1, "far": 80}, "far": {"near": 80, "far": 1}}),
        objective={"lexicographic": [{"term": "cost", "within": within}, {"term": "latency"}]},
    )
    assert counts_of(decision) == {where: 2}
    by_term = {o.term: o for o in decision.objective}
    assert by_term["latency"].value == (1.0 if where == "near" else 80.0)
    assert by_term["cost"].bound == pytest.approx(50)


@pytest.mark.parametrize(("euro", "where"), [("0.01", "far"), ("1", "near")])
def test_weighted(euro: str, where: str) -> None:
    """79 ms nearer for 5 EUR more: worth it at 1 EUR a ms, not at a cent."""
    clusters = [cluster("far", price=100), cluster("near", price=110)]
    decision = decide(
        clusters,
        [workload("w", 2, demand=[{"region": "near", "share": 1}])],
        latency=latency({"near": {"near": 1, "far": 80}}),
        objective={"weighted": {"cost": 1, "latency": euro}},
    )
    assert counts_of(decision) == {where: 2}
    expected = 50 + 80 * 0.01 if where == "far" else 55 + 1
    assert decision.objective[0].value == pytest.approx(expected)


def test_balance_fills_clusters_alike() -> None:
    """Eight replicas on 4, 8 and 4 CPUs, two in use: 3/4 full at most, at 5/8 only seven fit."""
    clusters = [
        cluster("a", price=1),
        cluster("b", node_class(cpu=8, memory="32Gi"), price=2),
        cluster("c", node_class(inUse={"cpu": "2"}), price=3),
    ]
    levels = [{"term": "balance"}, {"term": "cost"}]
    decision = decide(clusters, [workload("w", 8)], objective={"lexicographic": levels})
    counts = counts_of(decision)
    parts = (counts["a"] / 4, counts["b"] / 8, (counts.get("c", 0) + 2) / 4)
    assert max(parts) == 0.75
    fullest = decision.objective[0]
    assert (fullest.term, fullest.value, fullest.bound) == ("balance", 0.75, 0.75)
    assert fullest.unit == "part of the fullest cluster"


def test_marginal_basis_opens_whole_nodes() -> None:
    """Five replicas of 1 CPU open two nodes of 4 at *a* (80), one of 8 at *b* (70) is cheaper."""
    clusters = [
        cluster("a", node_class(count=5), price=40),
        cluster("b", node_class(count=5, cpu=8), price=70),
    ]
    decision = decide(clusters, [workload("w", 5)], objective={"basis": "marginal"})
    assert counts_of(decision) == {"b": 5}
    assert decision.objective[0].value == pytest.approx(70)
    assert decision.objective[0].unit == "EUR/month marginal net"


def test_marginal_basis_knows_that_replicas_are_whole() -> None:
    """Three replicas of 3 CPU open three nodes of 4 and not 9/4 of them."""
    decision = decide(
        [cluster("a", node_class(count=5), price=40)],
        [workload("w", 3, cpu=3)],
        objective={"basis": "marginal"},
    )
    assert decision.objective[0].value == pytest.approx(120)


def test_churn_keeps_the_present_where_it_costs_nothing() -> None:
    """Among equal clusters the present placement stays; a cheaper one is still moved to."""
    churn = {"lexicographic": [{"term": "cost"}, {"term": "churn"}]}
    present = {"default/w": {"b": 3}}
    equal = [cluster(n) for n in "abc"]
    decision = decide(equal, [workload("w", 3)], objective=churn, present=present)
    assert counts_of(decision) == {"b": 3}
    assert decision.moves == ()
    cheaper = [cluster("a", price=50), *equal[1:]]
    decision = decide(cheaper, [workload("w", 3)], objective=churn, present=present)
    assert counts_of(decision) == {"a": 3}
    assert [(m.cluster, m.before, m.after) for m in decision.moves] == [("a", 0, 3), ("b", 3, 0)]


def test_survives_the_loss_of_a_cluster() -> None:
    """Four replicas that must survive leave room for four wherever one cluster is lost."""
    clusters = [
        cluster("a", node_class(count=2), price=10),
        cluster("b", price=20),
        cluster("c", price=90),
    ]
    given = workload("w", 4, survive={"loss": "cluster"})
    decision = decide(clusters, [given])
    assert len(counts_of(decision)) >= 2
    after = {a.lost: a for a in decision.workload("default/w").after_loss}
    assert all(a.pending == 0 for name, a in after.items() if name.startswith("cluster/"))


def test_survives_the_loss_of_a_region_with_its_spread() -> None:
    """Two regions must still be used when any is lost: three are."""
    given = workload(
        "w",
        4,
        spread={"region": {"minGroups": 2}},
        survive={"loss": "region", "keep": "spread"},
    )
    assert set(counts_of(decide(WORLD, [given]))) == {"fr-1", "de-1", "us-1"}


def test_survival_that_no_division_can_give() -> None:
    """Six CPUs cannot survive the loss of a cluster where four are left: said so at once."""
    clusters = [cluster("a"), cluster("b")]
    decision = decide(clusters, [workload("w", 6, survive={"loss": "cluster"})])
    assert decision.status == "infeasible"
    assert "workloads[0].survive: capacity after the loss of any cluster (default/w)" in (
        decision.conflicts
    )


def test_critical_gets_two_continents_unless_it_opts_out() -> None:
    """The default is obeyed and shown; the key that opts out gives it up."""
    decision = decide(WORLD, [workload("w", 2, **{"class": "critical"})])
    assert counts_of(decision) == {"fr-1": 1, "us-1": 1}
    assert decision.workload("default/w").spread_defaulted
    out = workload("w", 2, **{"class": "critical"}, acceptSingleContinent=True)
    decision = decide(WORLD, [out])
    assert counts_of(decision) == {"fr-1": 2}
    assert not decision.workload("default/w").spread_defaulted


def test_a_range_is_placed_at_its_largest() -> None:
    """Two to six replicas take room for six."""
    clusters = [cluster("a", price=10), cluster("b", price=20)]
    assert counts_of(decide(clusters, [workload("w", {"min": 2, "max": 6})])) == {"a": 4, "b": 2}


def test_headroom_stays_free() -> None:
    """A quarter of four CPUs stays free: three replicas, the fourth goes elsewhere."""
    clusters = [cluster("a", price=10, headroom="0.25"), cluster("b", price=20)]
    assert counts_of(decide(clusters, [workload("w", 4)])) == {"a": 3, "b": 1}


def test_what_is_in_use_is_not_free() -> None:
    """What others use over all nodes leaves a node of it less than a whole replica: none fits."""
    nodes = node_class(count=3, pods=2, inUse={"pods": "4"})
    decision = decide([cluster("a", nodes)], [workload("w", 1)])
    assert decision.status == "infeasible"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"replicas": 9}, "workloads[0].replicas: 9 (default/w)"),
        ({"spread": {"region": {"minGroups": 3}}}, "workloads[0].spread.region.minGroups: 3"),
        ({"atLeast": {"a": 5}, "replicas": 5}, "workloads[0].atLeast.a: 5"),
        ({"cpu": 5}, "a: NodeFit: n: a replica asks for 5 cpu, a node has 4"),
        ({"spread": {"zone": {"minGroups": 1}}}, "workloads[0].spread.zone.minGroups: 1"),
        ({"perCluster": {"max": 1}}, "workloads[0].perCluster.max: 1"),
    ],
)
def test_infeasible_says_what_conflicts(changes: Plain, said: str) -> None:
    """Each conflict names the requirement by its key, or what the filters say."""
    replicas = changes.get("replicas", 4)
    rest = {k: v for k, v in changes.items() if k != "replicas"}
    decision = decide([cluster("a"), cluster("b")], [workload("w", replicas, **rest)])
    assert decision.status == "infeasible"
    assert any(said in conflict for conflict in decision.conflicts), decision.conflicts
