"""OpenCost's price file (CSV): market prices by the hour of nodes and accelerators.

``InstanceIDField`` says which field of a node ``InstanceID`` is compared with. A row with an
``InstanceType`` is the price of that type; others price what bears the name, a label's value or a
single node. Rows of volumes (``pv``) are not read: no term of the objective charges them. A row of
class ``gpu`` is the price of one accelerator, beside that of its node.

Source: https://www.opencost.io/docs/configuration/on-prem, ``pricing_schema.csv``.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from placement.facts.given import Given
from placement.facts.read import Day, Published, table
from placement.facts.rows import Origin, PriceRow, Rows
from placement.federation.base import Amount


class _Row(Published):
    end: Day = Field(alias="EndTimestamp")
    instance: str | None = Field(default=None, alias="InstanceID")
    region: str | None = Field(default=None, alias="Region")
    asset: Literal["node", "pv", "gpu"] = Field(alias="AssetClass")
    instance_type: str | None = Field(default=None, alias="InstanceType")
    hourly: Amount = Field(alias="MarketPriceHourly")


def read(path: Path, given: Given) -> Rows:
    """The hourly prices of nodes and accelerators."""
    money, vat = given.money(None), given.basis(None)
    source = given.named("OpenCost price file")
    prices = [
        PriceRow(
            origin=Origin(given.file, line, "MarketPriceHourly", source, row.end),
            of="node" if row.asset == "node" else "accelerator",
            sku=row.instance_type or row.instance,
            region=row.region,
            amount=row.hourly,
            currency=money,
            vat=vat,
            per="hour",
        )
        for line, row in table(path, _Row)
        if row.asset != "pv"
    ]
    return Rows(prices=tuple(prices))
