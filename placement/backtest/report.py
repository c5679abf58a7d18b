"""The comparison as a table for people and as JSON for programs."""

import sys
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.table import Table

from placement.backtest.compare import Backtest

SCHEMA = "placement/backtest/v1"
_WIDTH = 110


def document(result: Backtest) -> dict[str, Any]:
    """The JSON form; money as numbers with two decimals."""
    return {
        "schema": SCHEMA,
        "start": result.start.isoformat(),
        "end": result.end.isoformat(),
        "currency": result.currency,
        "rows": [
            {
                "cluster": r.cluster,
                "region": r.region,
                "nodeClass": r.node_class,
                "sku": r.sku,
                "predicted": _number(r.predicted),
                "billed": _number(r.billed),
                "error": _number(r.error),
                "relative": _relative(r.error, r.billed),
                "divided": r.divided,
            }
            for r in result.rows
        ],
        "unpredicted": [
            {
                "category": u.category,
                "service": u.service,
                "region": u.region,
                "sku": u.sku,
                "billed": _number(u.billed),
            }
            for u in result.unpredicted
        ],
        "allocated": {cluster: _number(amount) for cluster, amount in result.allocated.items()},
        "total": {
            "predicted": _number(result.predicted),
            "billed": _number(result.billed),
            "relative": _relative(result.predicted - result.billed, result.billed),
            "absoluteError": _relative(result.absolute_error, result.billed),
        },
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(round(amount, 2))


def _relative(part: Decimal | None, whole: Decimal) -> float | None:
    return None if part is None or not whole else float(round(part / whole, 4))


def _money(amount: Decimal | None) -> str:
    return "unknown" if amount is None else f"{amount:,.2f}"


def _percent(part: Decimal | None, whole: Decimal) -> str:
    return "-" if part is None or not whole else f"{part / whole:+.1%}"


def text(result: Backtest) -> str:
    """The table, with what no price predicts below it."""
    console = Console(width=_WIDTH, no_color=not sys.stdout.isatty())
    table = Table(box=None, pad_edge=False)
    for name in ("cluster", "region", "node class", "billed as"):
        table.add_column(name)
    for name in ("predicted", "billed", "error", ""):
        table.add_column(name, justify="right")
    for r in result.rows:
        table.add_row(
            r.cluster,
            r.region,
            r.node_class,
            (r.sku or "-") + (" (divided)" if r.divided else ""),
            _money(r.predicted),
            "-" if r.sku is None else _money(r.billed),
            "-" if r.error is None else _money(r.error),
            _percent(r.error, r.billed),
        )
    error = result.predicted - result.billed
    table.add_row(
        "all in the bill",
        "",
        "",
        "",
        _money(result.predicted),
        _money(result.billed),
        _money(error),
        _percent(error, result.billed),
    )
    with console.capture() as captured:
        console.print(
            f"{result.start:%Y-%m-%d} to {result.end:%Y-%m-%d}, {result.currency}, net",
            style="bold",
        )
        console.print(table)
        console.print(
            "errors without their sign: "
            f"{_percent(result.absolute_error, result.billed).lstrip('+')} of what was billed"
        )
        _print_allocated(result, console)
        for u in result.unpredicted:
            what = " ".join(filter(None, (u.service, u.sku, u.region))) or "-"
            console.print(f"not predicted: {u.category} {what}: {_money(u.billed)}")
    return captured.get()


def _print_allocated(result: Backtest, console: Console) -> None:
    """Of each cluster the part of its bill that the decision charged to workloads."""
    for cluster, amount in result.allocated.items():
        billed = sum((r.billed for r in result.rows if r.cluster == cluster), Decimal(0))
        part = f", {amount / billed:.0%} of its bill" if billed else ""
        console.print(f"charged to workloads on {cluster}: {_money(amount)}{part}")
