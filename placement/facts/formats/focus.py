"""FOCUS (FinOps Open Cost and Usage Specification, 1.0 to 1.2), as CSV.

Owns the charges of a bill, for prices and for the comparison with what was predicted. A price is
the unit price that the contract says, else the list's, of charges of usage that are priced by the
hour; of several of a SKU in a region the latest. Taxes are charges of their own in FOCUS, so all
other amounts are net.

Source: https://focus.finops.org/focus-specification.
"""

import json
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from placement.facts.given import Given
from placement.facts.read import Published, table
from placement.facts.rows import Origin, PriceRow, Rows
from placement.federation.base import Amount, Currency

_HOURS = frozenset({"hour", "hours", "hrs", "1 hour"})


def _object(value: object) -> object:
    return json.loads(value) if isinstance(value, str) else value


_Object = Annotated[dict[str, Any], BeforeValidator(_object)]
"""A JSON object in a cell."""


class Charge(Published):
    """A row of a FOCUS file, as far as it is read here. A credit is below 0."""

    start: datetime = Field(alias="ChargePeriodStart")
    end: datetime = Field(alias="ChargePeriodEnd")
    category: str = Field(alias="ChargeCategory")
    currency: Currency = Field(alias="BillingCurrency")
    billed: Annotated[Decimal, Field(allow_inf_nan=False)] = Field(alias="BilledCost")
    service: str | None = Field(default=None, alias="ServiceCategory")
    region: str | None = Field(default=None, alias="RegionId")
    sku_id: str | None = Field(default=None, alias="SkuId")
    details: _Object = Field(default={}, alias="SkuPriceDetails")
    tags: _Object = Field(default={}, alias="Tags")
    unit: str | None = Field(default=None, alias="PricingUnit")
    contracted: Amount | None = Field(default=None, alias="ContractedUnitPrice")
    listed: Amount | None = Field(default=None, alias="ListUnitPrice")

    @property
    def sku(self) -> str | None:
        """The instance type where the provider says it (since FOCUS 1.2), else the SKU."""
        said = self.details.get("InstanceType")
        return str(said) if said else self.sku_id


def charges(path: Path) -> Iterator[tuple[int, Charge]]:
    """The charges of a FOCUS file with their lines.

    Raises:
        BadInputError: as ``table``.
    """
    return table(path, Charge)


def read(path: Path, given: Given) -> Rows:
    """The unit prices by the hour of what was used, the latest of each SKU and region."""
    source, vat = given.named("FOCUS bill"), given.basis("net")
    latest: dict[tuple[str, str | None], PriceRow] = {}
    for line, charge in charges(path):
        column = "ListUnitPrice" if charge.contracted is None else "ContractedUnitPrice"
        amount = charge.listed if charge.contracted is None else charge.contracted
        by_hour = (charge.unit or "").lower() in _HOURS
        if charge.category != "Usage" or amount is None or charge.sku is None or not by_hour:
            continue
        day: date = charge.start.date()
        row = PriceRow(
            Origin(given.file, line, column, source, day),
            "node", charge.sku, charge.region, amount, given.money(charge.currency), vat, "hour",
        )  # fmt: skip
        before = latest.get((charge.sku, charge.region))
        if before is None or before.origin.date <= day:
            latest[charge.sku, charge.region] = row
    return Rows(prices=tuple(latest.values()))
