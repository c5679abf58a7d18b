"""What users ask for and do not get: weights and rounding. Numbers as in docs/requests.md."""

from pathlib import Path

import pytest

from placement.division import webster
from placement.faults import BadInputError
from placement.federation import load
from tests.unit.deciding import counts_of, decide
from tests.unit.federations import cluster, node_class, workload

_TWO = [cluster(n, node_class(cpu=30, memory="64Gi")) for n in "ab"]


def test_request_02_replicas_in_proportion_to_own_scores() -> None:
    """Scores of 60 and 40 divide ten replicas into six and four; the weights that go out do so."""
    decision = decide(_TWO, [workload("w", 10, weights={"a": 60, "b": 40})])
    assert counts_of(decision) == {"a": 6, "b": 4}
    assert webster(10, decision.workload("default/w").weights) == {"a": 6, "b": 4}


def test_request_17_one_replica_more_takes_none_away() -> None:
    """170, 110 and 60: five are 2, 2, 1 and six are 3, 2, 1."""
    clusters = [cluster(n) for n in "abc"]
    given = {"weights": {"a": 170, "b": 110, "c": 60}}
    five = counts_of(decide(clusters, [workload("w", 5, **given)]))
    six = counts_of(decide(clusters, [workload("w", 6, **given)]))
    assert (five, six) == ({"a": 2, "b": 2, "c": 1}, {"a": 3, "b": 2, "c": 1})


def test_request_18_two_replicas_at_two_to_one() -> None:
    """One each, by Webster's method."""
    decision = decide(_TWO, [workload("w", 2, weights={"a": 2, "b": 1})])
    assert counts_of(decision) == {"a": 1, "b": 1}


def test_request_19_many_small_workloads_fill_equal_clusters() -> None:
    """Twenty Deployments of three over two clusters with room for thirty each: 30 and 30."""
    decision = decide(_TWO, [workload(f"w{i}", 3) for i in range(20)])
    totals = {n: sum(c.get(n, 0) for c in decision.counts.values()) for n in "ab"}
    assert totals == {"a": 30, "b": 30}


def test_request_20_equal_ratio_with_a_small_cluster() -> None:
    """B fits three of ten: at a price 7 and 3; hard, infeasible with what stands in the way."""
    clusters = [cluster("a", node_class(cpu=10)), cluster("b", node_class(cpu=3))]
    ratio = {"weights": {"a": 1, "b": 1}}
    soft = workload("w", 10, **ratio, deviationPrice={"amount": "50", "currency": "EUR"})
    assert counts_of(decide(clusters, [soft])) == {"a": 7, "b": 3}
    hard = decide(clusters, [workload("w", 10, **ratio)])
    assert hard.infeasibility is not None
    keys = {r.key for r in hard.infeasibility.requirements}
    assert keys >= {"clusters[1].nodeClasses[0].allocatable.cpu", "workloads[0].weights"}


def test_request_21_two_weights_of_one_cluster(tmp_path: Path) -> None:
    """A cluster has one weight: a second one in the file is refused, not added or ignored."""
    file = tmp_path / "federation.yaml"
    file.write_text("apiVersion: federation/v1alpha1\nworkloads:\n- weights: {a: 1, a: 2}\n")
    with pytest.raises(BadInputError, match="read a second time"):
        load(file)


def test_request_22_and_23_counts_by_cluster_as_data() -> None:
    """Ten replicas over three clusters come out as 2, 3 and 5, not as three names."""
    clusters = [cluster(n, node_class(cpu=8)) for n in "abc"]
    decision = decide(clusters, [workload("w", 10, weights={"a": 2, "b": 3, "c": 5})])
    assert decision.document()["workloads"][0]["replicas"] == {"a": 2, "b": 3, "c": 5}


def test_request_25_growth_keeps_the_proportion() -> None:
    """From six to nine at one to two: 2 and 4 become 3 and 6."""
    given = {"weights": {"a": 1, "b": 2}}
    assert counts_of(decide(_TWO, [workload("w", 6, **given)])) == {"a": 2, "b": 4}
    assert counts_of(decide(_TWO, [workload("w", 9, **given)])) == {"a": 3, "b": 6}
