"""What users ask for and do not get: failover and fail-back. Numbers as in docs/requests.md."""

import pytest
from pydantic import ValidationError

from tests.unit.deciding import counts_of, decide
from tests.unit.federations import cluster, federation, node_class, workload


def test_request_45_an_eviction_without_a_target_is_foretold() -> None:
    """Where the only other cluster is full, the replicas that would wait are counted beforehand."""
    clusters = [cluster("a", price=10), cluster("b", node_class(cpu=1), price=90)]
    given = workload("w", 3, spread={"cluster": {"minGroups": 2}})
    decision = decide(clusters, [given])
    lost = {a.lost: a for a in decision.workload("default/w").after_loss}
    assert lost["cluster/a"].replicas == {"b": 3}
    assert lost["cluster/a"].pending == 2


def test_request_46_a_placement_whose_loss_cannot_be_borne_is_refused() -> None:
    """Who must survive a loss is placed only if what Karmada then does fits."""
    promise = {"survive": {"loss": "cluster"}}
    two = [cluster("a"), cluster("b")]
    assert decide(two, [workload("w", 6, **promise)]).status == "infeasible"
    decision = decide([*two, cluster("c")], [workload("w", 6, **promise)])
    assert set(counts_of(decision)) == {"a", "b", "c"}
    assert not any(loss.pending for loss in decision.workload("default/w").after_loss)


@pytest.mark.parametrize(
    ("moves", "back"),
    [({}, 4), ({"atMost": 1}, 1), ({"threshold": {"amount": "3", "currency": "EUR"}}, 0)],
)
def test_request_48_fail_back_in_bounded_and_priced_moves(moves: object, back: int) -> None:
    """After the preferred cluster is back, all return, or as many as may, or none below the price.

    A replica is 2.50 EUR a month cheaper on the preferred cluster.
    """
    clusters = [cluster("preferred", price=10), cluster("backup", price=20)]
    decision = decide(
        clusters,
        [workload("w", 4)],
        objective={"moves": moves},
        present={"default/w": {"backup": 4}},
    )
    assert counts_of(decision).get("preferred", 0) == back


def test_request_49_what_karmada_cannot_divide_is_refused() -> None:
    """A kind of several components is named in the refusal, with the kinds that will do."""
    with pytest.raises(ValidationError, match="allowed what Karmada divides: Deployment"):
        federation([cluster("a")], [workload("w", 2, kind="FlinkDeployment")])


def test_request_50_affinity_priority_and_failover_are_judged_together() -> None:
    """Two workloads that each survive alone do not survive beside each other: found before.

    Two clusters of four CPUs: either may lose one with four replicas, both together may not.
    """
    clusters = [cluster("a"), cluster("b")]
    promise = {"survive": {"loss": "cluster"}, "class": "critical", "acceptSingleContinent": True}
    one, other = workload("w", 4, **promise), workload("v", 4, **promise)
    assert decide(clusters, [one]).status == "optimal"
    assert decide(clusters, [one, other]).status == "infeasible"
