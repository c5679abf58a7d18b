"""Predicted against billed: each charge where it belongs, each error as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from placement.__main__ import placement
from placement.faults import BadInputError
from placement.plan import plan
from tests.unit.federations import Plain, cluster, federation, node_class, workload
from tests.unit.federations import plain as plain_federation
from tests.unit.federations import write as write_federation

_HEAD = (
    "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,RegionId,SkuId,"
    "ServiceCategory,Tags\n"
)
# 730 hours, so that a month's price is what is predicted.
_MONTH = "2026-06-01T00:00:00Z,2026-07-01T10:00:00Z"


def _charge(
    billed: float, region: str = "a", sku: str = "m5.large", tags: Plain | None = None, **say: str
) -> str:
    """A row of a bill."""
    cell = '"' + json.dumps(tags or {}).replace('"', '""') + '"'
    category, currency = say.get("category", "Usage"), say.get("currency", "EUR")
    service = say.get("service", "Compute")
    return f"{_MONTH},{category},{currency},{billed},{region},{sku},{service},{cell}\n"


def _clusters() -> list[Plain]:
    """Two clusters of two nodes at 100 and three at 100 in region a, one of one at 50 in b."""
    return [
        cluster("first", node_class("m5-large", count=2), region="a"),
        cluster("second", node_class("m5-large", count=3), region="a"),
        cluster("third", node_class("m5-large"), price=50, region="b"),
    ]


def _run(tmp_path: Path, *rows: str, arguments: tuple[str, ...] = (), **changes: Any) -> Result:
    given = plain_federation(_clusters(), [workload("w", 3)], **changes)
    path = write_federation(tmp_path / "federation.yaml", given)
    bill = tmp_path / "bill.csv"
    bill.write_text(_HEAD + "".join(rows), encoding="utf-8")
    command = ["backtest", str(path), "--billed", str(bill), *arguments]
    return CliRunner().invoke(placement, command, standalone_mode=False)


def _compared(tmp_path: Path, *rows: str, **changes: Any) -> dict[str, Any]:
    result = _run(tmp_path, *rows, arguments=("--json",), **changes)
    assert result.exception is None, result.exception
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def _by_cluster(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {row["cluster"]: row[key] for row in document["rows"]}


def test_all_nodes_are_predicted_for_the_time_of_the_bill(tmp_path: Path) -> None:
    """Count times price times hours of 730, and the error is predicted less billed."""
    document = _compared(tmp_path, _charge(40, "b"))
    assert _by_cluster(document, "predicted") == {"first": 200, "second": 300, "third": 50}
    assert _by_cluster(document, "error")["third"] == 10
    assert _by_cluster(document, "relative")["third"] == 0.25


@pytest.mark.parametrize("tags", [{"cluster": "second"}, {"kubernetes.io/cluster/second": "owned"}])
def test_a_tag_names_the_cluster(tmp_path: Path, tags: Plain) -> None:
    """Where a tag names the cluster, the charge is that cluster's, wherever else its type runs."""
    document = _compared(tmp_path, _charge(310, tags=tags))
    assert _by_cluster(document, "billed") == {"first": 0, "second": 310, "third": 0}
    assert not any(_by_cluster(document, "divided").values())


def test_what_may_be_of_several_is_divided(tmp_path: Path) -> None:
    """Without a tag a charge is divided over equal node classes of its region, as predicted."""
    document = _compared(tmp_path, _charge(600))
    assert _by_cluster(document, "billed") == {"first": 240, "second": 360, "third": 0}
    assert _by_cluster(document, "divided") == {"first": True, "second": True, "third": False}


def test_nothing_that_was_billed_is_dropped(tmp_path: Path) -> None:
    """Volumes, tax, credits and other regions are listed; the sum of all is the bill's."""
    document = _compared(
        tmp_path,
        _charge(50, "b"),
        _charge(7, sku="gp3", service="Storage"),
        _charge(19, "b", category="Tax"),
        _charge(-5, "b", category="Credit"),
        _charge(11, "elsewhere"),
    )
    other = {(u["category"], u["sku"], u["region"]): u["billed"] for u in document["unpredicted"]}
    assert other == {
        ("Usage", "gp3", "a"): 7,
        ("Tax", "m5.large", "b"): 19,
        ("Credit", "m5.large", "b"): -5,
        ("Usage", "m5.large", "elsewhere"): 11,
    }
    assert sum(other.values()) + document["total"]["billed"] == 82


