"""Bases are never mixed: not between rows, not with a federation file, and not in silence."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from placement.facts.basis import one_basis
from placement.facts.formats import FORMATS
from placement.facts.fragment import fragment
from placement.facts.given import Given
from placement.facts.rows import CarbonRow, Origin, Rows
from placement.faults import BadInputError
from tests.unit.facts.files import AZURE, SERVER_TYPES, read, write
from tests.unit.federations import cluster, federation, node_class, price

DAY = date(2026, 6, 15)
_NET = {"ccx13": "43.49", "cpx32": "35.99", "cx23": "5.99"}
_TRAJECTORY = {
    "2026-01-15": {"ccx13": 12.49, "cpx32": 10.99, "cx23": 3.49},
    "2026-04-02": {"ccx13": 19.03, "cpx32": 16.65, "cx23": 4.75},
    "2026-06-16": {"ccx13": 51.75, "cpx32": 42.83, "cx23": 7.13},
}
"""One public file over time: net in January, gross from April on, and no word of it in the file.
The net prices of these days were 12.49, 15.99, 43.49 (ccx13), 10.99, 13.99, 35.99 (cpx32) and 3.49,
3.99, 5.99 (cx23). Source: mixxor/eu-cloud-prices, hetzner.json, read 2026-08-17."""


def _file(path: Path, day: str) -> Path:
    """The data set's Hetzner file of a day."""
    instances = [
        {"id": sku, "price_monthly": amount, "currency": "EUR", "location": "fsn1"}
        for sku, amount in _TRAJECTORY[day].items()
    ]
    return write(path, {"provider": "hetzner", "fetched_at": day, "instances": instances})


def _federation(prices: dict[str, str], **changes: Any) -> Any:
    """A cluster in fsn1 with a node class of each type, at known net prices."""
    nodes = [node_class(sku) for sku in prices]
    return federation(
        [cluster("c", *nodes, price=None, region="fsn1")],
        [],
        prices=[price("c", amount, sku) for sku, amount in prices.items()],
        **changes,
    )


@pytest.mark.parametrize(
    ("day", "known"),
    [
        ("2026-04-02", {"ccx13": "15.99", "cpx32": "13.99", "cx23": "3.99"}),
        ("2026-06-16", _NET),
    ],
)
def test_a_silent_change_of_vat_basis(tmp_path: Path, day: str, known: dict[str, str]) -> None:
    """A list that came to include 19 % VAT without a word is refused as net, at its first row."""
    path = _file(tmp_path / "hetzner.json", day)
    rows = read("cloud-prices", path, vat="net")
    with pytest.raises(BadInputError) as caught:
        fragment(rows, _federation(known), {})
    (fault,) = caught.value.faults
    assert fault.line == 7
    assert fault.key == "instances[0].price_monthly"
    assert "by a VAT of 19 %" in fault.message


def test_the_net_list_is_no_such_change(tmp_path: Path) -> None:
    """The same list in January, when it was net, passes; so does a rise of every price."""
    rows = read("cloud-prices", _file(tmp_path / "a.json", "2026-01-15"), vat="net")
    for known in (_TRAJECTORY["2026-01-15"], {"ccx13": 11.11, "cpx32": 9.99, "cx23": 3.33}):
        found = fragment(rows, _federation({k: str(v) for k, v in known.items()}), {})
        assert found.warnings == ()
        assert [p["amount"] for p in found.plain["prices"]] == ["12.49", "10.99", "3.49"]


def test_one_price_off_by_vat_is_a_warning(tmp_path: Path) -> None:
    """Where only one of several prices differs by a rate of VAT, that is asked and not refused."""
    rows = read("cloud-prices", _file(tmp_path / "a.json", "2026-06-16"), vat="net")
    found = fragment(rows, _federation({"ccx13": "43.49", "cpx32": "40.00", "cx23": "7.00"}), {})
    assert len(found.warnings) == 1
    assert "the net price of ccx13 differs from the known one by 19 %" in found.warnings[0]


