"""Each publisher's format is read into rows that keep figure, basis, date and place."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from placement.facts.formats import FORMATS
from placement.faults import BadInputError
from tests.unit.facts.files import AZURE, CARBON, SERVER_TYPES, read, write

DAY = date(2026, 6, 15)


def test_hetzner_server_types(tmp_path: Path) -> None:
    """Each type and location has its monthly price net and gross, with the line that it is on."""
    path = write(tmp_path / "types.json", SERVER_TYPES)
    rows = read("hetzner", path, dated=DAY, currency="EUR").prices
    first = [(r.sku, r.region, r.vat, r.per, r.amount) for r in rows[:2]]
    assert first == [
        ("ccx13", "fsn1", "net", "month", Decimal("43.4900000000")),
        ("ccx13", "fsn1", "gross", "month", Decimal("51.7531000000")),
    ]
    assert len(rows) == 6
    assert (
        path.read_text().splitlines()[rows[0].origin.line - 1].strip().startswith('"price_monthly"')
    )


def test_hetzner_pricing_names_its_currency(tmp_path: Path) -> None:
    """/v1/pricing states the currency; /v1/server_types does not, and asks for it."""
    pricing = {"pricing": {"currency": "USD", "vat_rate": "19.00", **SERVER_TYPES}}
    path = write(tmp_path / "pricing.json", pricing)
    assert {r.currency for r in read("hetzner", path, dated=DAY).prices} == {"USD"}
    with pytest.raises(BadInputError, match="read USD in the file and EUR on the command line"):
        read("hetzner", path, dated=DAY, currency="EUR")
    with pytest.raises(BadInputError, match="currency: the format states none; allowed --currency"):
        read("hetzner", write(tmp_path / "types.json", SERVER_TYPES), dated=DAY)


def test_opencost_csv(tmp_path: Path) -> None:
    """Nodes and accelerators have hourly prices, volumes none that is read."""
    path = write(
        tmp_path / "prices.csv",
        "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,"
        "MarketPriceHourly,Version\n"
        "2026-06-15 23:34:22 UTC,node-1,,node,metadata.name,,0.1337,\n"
        "2026-06-15 23:34:22 UTC,,eu-central-1,node,,m6a.4xlarge,0.828,\n"
        "2026-06-15 23:34:22 UTC,H100,,gpu,gpu.nvidia.com/class,,2.95,\n"
        "2026-06-15 23:34:22 UTC,vol-1,,pv,spec.volumeName,,0.0001,\n",
    )
    rows = read("opencost-csv", path, currency="USD", vat="net").prices
    assert [(r.of, r.sku, r.region, r.amount, r.origin.line) for r in rows] == [
        ("node", "node-1", None, Decimal("0.1337"), 2),
        ("node", "m6a.4xlarge", "eu-central-1", Decimal("0.828"), 3),
        ("accelerator", "H100", None, Decimal("2.95"), 4),
    ]
    assert {r.origin.date for r in rows} == {DAY}
    with pytest.raises(BadInputError, match="vat: the format states none"):
        read("opencost-csv", path, currency="USD")


def test_opencost_json(tmp_path: Path) -> None:
    """The text prices of a core, a GiB and an accelerator are read, spot apart."""
    default = {
        "provider": "base", "description": "Default prices", "CPU": "0.031611",
        "spotCPU": "0.006655", "RAM": "0.004237", "spotRAM": "0.000892", "GPU": "0.95",
        "storage": "0.00005479452", "internetNetworkEgress": "0.12",
    }  # fmt: skip
    path = write(tmp_path / "default.json", default)
    rows = read("opencost-json", path, dated=DAY, currency="USD", vat="net").prices
    assert [(r.of, r.tariff, str(r.amount)) for r in rows] == [
        ("core", "on-demand", "0.031611"),
        ("gibibyte", "on-demand", "0.004237"),
        ("accelerator", "on-demand", "0.95"),
        ("core", "spot", "0.006655"),
        ("gibibyte", "spot", "0.000892"),
    ]


def test_sky_catalogue(tmp_path: Path) -> None:
    """A blank price is no offer; on demand and spot are rows of their own."""
    path = write(
        tmp_path / "vms.csv",
        "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,"
        "SpotPrice\n"
        "1H100.80S.30V,30,120,H100,1,,FIN-01,2.29,0.8015\n"
        "CPU.4V.16G,4,16,,,,FIN-01,0.0279,\n"
        ",,,TPU,1,,FIN-01,3.22,\n",
    )
    rows = read("sky", path, dated=DAY).prices
    assert [(r.sku, r.tariff, str(r.amount), r.currency, r.vat) for r in rows] == [
        ("1H100.80S.30V", "on-demand", "2.29", "USD", "net"),
        ("1H100.80S.30V", "spot", "0.8015", "USD", "net"),
        ("CPU.4V.16G", "on-demand", "0.0279", "USD", "net"),
    ]


def test_focus_prices(tmp_path: Path) -> None:
    """Hourly usage has a price, the contract's before the list's, the latest of each SKU."""
    head = (
        "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,RegionId,"
        "SkuId,SkuPriceDetails,PricingUnit,ContractedUnitPrice,ListUnitPrice\n"
    )
    details = '"{""InstanceType"": ""m6a.4xlarge""}"'
    day = "2026-06-0{0}T00:00:00Z,2026-06-0{1}T00:00:00Z"
    path = write(
        tmp_path / "bill.csv",
        head
        + f"{day.format(1, 2)},Usage,USD,19.9,eu-west-1,S1,{details},Hours,0.80,0.83\n"
        + f"{day.format(2, 3)},Usage,USD,19.9,eu-west-1,S1,{details},Hours,,0.84\n"
        + f"{day.format(1, 2)},Usage,USD,1,eu-west-1,S2,,GB-Months,,0.10\n"
        + f"{day.format(1, 2)},Tax,USD,3.8,eu-west-1,S1,,Hours,,0.1\n",
    )
    rows = read("focus", path).prices
    assert [(r.sku, r.region, str(r.amount), r.vat, r.origin.line) for r in rows] == [
        ("m6a.4xlarge", "eu-west-1", "0.84", "net", 3)
    ]


@pytest.mark.parametrize(
    ("answer", "zone", "grams", "factor", "reading"),
    [
        (
            {"zone": "DE", "carbonIntensity": 302, "datetime": "2026-06-15T10:00:00.000Z",
             "updatedAt": "2026-06-15T10:30:00.000Z", "emissionFactorType": "lifecycle",
             "isEstimated": True, "estimationMethod": "TIME_SLICER_AVERAGE"},
            "DE", "302.00", "lifecycle", True,
        ),
        (
            {"carbonIntensity": 302, "datetime": "2026-06-15T10:00:00Z"},
            "named", "302.00", None, True,
        ),
        (
            {"zone": "FR", "history": [
                {"datetime": "2026-06-15T09:00:00Z", "carbonIntensity": 20},
                {"datetime": "2026-06-15T10:00:00Z"},
                {"datetime": "2026-06-15T11:00:00Z", "carbonIntensity": 25},
            ]},
            "FR", "22.50", None, True,
        ),
        (
            {"data": 8760 * [
                {"datetime": "2026-06-15T00:00:00Z", "zone": "SE", "carbonIntensity": 9},
            ]},
            "SE", "9.00", None, False,
        ),
    ],
)  # fmt: skip
def test_electricity_maps(
    tmp_path: Path, answer: object, zone: str, grams: str, factor: str | None, reading: bool
) -> None:
    """Latest and history in both shapes; every key but the time may be missing."""
    (row,) = read("electricity-maps", write(tmp_path / "named.json", answer)).carbon
    assert (row.zone, str(row.grams), row.factor, row.reading) == (zone, grams, factor, reading)
    assert (row.basis, row.accounting, row.origin.date) == ("average", "location", DAY)


def test_a_forecast_is_no_fact(tmp_path: Path) -> None:
    """A forecast of carbon intensity is refused, with its line."""
    answer = {"zone": "DE", "forecast": [{"carbonIntensity": 300, "datetime": "2026-06-15"}]}
    path = write(tmp_path / "forecast.json", answer)
    with pytest.raises(BadInputError, match=r"forecast\.json:3 forecast: read a forecast"):
        read("electricity-maps", path)


def test_google_carbon(tmp_path: Path) -> None:
    """Each region has the grid's yearly mean, of the year that the user states."""
    rows = read("google-carbon", write(tmp_path / "c.csv", CARBON), dated=date(2024, 12, 31)).carbon
    assert [(r.zone, str(r.grams)) for r in rows][:2] == [
        ("europe-north1", "39.32"),
        ("europe-west3", "275.82"),
    ]
    assert not rows[0].reading


