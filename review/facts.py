"""The facts behind a decision that a reviewer should doubt: too old, or standing in for others.

Owns which of them are told. How old a fact may be says ``placement.facts.freshness``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from placement.document import Document
from placement.facts.freshness import stale_in
from placement.faults import BadInputError
from placement.federation import Federation


@dataclass(frozen=True)
class DoubtfulFacts:
    """What a federation file rests on.

    Attributes:
        stale: a sentence for each fact that is too old.
        proxied: a sentence for each fact that describes something else.
    """

    stale: tuple[str, ...] = ()
    proxied: tuple[str, ...] = ()


def doubtful(path: Path, now: date) -> DoubtfulFacts:
    """The doubtful facts of the federation file at *path* on the day *now*.

    A file that cannot be read has none: the program itself says what is wrong with it.
    """
    try:
        federation = Document(path).validate(Federation)
    except BadInputError:
        return DoubtfulFacts()
    return DoubtfulFacts(tuple(stale_in(federation, now)), tuple(_proxied(federation)))


def _proxied(federation: Federation) -> Iterator[str]:
    for price in federation.prices:
        if price.proxy:
            yield f"price of {price.cluster}/{price.node_class}: {price.proxy}"
    if federation.latency is not None:
        if federation.latency.proxy:
            yield f"latency: {federation.latency.proxy}"
        for region, site in sorted(federation.latency.sites.items()):
            if site.proxy:
                yield f"latency of {region}, measured at {site.site}: {site.proxy}"
    for intensity in federation.carbon.intensity:
        if intensity.proxy:
            yield f"carbon intensity of {intensity.region}: {intensity.proxy}"
    for power in federation.carbon.power:
        if power.proxy:
            yield f"power of {power.model or power.resource}: {power.proxy}"
