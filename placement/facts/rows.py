"""The row types that every format is read into: a figure, what it is a figure of, and its basis.

Owns the vocabulary of facts before they are matched with a federation. It reads no file
(``formats/``), compares no rows (``basis.py``) and knows no cluster (``fragment.py``).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from placement.faults import Fault

Vat = Literal["net", "gross"]
Tariff = Literal["on-demand", "spot"]
Accounting = Literal["location", "market"]
"""Of the grid that a region is on, or of the contracts that its owner has bought."""


@dataclass(frozen=True)
class Origin:
    """Where a row comes from.

    Attributes:
        file: as the user named it.
        line: from 1.
        key: of the value in the file, such as ``server_types[2].prices[0]``, or the column.
        source: where the figure was published.
        date: for which it holds, or on which it was read.
    """

    file: str
    line: int
    key: str
    source: str
    date: date

    def fault(self, message: str) -> Fault:
        """What is wrong with the row."""
        return Fault(self.file, self.line, self.key, message)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class PriceRow:
    """What something costs.

    Attributes:
        of: a whole node, or one core, one GiB of memory or one accelerator of a node.
        sku: the node type as the provider calls it; of an accelerator its model; None: any.
        region: as the provider calls it; None: any.
        amount: in *currency*, for an hour or a month.
    """

    origin: Origin
    of: Literal["node", "core", "gibibyte", "accelerator"]
    sku: str | None
    region: str | None
    amount: Decimal
    currency: str
    vat: Vat
    per: Literal["hour", "month"]
    tariff: Tariff = "on-demand"


@dataclass(frozen=True)
class ExchangeRow:
    """One unit of the currency *base* in *quote*."""

    origin: Origin
    base: str
    quote: str
    rate: Decimal


@dataclass(frozen=True)
class LatencyRow:
    """A round-trip time in ms from one site to another; the way back is a row of its own."""

    origin: Origin
    start: str
    end: str
    milliseconds: Decimal
    statistic: str


@dataclass(frozen=True)
class CarbonRow:
    """Carbon intensity in gCO2e/kWh.

    Attributes:
        zone: a cloud region or a zone of the grid.
        basis: of all that is generated, or of what one kWh more would have generated.
        factor: whether a plant's making is in it; None where the publisher does not say.
        reading: of an hour or so, and stale after days; else a yearly mean.
    """

    origin: Origin
    zone: str
    grams: Decimal
    basis: Literal["average", "marginal"]
    accounting: Accounting
    factor: Literal["lifecycle", "direct"] | None = None
    reading: bool = False


@dataclass(frozen=True)
class Rows:
    """What files say, in the order of the files."""

    prices: tuple[PriceRow, ...] = ()
    exchange: tuple[ExchangeRow, ...] = ()
    latency: tuple[LatencyRow, ...] = ()
    carbon: tuple[CarbonRow, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable["Rows"]) -> "Rows":
        """The rows of several files, one after the other."""
        given = list(parts)
        return cls(
            prices=tuple(r for part in given for r in part.prices),
            exchange=tuple(r for part in given for r in part.exchange),
            latency=tuple(r for part in given for r in part.latency),
            carbon=tuple(r for part in given for r in part.carbon),
        )
