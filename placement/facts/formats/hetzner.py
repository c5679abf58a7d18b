"""Hetzner Cloud API: the answers of ``/v1/server_types`` and of ``/v1/pricing``.

Both list for each server type and location a price by the hour and one by the month, net and gross,
as decimal strings. The monthly price is a cap, and a month of 730 hours always reaches it, so it is
what is read. ``/v1/pricing`` names the currency; ``/v1/server_types`` does not.

Source: https://docs.hetzner.cloud/reference/cloud, server types and pricing.
"""

from pathlib import Path

from placement.document import Document
from placement.facts.given import Given
from placement.facts.read import Published
from placement.facts.rows import Origin, PriceRow, Rows, Vat
from placement.faults import BadInputError, Location, shown
from placement.federation.base import Amount, Currency


class _Money(Published):
    net: Amount
    gross: Amount


class _Price(Published):
    location: str
    price_monthly: _Money


class _ServerType(Published):
    name: str
    prices: tuple[_Price, ...]


class _Pricing(Published):
    currency: Currency
    server_types: tuple[_ServerType, ...]


class _Answer(Published):
    server_types: tuple[_ServerType, ...] | None = None
    pricing: _Pricing | None = None


def read(path: Path, given: Given) -> Rows:
    """The prices of server types by location, net and gross."""
    document = Document(path)
    answer = document.validate(_Answer)
    inner: Location = ("server_types",)
    types, currency = answer.server_types, None
    if answer.pricing is not None:
        inner = ("pricing", "server_types")
        types, currency = answer.pricing.server_types, answer.pricing.currency
    if types is None:
        message = "read neither server_types nor pricing; allowed an answer of either endpoint"
        raise BadInputError(document.fault((), message))
    endpoint = "/v1/pricing" if answer.pricing is not None else "/v1/server_types"
    source, day = given.named(f"Hetzner Cloud API, {endpoint}"), given.day(None)
    money = given.money(currency)
    rows: list[PriceRow] = []
    for i, server_type in enumerate(types):
        for k, price in enumerate(server_type.prices):
            where = (*inner, i, "prices", k, "price_monthly")
            fault = document.fault(where, "")
            origin = Origin(given.file, fault.line, shown(where), source, day)
            amounts: tuple[tuple[Vat, Amount], ...] = (
                ("net", price.price_monthly.net),
                ("gross", price.price_monthly.gross),
            )
            rows += [
                PriceRow(
                    origin, "node", server_type.name, price.location, amount, money, vat, "month"
                )
                for vat, amount in amounts
            ]
    return Rows(prices=tuple(rows))
