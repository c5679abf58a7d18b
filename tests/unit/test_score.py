"""The terms of one replica, by hand."""

from typing import Any

import pytest

from placement.score import Facts, Terms, terms
from tests.unit.federations import Plain, cluster, federation, latency, node_class, price, workload

_SOURCED = {"source": "x", "date": "2026-08-14"}


def _terms(one: Plain, given: Plain, **facts: Any) -> Terms:
    whole = federation([one], [given], **facts)
    first = whole.clusters[0]
    return terms(Facts.of(whole), whole.workloads[0], first, first.node_classes[0])


def test_cost_is_the_dominant_share_of_a_node() -> None:
    """A quarter of the CPU, half of the memory: half of 100 EUR."""
    assert _terms(cluster("c"), workload("w", memory="8Gi"))["cost"] == pytest.approx(50)


def test_a_pod_is_a_share_as_well() -> None:
    """Of a node for ten pods each takes a tenth, however small."""
    one = cluster("c", node_class(pods=10))
    assert _terms(one, workload("w", cpu="1m", memory="1Mi"))["cost"] == pytest.approx(10)


def test_an_hourly_price_in_another_currency() -> None:
    """0.10 USD an hour x 730 h x 0.8645 EUR/USD, a quarter of it; either direction of the rate."""
    hourly = [price("c", "0.10", currency="USD", per="hour")]
    for exchange, expected in (
        ({"from": "USD", "to": "EUR", "rate": "0.8645"}, 0.1 * 730 * 0.8645 / 4),
        ({"from": "EUR", "to": "USD", "rate": "1.25"}, 0.1 * 730 * 0.8 / 4),
    ):
        found = _terms(
            cluster("c", price=None),
            workload("w"),
            prices=hourly,
            exchange=[{**exchange, **_SOURCED}],
        )
        assert found["cost"] == pytest.approx(expected)


@pytest.mark.parametrize(("basis", "amount"), [("allocated", 25), ("marginal", 0), ("sunk", 0)])
def test_cost_by_basis(basis: str, amount: float) -> None:
    """Sunk costs nothing; marginal is charged by the node and not by the replica."""
    found = _terms(cluster("c"), workload("w"), objective={"basis": basis})
    assert found["cost"] == pytest.approx(amount)


def test_an_unknown_is_none() -> None:
    """Without a price, an intensity or a round trip there is no value, and no zero."""
    users = [{"region": "u", "share": 1}]
    found = _terms(
        cluster("c", price=None),
        workload("w", demand=users),
        latency=latency({"u": {"u": 1}}),
    )
    assert (found["cost"], found["carbon"], found["latency"]) == (None, None, None)
    assert found["locality"] == 0


def test_latency_is_the_mean_over_the_users() -> None:
    """Three parts at 10 ms and one at 50 are 20 ms, from the users to the cluster."""
    found = _terms(
        cluster("c"),
        workload("w", demand=[{"region": "u", "share": 3}, {"region": "v", "share": 1}]),
        latency=latency({"u": {"c": 10}, "v": {"c": 50}, "c": {"u": 99, "v": 99}}),
    )
    assert found["latency"] == pytest.approx(20)


def test_locality_is_what_crosses_regions() -> None:
    """Data in the cluster's own region do not count; the others add up."""
    data = [
        {"name": n, "region": r, "gigabytesPerMonth": g}
        for n, r, g in (("a", "c", 500), ("b", "x", 20), ("d", "y", "0.5"))
    ]
    assert _terms(cluster("c"), workload("w", data=data))["locality"] == pytest.approx(20.5)


_CARBON = {
    "intensity": [{"region": "c", "gramsPerKilowattHour": "200", "basis": "average", **_SOURCED}],
    "power": [
        {"resource": "cpu", "watts": "2", **_SOURCED},
        {"resource": "memory", "watts": "0.5", **_SOURCED},
        {"resource": "nvidia.com/gpu", "watts": "300", **_SOURCED},
        {"resource": "nvidia.com/gpu", "model": "H100", "watts": "700", **_SOURCED},
    ],
}


def test_carbon() -> None:
    """2 cores and 4 GiB: 6 W x 730 h x 200 g/kWh = 876 g."""
    found = _terms(cluster("c"), workload("w", cpu=2, memory="4Gi"), carbon=_CARBON)
    assert found["carbon"] == pytest.approx(0.876)


@pytest.mark.parametrize(("model", "watts"), [("H100", 700), ("L40S", 300)])
def test_carbon_of_an_accelerator(model: str, watts: float) -> None:
    """A model's own figure is taken, and that of any model where it has none."""
    one = cluster("c", node_class(gpu=1, model=model))
    given = workload("w", request={"nvidia.com/gpu": "1"})
    expected = (2 + 0.5 + watts) * 0.73 * 0.2
    assert _terms(one, given, carbon=_CARBON)["carbon"] == pytest.approx(expected)


def test_misfit() -> None:
    """An even use fits; on a node with GPUs a pod without one does not, and one with fits again."""
    even = workload("w", cpu=1, memory="4Gi")
    assert _terms(cluster("c"), even)["fit"] == pytest.approx(0)
    gpus = cluster("c", node_class(gpu=4))
    assert _terms(gpus, even)["fit"] == pytest.approx(1 - (2 / 3) ** 0.5)
    given = workload("w", cpu=1, memory="4Gi", request={"nvidia.com/gpu": "1"})
    assert _terms(gpus, given)["fit"] == pytest.approx(0)
