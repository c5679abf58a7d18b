"""FED008: a critical workload is on the continents that it must be on, also after a loss.

Owns what is asked of the division that Karmada makes. What the workload demands and promises, the
federation plane says among its properties.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule
from policies.static_division import StaticDivision, static_division, wanted

_LABEL: Final = "federation/workload"
_LEAST: Final = 2
"""Continents of a critical workload whose owner asked for nothing else."""


def _check_demanded(resource: Resource, known: Known) -> Iterator[str]:
    critical = _critical(resource, known)
    if critical is None or critical.get("continents", 1) < _LEAST:
        return
    least = critical["continents"]
    division, replicas = _division(resource)
    narrow = _narrow(division, replicas, known, least)
    if narrow is not None:
        yield (
            f"a critical workload is on {narrow} where {least} continents are "
            "demanded; let the engine place it (python -m placement plan)"
        )
        return
    for lost, clusters in _promised(critical.get("keepsSpreadAfter"), division, known):
        narrow = _narrow(division, replicas, known, least, clusters)
        if narrow is not None:
            yield (
                f"after the loss of {lost} Karmada divides a critical workload over "
                f"{narrow} where {least} continents are promised; spread it wider, or "
                "promise survive.keep: capacity"
            )
            return


def _check_given_up(resource: Resource, known: Known) -> Iterator[str]:
    critical = _critical(resource, known)
    if critical is None or critical.get("continents", 1) >= _LEAST:
        return
    division, replicas = _division(resource)
    narrow = _narrow(division, replicas, known, _LEAST)
    if narrow is not None:
        yield (
            f"a critical workload is on {narrow} alone, as its federation file allows; "
            "demand spread.continent, or take away acceptSingleContinent"
        )


def _critical(policy: Resource, known: Known) -> Mapping[str, Any] | None:
    """What the workload of *policy* demands; None where it is none of ours, or not critical."""
    if not policy.is_propagation:
        return None
    name = (policy.read("metadata", "labels") or {}).get(_LABEL)
    if name is None:
        return None
    demanded = known.workload(f"{policy.read('metadata', 'namespace')}/{name}")
    return demanded if demanded.get("class") == "critical" else None


def _division(policy: Resource) -> tuple[StaticDivision, int]:
    try:
        counts = wanted(policy)
    except ValueError:
        counts = None
    division = static_division(policy)
    if counts is None or division is None:
        raise NotEvaluableError("where the replicas will be, free capacity decides")
    return division, sum(counts.values())


def _narrow(
    division: StaticDivision,
    replicas: int,
    known: Known,
    least: int,
    lost: frozenset[str] = frozenset(),
) -> str | None:
    """The continents of a possible division, *lost* gone, if they are fewer than *least*."""
    for counts in division.outcomes(replicas, lost)[0]:
        reached = known.groups("continent", sorted(counts))
        if len(reached) < least:
            return ", ".join(sorted(reached)) or "no continent"
    return None


def _promised(
    level: str | None, division: StaticDivision, known: Known
) -> Iterator[tuple[str, frozenset[str]]]:
    """The losses after which the continents are promised, each with the clusters it takes."""
    if level is None:
        return
    groups: dict[str, set[str]] = {}
    for name in sorted(division.weighted[0]):
        (group,) = known.groups(level, [name])
        groups.setdefault(group, set()).add(name)
    for group, clusters in sorted(groups.items()):
        yield f"{level} {group}", frozenset(clusters)


CONTINENTS = Rule(
    code="FED008",
    title="continents",
    description="A critical workload is on the demanded continents, also after the promised loss.",
    level="mandatory",
    severity="critical",
    check=_check_demanded,
)

SINGLE_CONTINENT = Rule(
    code="FED008",
    title="single-continent",
    description="A critical workload is on two continents.",
    level="advisory",
    severity="high",
    check=_check_given_up,
)