def test_cloudping(tmp_path: Path) -> None:
    """Ordered pairs in ms; a pair without a figure stays unknown."""
    answer = {
        "metadata": {"percentile": "p_50", "timeframe": "1M", "unit": "milliseconds"},
        "data": {"eu-central-1": {"us-east-1": 91.2, "eu-west-1": None}, "us-east-1": {}},
    }
    rows = read("cloudping", write(tmp_path / "ping.json", answer), dated=DAY).latency
    assert [(r.start, r.end, str(r.milliseconds), r.statistic) for r in rows] == [
        ("eu-central-1", "us-east-1", "91.2", "p50")
    ]


def test_azure_latency(tmp_path: Path) -> None:
    """The two ways of a pair may differ, and what is blank is unknown."""
    rows = read("azure-latency", write(tmp_path / "azure.md", AZURE), dated=DAY).latency
    trips = {(r.start, r.end): int(r.milliseconds) for r in rows}
    assert trips == {
        ("germanywestcentral", "westeurope"): 14,
        ("germanywestcentral", "eastus"): 97,
        ("westeurope", "germanywestcentral"): 12,
        ("westeurope", "eastus"): 84,
        ("eastus", "germanywestcentral"): 97,
    }
    assert {r.statistic for r in rows} == {"p95"}


