"""What a cluster costs a month by the dated price list, and what a run changes of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from components.cluster.hetzner.balancers import KIND
from components.settings.hetzner.server_types import PriceList


@dataclass(frozen=True)
class Line:
    """One thing that is paid for.

    Attributes:
        name: the server, or what else it is.
        kind: its type.
        month: EUR a month, net; None: unknown.
        before: its type so far, where that differs; None: it is new.
    """

    name: str
    kind: str
    month: Decimal | None
    before: str | None


def lines(
    chosen: Mapping[str, str], before: Mapping[str, str], prices: PriceList, zone: str
) -> tuple[Line, ...]:
    """What is paid for: each server with its address, and two load balancers with theirs."""
    servers = (
        Line(name, kind, prices.server(name=kind, zone=zone), before.get(name))
        for name, kind in chosen.items()
    )
    balancer = prices.load_balancer.get(zone)
    balancers = (Line(name, KIND, balancer, KIND) for name in ("API", "workload"))
    return (*servers, *balancers)


def total(found: tuple[Line, ...], prices: PriceList) -> dict[str, Any]:
    """The sum for machines, in the form of a price: what is known, and the types that are not."""
    known = sum((line.month for line in found if line.month is not None), Decimal(0))
    unknown = sorted({line.kind for line in found if line.month is None})
    basis = {"currency": "EUR", "vat": "net", "per": "month", "date": prices.date.isoformat()}
    return {"amount": str(known), "unknown": unknown, **basis}


def report(cluster: str, found: tuple[Line, ...], prices: PriceList, zone: str) -> Iterator[str]:
    """What a reader of a preview is told: the sum, and each server that is re-priced."""
    basis = f"EUR a month net, price list of {prices.date}"
    whole = total(found, prices)
    lacking = ""
    if whole["unknown"]:
        kinds = ", ".join(whole["unknown"])
        lacking = f", and what {kinds} costs in {zone}, which the list does not say"
    yield f"{cluster} costs {whole['amount']} {basis}{lacking}"
    for line in found:
        if line.before not in (None, line.kind):
            old = prices.server(line.before, zone) if line.before in prices.types else None
            yield (
                f"{line.name} becomes {line.kind} instead of {line.before}: {_shown(old)} -> "
                f"{_shown(line.month)} {basis}; an older tariff that it may be on ends"
            )


def _shown(amount: Decimal | None) -> str:
    return "unknown" if amount is None else str(amount)
