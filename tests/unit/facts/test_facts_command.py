"""``python -m placement facts`` prints a part of a federation file that fits the file."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from placement.__main__ import placement
from placement.faults import BadInputError
from placement.federation import load
from tests.unit.facts.files import AZURE, CARBON, SERVER_TYPES, fragment, write
from tests.unit.federations import Plain, cluster, node_class, plain, workload
from tests.unit.federations import write as write_federation


def _file(tmp_path: Path) -> Path:
    """A federation of one Hetzner cluster in fsn1 and an Azure one, without any facts."""
    labels = {"node.kubernetes.io/instance-type": "ccx13"}
    content = plain(
        [
            cluster("hz", node_class("pool", labels=labels), price=None, region="fsn1"),
            cluster("az", price=None, region="westeurope", provider="azure"),
        ],
        [workload("w", demand=[{"region": "eastus", "share": 1}])],
        latency={"source": "none yet", "date": "2026-06-15", "statistic": "none",
                 "sites": {"eastus": {"site": "x"}}, "roundTrip": {}},
    )  # fmt: skip
    return write_federation(tmp_path / "federation.yaml", content)


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(placement, ["facts", *map(str, arguments)], standalone_mode=False)


def _merged(path: Path, *parts: Plain) -> Path:
    content: Any = yaml.safe_load(path.read_text())
    for part in parts:
        content |= part
    return write_federation(path, content)


def test_fragments_fit_the_file(tmp_path: Path) -> None:
    """Prices, latencies and carbon printed for a file can be put into it, and it still loads."""
    path = _file(tmp_path)
    types = write(tmp_path / "types.json", SERVER_TYPES)
    azure, carbon = write(tmp_path / "azure.md", AZURE), write(tmp_path / "c.csv", CARBON)
    day = ("--date", "2026-06-15")
    prices = fragment("hetzner", types, "--for", path, *day, "--currency", "EUR")
    latency = fragment("azure-latency", azure, "--for", path, *day)
    intensity = fragment("google-carbon", carbon, "--for", path, *day)
    merged = load(_merged(path, prices, latency, intensity))
    assert [(p.cluster, p.node_class, str(p.amount)) for p in merged.prices] == [
        ("hz", "pool", "43.4900000000")
    ]
    assert merged.latency is not None
    assert merged.latency.between("fsn1", "westeurope") == 14
    assert merged.latency.between("westeurope", "fsn1") == 12
    assert merged.latency.between("fsn1", "fsn1") is None
    assert [(i.region, i.proxy) for i in merged.carbon.intensity] == [
        ("fsn1", "europe-west3 stands in for fsn1, in the area of Frankfurt")
    ]


def test_what_is_not_published_is_named(tmp_path: Path) -> None:
    """Node classes and regions without a figure are named on standard error, and stay unknown."""
    path = _file(tmp_path)
    types = write(tmp_path / "types.json", SERVER_TYPES)
    result = _run("hetzner", types, "--for", path, "--date", "2026-06-15", "--currency", "EUR")
    assert result.stderr == "no price of az/n\n"
    carbon = write(tmp_path / "c.csv", CARBON)
    result = _run("google-carbon", carbon, "--for", path, "--date", "2026-06-15")
    assert result.stderr == "no carbon intensity of westeurope\n"


def test_a_proxy_that_the_user_states_is_labelled(tmp_path: Path) -> None:
    """A price of another region is taken only where the user says so, and says so itself."""
    path = _merged(_file(tmp_path), {"exchange": []})
    types = write(
        tmp_path / "types.json", str(SERVER_TYPES).replace("'", '"').replace("fsn1", "eu")
    )
    arguments = ("hetzner", types, "--for", path, "--date", "2026-06-15", "--currency", "EUR")
    assert isinstance(_run(*arguments).exception, BadInputError)
    (price,) = fragment(*arguments, "--proxy", "fsn1=eu")["prices"]
    assert price["proxy"] == "the price in eu, as stated"


def test_spot_prices_are_of_spot_classes(tmp_path: Path) -> None:
    """A class of spot nodes has the spot price of its type, any other the price on demand."""
    taints = [{"key": "spot", "value": "true", "effect": "NoSchedule"}]
    nodes = (
        node_class("lasting", labels={"node.kubernetes.io/instance-type": "m5.large"}),
        node_class("m5-large", spot=True, taints=taints),
    )
    content = plain([cluster("c", *nodes, price=None, region="a")], [])
    path = write_federation(tmp_path / "f.yaml", {**content, "objective": {"currency": "USD"}})
    catalogue = write(
        tmp_path / "vms.csv", "InstanceType,Region,Price,SpotPrice\nm5.large,a,0.10,0.03\n"
    )
    prices = fragment("sky", catalogue, "--for", path, "--date", "2026-06-15")["prices"]
    assert {p["nodeClass"]: p["amount"] for p in prices} == {"lasting": "0.10", "m5-large": "0.03"}


def test_parts_price_a_node(tmp_path: Path) -> None:
    """Cores, GiB and accelerators add up to the price of a node that has them."""
    content = plain([cluster("c", node_class("n", cpu=4, memory="16Gi", gpu=2), price=None)], [])
    content["objective"] = {"currency": "USD"}
    path = write_federation(tmp_path / "f.yaml", content)
    default = write(tmp_path / "d.json", {"CPU": "0.03", "RAM": "0.004", "GPU": "0.95"})
    arguments = ("opencost-json", default, "--date", "2026-06-15", "--currency", "USD")
    (price,) = fragment(*arguments, "--vat", "net", "--for", path)["prices"]
    assert (price["amount"], price["per"]) == ("2.084", "hour")
    assert price["proxy"] == "the parts that are allocatable"
    error = _run(*arguments, "--vat", "net").exception
    assert isinstance(error, BadInputError)
    assert "allowed beside --for FEDERATION" in str(error)


def test_ages_are_judged_against_the_given_day(tmp_path: Path) -> None:
    """A price of 61 days is warned of, one of 60 is not; without --now nothing is."""
    types = write(tmp_path / "types.json", SERVER_TYPES)
    arguments = ("hetzner", types, "--date", "2026-06-15", "--currency", "EUR")
    assert _run(*arguments, "--now", "2026-08-14").stderr == ""
    assert _run(*arguments).stderr == ""
    warning = _run(*arguments, "--now", "2026-08-15").stderr
    assert warning == f"{types}:12: price of 2026-06-15 is 61 days old; allowed 60\n"
    assert "price of 2026-06-15, after 2026-06-01" in _run(*arguments, "--now", "2026-06-01").stderr


def test_facts_of_the_file_are_judged_as_well(tmp_path: Path) -> None:
    """With --for, what the federation file itself holds is warned of by its key."""
    path = _file(tmp_path)
    carbon = write(tmp_path / "c.csv", CARBON)
    arguments = ("google-carbon", carbon, "--for", path, "--date", "2026-12-31")
    stderr = _run(*arguments, "--now", "2027-06-16").stderr
    assert f"{path} latency: latency of 2026-06-15 is 366 days old; allowed 365" in stderr


def test_without_a_federation_names_are_the_publishers(tmp_path: Path) -> None:
    """A price is of the type in its region, so that the fragment is whole to be renamed."""
    types = write(tmp_path / "types.json", SERVER_TYPES)
    prices = fragment("hetzner", types, "--date", "2026-06-15", "--currency", "EUR")["prices"]
    assert [(p["cluster"], p["nodeClass"]) for p in prices] == [
        ("fsn1", "ccx13"),
        ("fsn1", "cpx32"),
        ("fsn1", "cx23"),
    ]


def test_json_holds_rows_fragment_and_warnings(tmp_path: Path) -> None:
    """The machine-readable form has every row with its place, basis and date."""
    types = write(tmp_path / "types.json", SERVER_TYPES)
    arguments = ("hetzner", types, "--date", "2026-06-15", "--currency", "EUR", "--json")
    document = fragment(*arguments)
    row = document["rows"]["prices"][0]
    assert (row["sku"], row["vat"], row["origin"]["line"]) == ("ccx13", "net", 12)
    assert len(document["fragment"]["prices"]) == 3
    assert document["warnings"] == []


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    """Two runs print the same."""
    azure = write(tmp_path / "azure.md", AZURE)
    arguments = ("azure-latency", azure, "--for", _file(tmp_path), "--date", "2026-06-15")
    assert _run(*arguments).stdout == _run(*arguments).stdout


@pytest.mark.parametrize("said", ["fsn1", ""])
def test_a_proxy_without_a_site_is_refused(tmp_path: Path, said: str) -> None:
    """--proxy reads REGION=SITE and nothing else."""
    carbon = write(tmp_path / "c.csv", CARBON)
    result = _run("google-carbon", carbon, "--date", "2024-12-31", "--proxy", said)
    assert "allowed REGION=SITE" in str(result.exception)
