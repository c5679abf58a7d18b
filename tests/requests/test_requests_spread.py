"""What users ask for and do not get: spread constraints. Numbers as in docs/requests.md."""

import pytest
from pydantic import ValidationError

from placement.federation.intent import Groups
from placement.reasons import sentence
from placement.score import Facts
from tests.unit.deciding import WORLD, cheap_and_dear, counts_of, decide
from tests.unit.federations import Plain, cluster, federation, node_class, workload


def test_request_26_one_cluster_at_most_with_a_ratio_that_needs_two() -> None:
    """Weights 2 and 8 with one cluster at most cannot both be met: refused, and both named."""
    given = workload("w", 10, weights={"cheap": 8, "dear": 2}, spread={"cluster": {"maxGroups": 1}})
    decision = decide(cheap_and_dear(), [given])
    assert decision.infeasibility is not None
    keys = {r.key for r in decision.infeasibility.requirements}
    assert keys >= {"workloads[0].weights", "workloads[0].spread.cluster.maxGroups"}


_SOFT: Plain = {"minGroups": 3, "missingPrice": {"amount": "30", "currency": "EUR"}}


def test_request_27_a_spread_that_may_be_missed_at_a_price() -> None:
    """Three regions while there are three; two, and the miss reported, when one is down."""
    given = workload("w", 6, spread={"region": _SOFT})
    assert len(counts_of(decide(WORLD, [given]))) == 3
    down = [
        {**c, "cluster": {**c["cluster"], "ready": c["cluster"]["name"] != "us-1"}} for c in WORLD
    ]
    decision = decide(down, [given])
    assert set(counts_of(decision)) == {"fr-1", "de-1"}
    # Charged like what a deviation from a ratio costs: 30 EUR for the region that is missing.
    assert decision.objective[0].value == pytest.approx((5 * 10 + 30) / 16 + 30)


def test_request_27_the_miss_is_in_the_report() -> None:
    """The line of the workload says what is missing."""
    given = federation(WORLD[:2], [workload("w", 6, spread={"region": _SOFT})])
    decision = decide(WORLD[:2], [workload("w", 6, spread={"region": _SOFT})])
    line = sentence(given, Facts.of(given), decision, given.workloads[0])
    assert "3 or more regions or 30 EUR for each missing" in line
    assert "missing: 2 regions" in line


def test_request_31_a_soft_spread_weighs_its_price() -> None:
    """A second region is taken where it costs less than the price of missing it."""
    for amount, regions in (("1", 1), ("2", 2)):
        soft = {"minGroups": 2, "missingPrice": {"amount": amount, "currency": "EUR"}}
        # A replica in Germany costs 20/16 = 1.25 EUR more than one in France.
        decision = decide(WORLD, [workload("w", 2, spread={"region": soft})])
        assert len(counts_of(decision)) == regions


def test_request_28_zones_also_of_clusters_that_span_several() -> None:
    """Three zones are met by one cluster that spans two of them and one that has the third."""
    decision = decide(WORLD, [workload("w", 4, spread={"zone": {"minGroups": 3}})])
    assert counts_of(decision) == {"fr-1": 3, "fr-2": 1}


@pytest.mark.parametrize(
    "groups",
    [{"minGroups": 0}, {"minGroups": -1}, {"maxGroups": 0}, {"minGroups": 3, "maxGroups": 2}],
)
def test_request_29_bounds_of_groups_have_bounds(groups: Plain) -> None:
    """Zero, negative and crossed bounds are refused by the field."""
    with pytest.raises(ValidationError):
        Groups.model_validate(groups)


def test_request_32_room_is_counted_by_node_and_not_by_sum() -> None:
    """Six free CPUs on three nodes hold no replica of three CPUs."""
    clusters = [cluster("scattered", node_class(count=3, cpu=2), price=1), cluster("whole")]
    decision = decide(clusters, [workload("w", 1, cpu=3)])
    assert counts_of(decision) == {"whole": 1}
