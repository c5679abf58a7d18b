"""Facts of the outside world: prices, exchange rates, latencies, carbon.

Each carries its source and date. An unknown stays unknown: nothing here has a default value.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from placement.federation.base import (
    Amount,
    ClusterName,
    Currency,
    Model,
    PositiveAmount,
    Region,
    Sourced,
)

HOURS_PER_MONTH = 730
"""The cloud providers' month: 365 days x 24 hours / 12."""


class Price(Sourced):
    """What one node of a class costs."""

    cluster: ClusterName
    node_class: ClusterName
    amount: Amount
    currency: Currency
    vat: Literal["net", "gross"]
    """Whether value-added tax is in the amount. A federation uses one of the two throughout."""
    per: Literal["hour", "month"]
    month_cap: Amount | None = None
    """For a price by the hour: the most that a month costs, where the provider caps it."""

    @property
    def per_month(self) -> Decimal:
        """The amount for a month of 730 hours, in the price's own currency."""
        if self.per == "month":
            return self.amount
        month = self.amount * HOURS_PER_MONTH
        return month if self.month_cap is None else min(month, self.month_cap)

    @model_validator(mode="after")
    def _cap_of_hours(self) -> "Price":
        if self.month_cap is not None and self.per == "month":
            raise ValueError("read monthCap beside per: month; allowed beside per: hour")
        return self


INTERNET = "internet"
"""Where users are, as the target of an egress price."""


class Egress(Sourced):
    """What a GB costs that leaves a region. The first fact of the file that matches holds."""

    region: Region
    """The region that the data leaves; its provider is paid."""
    to: tuple[Region, ...] = ()
    """The regions that it goes to, or ``internet`` for users; none: any other."""
    amount: Amount
    """For each GB."""
    currency: Currency
    vat: Literal["net", "gross"]


class Exchange(Sourced):
    """One unit of a currency in another."""

    from_: Annotated[Currency, Field(alias="from")]
    to: Currency
    rate: PositiveAmount


class Site(Model):
    """Where the latencies of a region were really measured."""

    site: str
    proxy: str | None = None
    """Why the site stands in for the region, where it is not the region itself."""


class Latency(Sourced):
    """Round-trip times in milliseconds. Not assumed symmetric; a pair not given is unknown."""

    statistic: str
    """Which statistic the figures are: ``mean``, ``p50``, ``p95``."""
    sites: dict[Region, Site]
    """The site of each region: of clusters, of users, of data."""
    round_trip: dict[str, dict[str, Amount]]
    """Milliseconds by site measured from, then site measured to."""

    def between(self, source: str, target: str) -> float | None:
        """The round-trip time in ms from region *source* to region *target*, if known."""
        if source not in self.sites or target not in self.sites:
            return None
        row = self.round_trip.get(self.sites[source].site, {})
        value = row.get(self.sites[target].site)
        return None if value is None else float(value)


class Intensity(Sourced):
    """Carbon intensity of a region's grid."""

    region: Region
    grams_per_kilowatt_hour: Amount
    basis: Literal["average", "marginal"]
    """Average or marginal intensity. A federation uses one of the two throughout."""


class Power(Sourced):
    """What a unit of a resource draws: watts per core, per GiB of memory, per accelerator."""

    resource: str
    model: str | None = None
    """Of an accelerator: the model that draws this; None: any model without a figure of its own."""
    watts: Amount


class Carbon(Model):
    """What is needed to turn requests into emissions."""

    intensity: tuple[Intensity, ...] = ()
    power: tuple[Power, ...] = ()
