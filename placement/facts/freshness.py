"""How old a fact may be, by kind, before it is worth a warning.

Owns the limits and their reasons. The day is given: no clock is read here.
"""

from collections.abc import Iterator
from datetime import date

from placement.facts.rows import Rows
from placement.federation.federation import Federation

LIMITS: dict[str, int] = {
    "price": 60,
    "exchange": 31,
    "latency": 365,
    "carbon reading": 2,
    "carbon mean": 730,
}
"""Days. Hetzner changed its prices on 1 April and on 15 June 2026, 75 days apart; central banks
publish rates every working day, and a month's drift is within a few per cent; Azure renews its
table of latencies every six to nine months; a reading of the grid is of an hour, and a yearly mean
is published in the course of the next year."""


def stale(rows: Rows, now: date) -> Iterator[str]:
    """A warning for each file and kind with rows that are too old, of the oldest row in it."""
    found: dict[tuple[str, str], tuple[date, str]] = {}
    dated = [
        *(("price", r.origin) for r in rows.prices),
        *(("exchange", r.origin) for r in rows.exchange),
        *(("latency", r.origin) for r in rows.latency),
        *(("carbon reading" if r.reading else "carbon mean", r.origin) for r in rows.carbon),
    ]
    for kind, origin in dated:
        oldest = found.get((kind, origin.file))
        if oldest is None or origin.date < oldest[0]:
            found[kind, origin.file] = (origin.date, str(origin))
    for (kind, _), (day, where) in found.items():
        yield from _warning(kind, where, day, now)


def stale_in(federation: Federation, now: date) -> Iterator[str]:
    """The same for the facts that stand in a federation file, each by its key."""
    for index, price in enumerate(federation.prices):
        where = f"prices[{index}] {price.cluster}/{price.node_class}"
        yield from _warning("price", where, price.date, now)
    for index, exchange in enumerate(federation.exchange):
        where = f"exchange[{index}] {exchange.from_}/{exchange.to}"
        yield from _warning("exchange", where, exchange.date, now)
    if federation.latency is not None:
        yield from _warning("latency", "latency", federation.latency.date, now)
    for index, intensity in enumerate(federation.carbon.intensity):
        where = f"carbon.intensity[{index}] {intensity.region}"
        yield from _warning("carbon mean", where, intensity.date, now)


def _warning(kind: str, where: str, day: date, now: date) -> Iterator[str]:
    age = (now - day).days
    if age < 0:
        yield f"{where}: {kind} of {day}, after {now}"
    elif age > LIMITS[kind]:
        yield f"{where}: {kind} of {day} is {age} days old; allowed {LIMITS[kind]}"
