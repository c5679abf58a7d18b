"""The public data set eu-cloud-prices: one JSON file a provider, with instances and rates.

Amounts are in the currency that each instance names. Nothing in the format says whether VAT is in
them, and one provider's file changed from net to gross without a word: the user must say.

Source: https://github.com/mixxor/eu-cloud-prices.
"""

from datetime import date
from decimal import Decimal
from pathlib import Path

from pydantic import Field

from placement.document import Document
from placement.facts.given import Given
from placement.facts.read import Day, Published
from placement.facts.rows import ExchangeRow, Origin, PriceRow, Rows
from placement.faults import shown
from placement.federation.base import Amount, Currency, PositiveAmount


class _Instance(Published):
    id: str
    price_monthly: Amount
    currency: Currency
    location: str | None = None


class _Rates(Published):
    base: Currency
    rate_date: Day
    rates: dict[Currency, PositiveAmount] = Field(default_factory=dict)
    source: str = "as in the file"


class _File(Published):
    provider: str
    fetched_at: Day
    instances: tuple[_Instance, ...] = Field(min_length=1)
    fx: _Rates | None = None


def read(path: Path, given: Given) -> Rows:
    """The monthly prices of a provider's instances, and the exchange rates beside them."""
    document = Document(path)
    content = document.validate(_File)
    source = given.named(f"mixxor/eu-cloud-prices, {content.provider}")
    day: date = given.day(content.fetched_at)
    vat = given.basis(None)
    prices = []
    for index, instance in enumerate(content.instances):
        where = ("instances", index, "price_monthly")
        origin = Origin(
            given.file,
            document.fault(where, "").line,
            shown(where),
            f"{source}, {instance.id}",
            day,
        )
        prices.append(
            PriceRow(
                origin,
                "node",
                instance.id,
                instance.location,
                Decimal(instance.price_monthly),
                instance.currency,
                vat,
                "month",
            )
        )
    return Rows(prices=tuple(prices), exchange=_exchange(document, content, given))


def _exchange(document: Document, content: _File, given: Given) -> tuple[ExchangeRow, ...]:
    if content.fx is None:
        return ()
    where = ("fx", "rates")
    line = document.fault(where, "").line
    source = f"{content.fx.source}, in mixxor/eu-cloud-prices, {content.provider}"
    origin = Origin(given.file, line, shown(where), source, content.fx.rate_date)
    return tuple(
        ExchangeRow(origin, content.fx.base, quote, rate)
        for quote, rate in sorted(content.fx.rates.items())
        if quote != content.fx.base
    )