def test_the_objective_chooses_between_net_and_gross(tmp_path: Path) -> None:
    """Where a publisher gives both, the federation's basis is taken; net where there is none."""
    rows = read("hetzner", write(tmp_path / "t.json", SERVER_TYPES), dated=DAY, currency="EUR")
    ours = cluster("c", node_class("ccx13"), price=None, region="fsn1")
    gross = federation([ours], [], objective={"vat": "gross"})
    assert {r.vat for r in one_basis(rows, gross).prices} == {"gross"}
    assert {r.vat for r in one_basis(rows, None).prices} == {"net"}


def test_gross_prices_do_not_enter_a_net_federation(tmp_path: Path) -> None:
    """A list that is gross alone is refused where the objective is net."""
    rows = read("cloud-prices", _file(tmp_path / "a.json", "2026-06-16"), vat="gross")
    with pytest.raises(BadInputError, match=r"vat is gross where objective\.vat is net"):
        one_basis(rows, _federation(_NET))


def test_net_and_gross_files_are_not_mixed(tmp_path: Path) -> None:
    """Two lists of different bases in one call are refused, with both places."""
    path = _file(tmp_path / "a.json", "2026-06-16")
    both = Rows.joined(read("cloud-prices", path, vat=vat) for vat in ("net", "gross"))
    both = Rows(prices=(*both.prices[:1], *both.prices[4:]))
    with pytest.raises(
        BadInputError, match=r"a\.json:\d+ .*vat is gross beside net of .*a\.json:7"
    ):
        one_basis(both, None)


def test_a_currency_needs_a_rate(tmp_path: Path) -> None:
    """A currency that nothing turns into the objective's is refused; a dated rate admits it."""
    rows = read("hetzner", write(tmp_path / "t.json", SERVER_TYPES), dated=DAY, currency="USD")
    with pytest.raises(BadInputError, match="currency is USD, which nothing turns into EUR"):
        one_basis(rows, _federation(_NET))
    rate = {"from": "USD", "to": "EUR", "rate": "0.86", "source": "ECB", "date": "2026-06-15"}
    assert one_basis(rows, _federation(_NET, exchange=[rate])).prices


def _carbon(**changes: Any) -> CarbonRow:
    given = {"basis": "average", "accounting": "location", "factor": "lifecycle", **changes}
    origin = Origin("f.json", 3, "carbonIntensity", "by hand", DAY)
    return CarbonRow(origin=origin, zone=changes.get("zone", "DE"), grams=Decimal(300), **{
        k: v for k, v in given.items() if k != "zone"
    })  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"basis": "marginal"}, "basis is marginal beside average"),
        ({"accounting": "market"}, "accounting is market beside location"),
        ({"factor": "direct"}, "emissionFactorType is direct beside lifecycle"),
    ],
)
def test_carbon_bases_are_not_mixed(change: dict[str, str], words: str) -> None:
    """Average and marginal, location and market, lifecycle and direct do not stand together."""
    with pytest.raises(BadInputError, match=words):
        one_basis(Rows(carbon=(_carbon(), _carbon(**change))), None)
    assert one_basis(Rows(carbon=(_carbon(), _carbon(factor=None))), None).carbon


def test_carbon_fits_what_the_federation_holds() -> None:
    """An average beside the marginal intensity of another region in the file is refused."""
    held = {
        "region": "elsewhere", "gramsPerKilowattHour": 1, "basis": "marginal", "source": "by hand",
        "date": "2026-06-15",
    }  # fmt: skip
    given = _federation(_NET, carbon={"intensity": [held]})
    with pytest.raises(BadInputError, match="basis is average beside marginal of elsewhere"):
        one_basis(Rows(carbon=(_carbon(),)), given)


def test_statistics_are_not_mixed(tmp_path: Path) -> None:
    """Latencies of the 95th percentile do not stand beside means."""
    azure = read("azure-latency", write(tmp_path / "a.md", AZURE), dated=DAY)
    means = write(tmp_path / "m.csv", "src,dst,mean,std\nTokyo,Seoul,36.02,1.6\n")
    rows = Rows.joined([azure, FORMATS["cloudping-csv"](means, Given(str(means), DAY))])
    with pytest.raises(BadInputError, match="statistic is mean beside p95"):
        one_basis(rows, None)
