"""FED002 and FED003: what a policy says of spread is what comes of it.

With static weights Karmada never reads the spread constraints beside them, so a policy with both
looks safe whatever the weights do. And a constraint without ``maxGroups`` chooses no group at all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.findings import NOTHING_KNOWN
from placement.karmada.spread_advice import spread_findings
from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule
from policies.static_division import ANNOTATION, StaticDivision, static_division, wanted

_PATH: Final = ("spec", "placement", "spreadConstraints")
_FIELDS: Final = ("cluster", "region", "zone", "provider")


def _check_spread(resource: Resource, known: Known) -> Iterator[str]:
    if not resource.is_propagation or not resource.objects(*_PATH):
        return
    division = static_division(resource)
    if division is None:
        return
    total = _total(resource)
    doubts: list[NotEvaluableError] = []
    for index, constraint in enumerate(division.placement["spreadConstraints"]):
        path = f"{'.'.join(_PATH)}[{index}]"
        try:
            yield from _faults(constraint, path, division, total, known)
        except NotEvaluableError as doubt:
            doubts.append(NotEvaluableError(f"{path}: {doubt}"))
    if doubts:
        raise doubts[0]


def _total(policy: Resource) -> int | None:
    """How many replicas the policy divides; None where it does not say so."""
    try:
        counts = wanted(policy)
    except ValueError:
        return None
    return None if counts is None else sum(counts.values())


def _faults(
    constraint: Mapping[str, Any],
    path: str,
    division: StaticDivision,
    total: int | None,
    known: Known,
) -> Iterator[str]:
    """How a constraint is broken, by the first division that breaks it."""
    field = constraint.get("spreadByField")
    if field not in _FIELDS:
        raise NotEvaluableError("which label makes a group is not known of any cluster")
    least = constraint.get("minGroups") or 1
    most = constraint.get("maxGroups") or None
    for placed in _placed(division, total):
        groups = known.groups(field, sorted(placed))
        too_many = most is not None and len(groups) > most
        if total is None and (too_many or 1 < least <= len(groups)):
            raise NotEvaluableError(
                f"how many replicas are divided is not known: no annotation {ANNOTATION}"
            )
        if too_many or len(groups) < least:
            bounds = f"{least} or more" if most is None else f"{least} to {most}"
            yield (
                f"{path}: the weights put {'the' if total is None else total} replicas into "
                f"{len(groups)} by {field} ({', '.join(sorted(groups))}) where {bounds} are asked "
                "for; with static weights Karmada does not read this constraint, so weigh clusters "
                "that meet it (python -m placement plan)"
            )
            return


def _placed(division: StaticDivision, total: int | None) -> Iterator[frozenset[str]]:
    """The sets of clusters that may be used; without a total, what can be used at most."""
    if total is None:
        yield from division.weighted
    else:
        for outcomes in division.outcomes(total) if total else ():
            yield from (frozenset(counts) for counts in outcomes)


def _check_max_groups(resource: Resource, _: Known) -> Iterator[str]:
    if not resource.is_propagation:
        return
    constraints = resource.objects(*_PATH)
    for finding in spread_findings({"spreadConstraints": constraints}, NOTHING_KNOWN):
        if finding.code == "max-groups-missing":
            yield str(finding)


SPREAD = Rule(
    code="FED002",
    title="spread",
    description="Static weights satisfy the spreadConstraints beside them.",
    level="mandatory",
    severity="high",
    check=_check_spread,
)

MAX_GROUPS = Rule(
    code="FED003",
    title="max-groups",
    description="A spread constraint has maxGroups.",
    level="mandatory",
    severity="high",
    check=_check_max_groups,
)