@pytest.mark.parametrize(
    ("format_", "content", "fault"),
    [
        ("google-carbon", "Google Cloud Region,Location\nx,y\n", r":1 Grid carbon.*: missing"),
        ("google-carbon", CARBON + "x,y,0.1,-3\n", r":5 Grid carbon intensity.*read '-3'"),
        ("sky", "InstanceType,Region,Price\na,b,free\n", r":2 Price: .*allowed a decimal number"),
        ("cloudping",
         {"metadata": {"percentile": "p_50", "timeframe": "1M", "unit": "s"}, "data": {}},
         r":5 metadata\.unit: read 's'; allowed 'ms' or 'milliseconds'"),
        ("azure-latency", "| S | West Europe |\n|---|---|\n| East US | fast |\n",
         r":3 westeurope: read 'fast'; allowed milliseconds"),
        ("azure-latency", "no table\n", "read no round trip"),
        ("hetzner", {"servers": []}, "read neither server_types nor pricing"),
        ("electricity-maps", {"zone": "DE"}, "read no carbonIntensity"),
        ("opencost-json", {"CPU": "x", "RAM": "1"}, r":2 CPU: .*allowed a decimal number"),
        ("focus", "ChargePeriodStart\n", r":1 BillingCurrency: missing"),
    ],
)  # fmt: skip
def test_faults_name_the_place(tmp_path: Path, format_: str, content: object, fault: str) -> None:
    """What is wrong in a file is named with its line, its key or column, and what is allowed."""
    path = write(tmp_path / "file", content)
    with pytest.raises(BadInputError, match=fault):
        read(format_, path, dated=DAY)


@pytest.mark.parametrize("format_", sorted(FORMATS))
@pytest.mark.parametrize("content", ["", "\x00", "{", "[1]", "a,b\n1\n", "| a |\n", '{"a": ' * 200])
def test_no_file_makes_a_format_fall_over(tmp_path: Path, format_: str, content: str) -> None:
    """Whatever stands in a file that is not of the format, the answer is a fault that names it."""
    path = write(tmp_path / "file", content)
    with pytest.raises(BadInputError) as caught:
        read(format_, path, dated=DAY, currency="EUR", vat="net")
    assert {fault.file for fault in caught.value.faults} == {str(path)}