def test_errors_do_not_cancel(tmp_path: Path) -> None:
    """The total has the net error, and beside it the errors without their sign."""
    rows = (
        _charge(220, tags={"cluster": "first"}),
        _charge(280, tags={"cluster": "second"}),
        _charge(50, "b"),
    )
    total = _compared(tmp_path, *rows)["total"]
    assert (total["relative"], total["absoluteError"]) == (0, round(40 / 550, 4))


def test_what_is_not_in_the_bill_is_no_error(tmp_path: Path) -> None:
    """A bill of one provider says nothing of the others: they are predicted, and in no total."""
    document = _compared(tmp_path, _charge(40, "b"))
    assert _by_cluster(document, "error") == {"first": None, "second": None, "third": 10}
    assert document["total"] == {
        "predicted": 50,
        "billed": 40,
        "relative": 0.25,
        "absoluteError": 0.25,
    }


def test_currencies_are_converted(tmp_path: Path) -> None:
    """A bill in another currency is converted at the file's rate, and refused without one."""
    rate = {"from": "USD", "to": "EUR", "rate": "0.5", "source": "by hand", "date": "2026-06-15"}
    document = _compared(tmp_path, _charge(100, "b", currency="USD"), exchange=[rate])
    assert _by_cluster(document, "billed")["third"] == 50
    error = _run(tmp_path, _charge(100, "b", currency="USD")).exception
    assert isinstance(error, BadInputError)
    assert "bill.csv:2 BillingCurrency: read USD" in str(error)


def test_a_net_bill_is_not_held_against_gross_prices(tmp_path: Path) -> None:
    """Where the federation counts gross, a net bill is refused."""
    prices = [
        {"cluster": "third", "nodeClass": "m5-large", "amount": "59.5", "currency": "EUR",
         "vat": "gross", "per": "month", "source": "by hand", "date": "2026-06-15"}
    ]  # fmt: skip
    clusters = [{**c, "price": None} for c in _clusters()]
    given = plain_federation(clusters, [], prices=prices, objective={"vat": "gross"})
    path = write_federation(tmp_path / "gross.yaml", given)
    bill = tmp_path / "bill.csv"
    bill.write_text(_HEAD + _charge(50, "b"), encoding="utf-8")
    command = ["backtest", str(path), "--billed", str(bill)]
    error = CliRunner().invoke(placement, command, standalone_mode=False).exception
    assert isinstance(error, BadInputError)
    assert "allowed net" in str(error)


def test_an_unknown_price_predicts_nothing(tmp_path: Path) -> None:
    """A node class without a price has no error, and is left out of the total."""
    clusters = _clusters()
    clusters[2]["price"] = None
    path = write_federation(tmp_path / "f.yaml", plain_federation(clusters, []))
    bill = tmp_path / "bill.csv"
    bill.write_text(_HEAD + _charge(50, "b"), encoding="utf-8")
    command = ["backtest", str(path), "--billed", str(bill), "--json"]
    document = json.loads(CliRunner().invoke(placement, command, standalone_mode=False).stdout)
    assert _by_cluster(document, "predicted")["third"] is None
    assert _by_cluster(document, "error")["third"] is None
    assert document["total"]["billed"] == 0


def test_the_decision_shows_what_workloads_were_charged(tmp_path: Path) -> None:
    """Beside a cluster's bill stands the part that the decision charged: its replicas' shares."""
    decision = plan(federation(_clusters(), [workload("w", 3)]))
    path = tmp_path / "decision.json"
    path.write_text(decision.json(), encoding="utf-8")
    arguments = ("--json", "--decision", str(path))
    document = json.loads(_run(tmp_path, _charge(50, "b"), arguments=arguments).stdout)
    assert document["allocated"] == {"third": 37.5}  # 3 replicas of 1 CPU on nodes of 4 at 50
    text = _run(tmp_path, _charge(50, "b"), arguments=("--decision", str(path))).stdout
    assert "charged to workloads on third: 37.50, 75% of its bill" in text


def test_the_table(tmp_path: Path) -> None:
    """People read the same figures, with what was not predicted below them."""
    text = _run(tmp_path, _charge(40, "b"), _charge(7, sku="gp3", service="Storage")).stdout
    (third,) = [line.split() for line in text.splitlines() if line.startswith("third")]
    assert third == ["third", "b", "m5-large", "m5.large", "50.00", "40.00", "10.00", "+25.0%"]
    assert "not predicted: Usage Storage gp3 a: 7.00" in text
