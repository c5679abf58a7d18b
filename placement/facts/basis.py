"""That figures of different bases are never mixed: net and gross, average and marginal, and so on.

Owns the comparison of rows with each other and with what a federation file already holds. It
changes no figure: what does not fit is a fault at the row, with the way out.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from placement.facts.rows import Origin, PriceRow, Rows, Vat
from placement.faults import BadInputError, Fault
from placement.federation.federation import Federation
from placement.federation.objective import Objective

VAT_RATES = tuple(
    Decimal(r) for r in ("17", "18", "19", "20", "21", "22", "23", "24", "25", "25.5", "27")
)
"""Standard rates of value-added tax in the European Union, 2026, in per cent."""


def one_basis(rows: Rows, federation: Federation | None) -> Rows:
    """The rows, of two prices with and without VAT the one that is wanted.

    Raises:
        BadInputError: bases are mixed; a fault for the first row of each mixture.
    """
    prices = _of_wanted_vat(rows.prices, federation.objective if federation else None)
    result = Rows(prices, rows.exchange, rows.latency, rows.carbon)
    found = [
        *_mixed("vat", ((r.origin, r.vat) for r in prices), "convert the amounts"),
        *_mixed("basis", ((r.origin, r.basis) for r in rows.carbon), "leave one out"),
        *_mixed("accounting", ((r.origin, r.accounting) for r in rows.carbon), "leave one out"),
        *_mixed("emissionFactorType", ((r.origin, r.factor) for r in rows.carbon), "leave one out"),
        *_mixed("statistic", ((r.origin, r.statistic) for r in rows.latency), "leave one out"),
        *_currencies(result, federation),
        *(() if federation is None else _against(result, federation)),
    ]
    if found:
        raise BadInputError(*found)
    return result


def _of_wanted_vat(prices: Sequence[PriceRow], objective: Objective | None) -> tuple[PriceRow, ...]:
    """Of what is priced both ways the wanted one; net where nobody says; all else as it is."""
    wanted: Vat = objective.vat if objective else "net"
    both = {_priced(r) for r in prices if r.vat == "net"} & {
        _priced(r) for r in prices if r.vat == "gross"
    }
    return tuple(r for r in prices if r.vat == wanted or _priced(r) not in both)


def _priced(row: PriceRow) -> tuple[Any, ...]:
    return (row.origin.file, row.of, row.sku, row.region, row.per, row.tariff)


def _mixed(key: str, values: Iterable[tuple[Origin, str | None]], way: str) -> Iterator[Fault]:
    """A fault where not all values are the same; None is a value that is not stated."""
    stated = [(origin, value) for origin, value in values if value is not None]
    for origin, value in stated:
        first, other = stated[0]
        if value != other:
            message = (
                f"{key} is {value} beside {other} of {first}; allowed one {key} throughout: {way}"
            )
            yield origin.fault(message)
            return


def _currencies(rows: Rows, federation: Federation | None) -> Iterator[Fault]:
    """Currencies that nothing turns into the objective's, or into that of the first row."""
    if not rows.prices:
        return
    target = federation.objective.currency if federation else rows.prices[0].currency
    pairs = {frozenset((r.base, r.quote)) for r in rows.exchange}
    if federation is not None:
        pairs |= {frozenset((e.from_, e.to)) for e in federation.exchange}
    seen: set[str] = set()
    for row in rows.prices:
        known = row.currency == target or frozenset((row.currency, target)) in pairs
        if not known and row.currency not in seen:
            seen.add(row.currency)
            yield row.origin.fault(
                f"currency is {row.currency}, which nothing turns into {target}; "
                f"allowed {target}, or a dated rate under exchange"
            )


def _against(rows: Rows, federation: Federation) -> Iterator[Fault]:
    """What does not fit the facts that the federation file holds."""
    wanted = federation.objective.vat
    for price in rows.prices[:1]:
        if price.vat != wanted:
            yield price.origin.fault(
                f"vat is {price.vat} where objective.vat is {wanted}; "
                "allowed one basis throughout: convert the amounts"
            )
    held = federation.carbon.intensity
    replaced = {row.zone for row in rows.carbon}
    kept = [fact for fact in held if fact.region not in replaced]
    for carbon in rows.carbon[:1]:
        if kept and kept[0].basis != carbon.basis:
            yield carbon.origin.fault(
                f"basis is {carbon.basis} beside {kept[0].basis} of {kept[0].region} in the "
                "federation file; allowed one basis throughout: leave one out"
            )


def hidden_vat(pairs: Sequence[tuple[PriceRow, Decimal]]) -> list[str]:
    """A warning for each price that differs from the known one by a rate of VAT.

    Where that is all that differs, prices did not rise: one of the two lists has VAT in it and does
    not say so, and a change of basis without a word is refused.

    Args:
        pairs: what was read, with what it is as a multiple of the price of the same thing that
            was known before; both say that they are of the same basis.

    Raises:
        BadInputError: all of two or more known prices that changed did so by the same rate.
    """
    changed = [(row, ratio) for row, ratio in pairs if ratio != 1]
    suspects = [(row, rate) for row, ratio in changed if (rate := _vat_between(ratio))]
    rates = {rate for _, rate in suspects}
    if len(suspects) > 1 and len(suspects) == len(changed) and len(rates) == 1:
        row, rate = suspects[0]
        message = (
            f"all {len(suspects)} {row.vat} prices that differ from the known ones do so by a VAT "
            f"of {rate} %: one of the two lists has it in it; allowed one basis throughout: say "
            "so by --vat, or convert the amounts"
        )
        raise BadInputError(row.origin.fault(message))
    return [
        f"{row.origin}: the {row.vat} price of {row.sku} differs from the known one by {rate} %, "
        "a rate of VAT: is it in one of the two?"
        for row, rate in suspects
    ]


def _vat_between(ratio: Decimal) -> Decimal | None:
    """The rate of VAT, in per cent, that one price is above or below another by."""
    for rate in VAT_RATES:
        if abs(max(ratio, 1 / ratio) / (1 + rate / 100) - 1) < _ROUNDING:
            return rate
    return None


_ROUNDING = Decimal("0.0005")
"""Half a cent of the cheapest node types, as a part of their price."""
