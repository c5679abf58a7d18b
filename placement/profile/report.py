"""The profile as a table for people and as JSON for programs."""

import sys
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.table import Table

from placement.federation import Federation
from placement.profile.profile import LEVELS, Group, Stock

SCHEMA = "placement/profile/v1"
_WIDTH = 160
_GIB = Decimal(2**30)


def document(groups: Sequence[Group], federation: Federation, now: date | None) -> dict[str, Any]:
    """The JSON form; amounts of resources as numbers in their own unit, memory in bytes."""
    return {
        "schema": SCHEMA,
        "currency": federation.objective.currency,
        "vat": federation.objective.vat,
        "groups": [
            {
                "level": group.level,
                "name": group.name,
                "clusters": list(group.clusters),
                "nodes": group.nodes,
                "resources": {
                    name: {
                        "capacity": _number(stock.capacity),
                        "used": _number(stock.used),
                        "headroom": _number(stock.headroom),
                    }
                    for name, stock in group.stocks.items()
                },
                "pricePerMonth": _number(group.price, 2),
                "gramsPerKilowattHour": None
                if group.intensity is None
                else [_number(each) for each in group.intensity],
                "oldestFact": None if group.oldest is None else group.oldest.isoformat(),
                "ageDays": None if now is None else group.age(now),
            }
            for group in groups
        ],
    }


def text(groups: Sequence[Group], federation: Federation, now: date | None) -> str:
    """A table for each level."""
    console = Console(width=_WIDTH, no_color=not sys.stdout.isatty())
    with console.capture() as captured:
        for level in LEVELS:
            chosen = [group for group in groups if group.level == level]
            if chosen:
                console.print(_table(level, chosen, federation, now))
                console.print()
        console.print("used of capacity, and what is left; GiB of memory", style="dim")
    return captured.get()


def _table(level: str, groups: Sequence[Group], federation: Federation, now: date | None) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(level)
    titles = ("nodes", "cpu", "left", "memory", "left", "pods", "left", "accelerators", "left")
    money = f"{federation.objective.currency}/month {federation.objective.vat}"
    for title in (*titles, money, "gCO2e/kWh", "oldest fact" if now is None else "age"):
        table.add_column(title, justify="right")
    for group in groups:
        plain = [group.stocks["cpu"], _in(group.stocks["memory"], _GIB), group.stocks["pods"]]
        table.add_row(
            group.name,
            str(group.nodes),
            *(cell for stock in (*plain, _accelerators(group)) for cell in _cells(stock)),
            "unknown" if group.price is None else f"{group.price:,.2f}",
            _range(group.intensity),
            _oldest(group, now),
        )
    return table


def _accelerators(group: Group) -> Stock | None:
    """All of them, whatever their resource is called; None where there are none."""
    stocks = [stock for name, stock in group.stocks.items() if "/" in name]
    if not stocks:
        return None
    used = [stock.used for stock in stocks]
    known = [each for each in used if each is not None]
    total = sum(known, Decimal(0)) if len(known) == len(used) else None
    return Stock(sum((stock.capacity for stock in stocks), Decimal(0)), total)


def _in(stock: Stock, unit: Decimal) -> Stock:
    return Stock(stock.capacity / unit, None if stock.used is None else stock.used / unit)


def _cells(stock: Stock | None) -> tuple[str, str]:
    if stock is None:
        return "-", "-"
    if stock.used is None:
        return f"? of {stock.capacity:,.0f}", "?"
    return f"{stock.used:,.0f} of {stock.capacity:,.0f}", f"{stock.headroom:,.0f}"


def _range(intensity: tuple[Decimal, Decimal] | None) -> str:
    if intensity is None:
        return "unknown"
    least, most = intensity
    return f"{least:.0f}" if least == most else f"{least:.0f} to {most:.0f}"


def _oldest(group: Group, now: date | None) -> str:
    if group.oldest is None:
        return "-"
    return group.oldest.isoformat() if now is None else f"{group.age(now)} d"


def _number(amount: Decimal | None, digits: int = 3) -> float | None:
    return None if amount is None else float(round(amount, digits))
