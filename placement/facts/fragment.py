"""Rows to the part of a federation file that they are: prices, exchange, latency, carbon.

Owns the match with the regions and node classes of a federation and the form of the file; the
models of ``placement.federation`` check what comes out. It judges no basis: ``basis.py`` did.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from placement.facts.basis import hidden_vat
from placement.facts.places import standing_for
from placement.facts.pricing import prices, type_name
from placement.facts.rows import CarbonRow, LatencyRow, PriceRow, Rows
from placement.faults import BadInputError
from placement.federation.facts import Exchange, Intensity, Latency, Price, Site
from placement.federation.federation import Federation

Plain = dict[str, Any]
_ANY = "any"


@dataclass(frozen=True)
class Fragment:
    """A part of a federation file.

    Attributes:
        plain: as the file would hold it.
        warnings: what the federation asks for and no row says, and what looks wrong, a line each.
    """

    plain: Plain
    warnings: tuple[str, ...]


def fragment(rows: Rows, federation: Federation | None, said: Mapping[str, str]) -> Fragment:
    """The facts of *rows* for *federation*; for none, under the publishers' own names.

    Args:
        rows: on one basis.
        federation: whose node classes and regions are wanted.
        said: by region of the federation, the region of the rows that stands for it.

    Raises:
        BadInputError: prices that differ from known ones by VAT alone, or prices of parts without
            a federation whose nodes have the parts.
    """
    plain: Plain = {}
    warnings: list[str] = []
    if rows.prices:
        listed, lacking = (
            (_price_list(rows.prices), [])
            if federation is None
            else _node_prices(rows.prices, federation, said)
        )
        plain["prices"] = [_plain(price) for price in listed]
        warnings += lacking
    exchange = list(_rates(rows, federation))
    if exchange:
        plain["exchange"] = [_plain(rate) for rate in exchange]
    if rows.latency:
        latency, lacking = _latency(rows.latency, federation, said)
        plain["latency"] = _plain(latency)
        warnings += lacking
    if rows.carbon:
        intensity, lacking = _intensity(rows.carbon, federation, said)
        plain["carbon"] = {"intensity": [_plain(fact) for fact in intensity]}
        warnings += lacking
    return Fragment(plain, tuple(warnings))


def _plain(model: BaseModel) -> Plain:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _price(row: PriceRow, cluster: str, node_class: str, **changes: Any) -> Price:
    return Price.model_validate(
        {
            "cluster": cluster,
            "node_class": node_class,
            "amount": row.amount,
            "currency": row.currency,
            "vat": row.vat,
            "per": row.per,
            "source": row.origin.source,
            "date": row.origin.date,
            **changes,
        }
    )


def _price_list(rows: Sequence[PriceRow]) -> list[Price]:
    """A price for each region and type, under these names: the first that is listed."""
    found: dict[tuple[str, str], Price] = {}
    for row in rows:
        if row.of != "node" or row.sku is None:
            message = (
                f"read the price of one {row.of}; allowed beside --for FEDERATION, "
                "whose node classes have such parts"
            )
            raise BadInputError(row.origin.fault(message))
        if row.tariff == "on-demand":
            cluster, node_class = type_name(row.region or _ANY), type_name(row.sku)
            found.setdefault((cluster, node_class), _price(row, cluster, node_class))
    return list(found.values())


def _node_prices(
    rows: Sequence[PriceRow], federation: Federation, said: Mapping[str, str]
) -> tuple[list[Price], list[str]]:
    priced, missing = prices(rows, federation, said)
    ratios = [(p.row, ratio) for p in priced if (ratio := p.against(federation)) is not None]
    return [
        _price(p.row, p.cluster, p.node_class, amount=p.amount, proxy=p.proxy) for p in priced
    ], [*missing, *hidden_vat(ratios)]


def _rates(rows: Rows, federation: Federation | None) -> Iterable[Exchange]:
    """The rates between the currencies of the prices and of the objective."""
    wanted = {row.currency for row in rows.prices}
    if federation is not None:
        wanted.add(federation.objective.currency)
    for row in rows.exchange:
        if federation is None or {row.base, row.quote} <= wanted:
            yield Exchange(
                from_=row.base,
                to=row.quote,
                rate=row.rate,
                source=row.origin.source,
                date=row.origin.date,
            )


def _sites(
    sites: Collection[str], regions: Collection[str] | None, said: Mapping[str, str]
) -> tuple[dict[str, tuple[str, str | None]], list[str]]:
    """The site and the proxy by region, and the regions without one."""
    if regions is None:
        return {re.sub(r"[^A-Za-z0-9._-]+", "-", s).strip("-._"): (s, None) for s in sites}, []
    found = {region: standing_for(region, sites, said) for region in sorted(regions)}
    return (
        {region: site for region, site in found.items() if site is not None},
        [region for region, site in found.items() if site is None],
    )


def _latency(
    rows: Sequence[LatencyRow], federation: Federation | None, said: Mapping[str, str]
) -> tuple[Latency, list[str]]:
    regions = None
    if federation is not None:
        regions = {c.region for c in federation.clusters}
        regions |= {d.region for w in federation.workloads for d in w.demand}
        regions |= {d.region for w in federation.workloads for d in w.data}
    known = dict.fromkeys(name for row in rows for name in (row.start, row.end))
    sites, missing = _sites(known, regions, said)
    used = {site for site, _ in sites.values()}
    trips: dict[str, Plain] = {}
    for row in rows:
        if {row.start, row.end} <= used:
            trips.setdefault(row.start, {})[row.end] = row.milliseconds
    latency = Latency(
        source="; ".join(dict.fromkeys(row.origin.source for row in rows)),
        date=min(row.origin.date for row in rows),
        statistic=rows[0].statistic,
        sites={region: Site(site=site, proxy=proxy) for region, (site, proxy) in sites.items()},
        round_trip=trips,
    )
    return latency, [f"no latency of {region}" for region in missing]


def _intensity(
    rows: Sequence[CarbonRow], federation: Federation | None, said: Mapping[str, str]
) -> tuple[list[Intensity], list[str]]:
    regions = None if federation is None else {c.region for c in federation.clusters}
    by_zone = {row.zone: row for row in rows}
    sites, missing = _sites(by_zone, regions, said)
    facts = [
        Intensity(
            region=region,
            grams_per_kilowatt_hour=by_zone[zone].grams,
            basis=by_zone[zone].basis,
            source=f"{by_zone[zone].origin.source}, {zone}, {by_zone[zone].accounting} based",
            date=by_zone[zone].origin.date,
            proxy=proxy,
        )
        for region, (zone, proxy) in sites.items()
    ]
    return facts, [f"no carbon intensity of {region}" for region in missing]
