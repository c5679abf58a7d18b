"""The front as a table for a terminal and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from placement.federation.federation import Federation
from placement.federation.objective import UNITS, Term
from placement.pareto.front import Point, efficient

SCHEMA = "placement/pareto/v1"


def show(
    federation: Federation, terms: tuple[Term, Term], points: Sequence[Point], console: Console
) -> None:
    """Print the efficient points; each with what a unit of the second term costs from there on."""
    table = Table(box=None, pad_edge=False)
    for term in terms:
        table.add_column(f"{term} {_unit(federation, term)}", justify="right")
    table.add_column(f"{terms[0]} for each {_unit(federation, terms[1])} less", justify="right")
    table.add_column("status")
    for point, price in _priced(points):
        shown = "" if price is None else f"{price:,.4g}"
        table.add_row(*(f"{v:,.2f}" for v in point.values), shown, point.decision.status)
    console.print(table)


def document(
    federation: Federation, terms: tuple[Term, Term], points: Sequence[Point]
) -> dict[str, Any]:
    """The efficient points with their placements, as plain values."""
    return {
        "schema": SCHEMA,
        "terms": [{"term": term, "unit": _unit(federation, term)} for term in terms],
        "points": [
            {
                "values": dict(zip(terms, point.values, strict=True)),
                "price": price,
                "status": point.decision.status,
                "replicas": point.decision.counts,
            }
            for point, price in _priced(points)
        ],
    }


def _priced(points: Sequence[Point]) -> Iterator[tuple[Point, float | None]]:
    """Each efficient point with the price of a unit less of the second term; the last has none."""
    kept = efficient(points)
    for point, following in zip(kept, [*kept[1:], None], strict=True):
        if following is None:
            yield point, None
        else:
            more = following.values[0] - point.values[0]
            yield point, round(more / (point.values[1] - following.values[1]), 6)


def _unit(federation: Federation, term: Term) -> str:
    return UNITS[term].format(currency=federation.objective.currency)
