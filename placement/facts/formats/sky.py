"""The catalogue of SkyPilot (CSV): prices by the hour of instance types, on demand and spot.

A blank price is an offer that does not exist, and no row. Amounts are list prices in USD before
tax, as the providers' price APIs give them to the catalogue's makers. It carries no date.

Source: https://github.com/skypilot-org/skypilot-catalog.
"""

from pathlib import Path

from pydantic import Field

from placement.facts.given import Given
from placement.facts.read import Published, table
from placement.facts.rows import Origin, PriceRow, Rows, Tariff
from placement.federation.base import Amount


class _Row(Published):
    instance_type: str | None = Field(default=None, alias="InstanceType")
    region: str = Field(alias="Region")
    price: Amount | None = Field(default=None, alias="Price")
    spot: Amount | None = Field(default=None, alias="SpotPrice")


def read(path: Path, given: Given) -> Rows:
    """The hourly prices of instance types, on demand and spot."""
    source, day = given.named(f"skypilot-catalog, {path.name}"), given.day(None)
    money, vat = given.money("USD"), given.basis("net")
    prices: list[PriceRow] = []
    for line, row in table(path, _Row):
        if row.instance_type is None:
            continue  # an accelerator that is attached to any machine: the price of no node
        offers: tuple[tuple[Tariff, str, Amount | None], ...] = (
            ("on-demand", "Price", row.price),
            ("spot", "SpotPrice", row.spot),
        )
        prices += [
            PriceRow(
                Origin(given.file, line, column, source, day),
                "node", row.instance_type, row.region, amount, money, vat, "hour", tariff,
            )
            for tariff, column, amount in offers
            if amount is not None
        ]  # fmt: skip
    return Rows(prices=tuple(prices))
