"""What users ask for and do not get: cost, latency, locality, carbon. Numbers: docs/requests.md."""

import pytest

from placement.pareto import document, front
from tests.unit.deciding import BIG, counts_of, decide
from tests.unit.federations import Plain, cluster, federation, latency, node_class, workload


def test_request_38_the_cheaper_gpu() -> None:
    """A GPU node 30 % cheaper in B: there; the amount names currency, basis and VAT."""
    gpu = node_class("gpu", gpu=8, model="H100", **BIG)
    clusters = [cluster("a", gpu, price=1000), cluster("b", gpu, price=700)]
    decision = decide(clusters, [workload("w", 4, request={"nvidia.com/gpu": "1"})])
    assert counts_of(decision) == {"b": 4}
    assert decision.objective[0].value == pytest.approx(350)
    assert decision.objective[0].unit == "EUR/month allocated net"


_SITES = latency({"a": {"a": 1, "b": 90}, "b": {"a": 90, "b": 1}})
_DATA = {"name": "set", "region": "b", "gigabytesPerMonth": "100"}
_DEAR_DATA = [cluster("a", price=10), cluster("b", price=90)]


def test_request_40_data_near_by_or_nowhere() -> None:
    """With rttLimit 50 ms a workload stays where its data is, however dear."""
    given = workload("w", 2, data=[{**_DATA, "rttLimit": "50"}])
    assert counts_of(decide(_DEAR_DATA, [given], latency=_SITES)) == {"b": 2}
    decision = decide(_DEAR_DATA[:1], [given], latency=_SITES)
    assert decision.status == "infeasible"
    assert "90 ms to set in b; rttLimit 50 ms" in decision.workloads[0].refused[0].detail


@pytest.mark.parametrize(("euro", "where"), [("0.01", "a"), ("1", "b")])
def test_request_41_data_at_a_price(euro: str, where: str) -> None:
    """At 1 EUR a GB 100 GB outweigh 20 EUR a replica; at a cent they do not."""
    decision = decide(
        _DEAR_DATA,
        [workload("w", 2, data=[_DATA])],
        latency=_SITES,
        objective={"weighted": {"cost": 1, "locality": euro}},
    )
    assert counts_of(decision) == {where: 2}


@pytest.mark.parametrize(("within", "where"), [("0.15", "near"), ("0.04", "far")])
def test_request_41_a_preference_as_a_bounded_premium(within: str, where: str) -> None:
    """The region of the data is 10 % dearer: taken if at most 15 % more may be paid, not at 4 %."""
    clusters = [cluster("far", price=100), cluster("near", price=110)]
    data = [{"name": "set", "region": "near", "gigabytesPerMonth": "1"}]
    levels = [{"term": "cost", "within": within}, {"term": "locality"}]
    decision = decide(clusters, [workload("w", 2, data=data)], objective={"lexicographic": levels})
    assert counts_of(decision) == {where: 2}


def _carbon(**grams: str) -> Plain:
    source = {"source": "by hand", "date": "2026-08-14"}
    return {
        "intensity": [
            {"region": region, "gramsPerKilowattHour": g, "basis": "average", **source}
            for region, g in grams.items()
        ],
        "power": [
            {"resource": resource, "watts": watts, **source}
            for resource, watts in (("cpu", "10"), ("memory", "0"))
        ],
    }


def test_request_42_carbon_as_a_target_and_its_price() -> None:
    """The cleaner grid is taken when carbon is the target, and the front says what a kg costs.

    A CPU of 10 W is 7.3 kWh a month: 3.65 kg at 500 g, 0.73 kg at 100 g, for 2.50 EUR more.
    """
    clusters = [cluster("dirty", price=10), cluster("clean", price=20)]
    carbon = _carbon(dirty="500", clean="100")
    target = {"lexicographic": [{"term": "carbon"}]}
    decision = decide(clusters, [workload("w", 2)], carbon=carbon, objective=target)
    assert counts_of(decision) == {"clean": 2}
    assert decision.objective[0].value == pytest.approx(2 * 0.73)
    given = federation(clusters, [workload("w", 2)], carbon=carbon)
    shown = document(given, ("cost", "carbon"), list(front(given, ("cost", "carbon"))))
    assert shown["points"][0]["price"] == pytest.approx(2.5 / (3.65 - 0.73), abs=1e-5)
