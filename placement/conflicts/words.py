"""A conflict and its ways out in words.

Owns the sentences. Where the file is at hand, a requirement is named with file and line.
"""

from collections.abc import Callable, Iterator

from placement.faults import Location, shown
from placement.findings import ChangedRequirement, Infeasibility, Relaxation

Where = Callable[[Location, str], str]
"""Puts before a text the place of a key: ``FILE:LINE key: text``."""

_NAMED = 20
"""The most requirements that are named in words."""

_PROVEN = {
    "filter": "Proven: the filters leave a workload no cluster.",
    "program": "Proven: the mixed-integer program has no solution.",
    "check": (
        "Proven: the program has solutions, and the exact check (whole replicas on whole nodes, "
        "Karmada's division after a loss) refuses every one."
    ),
}
_NOT_FOUND = {
    "filter": "The filters leave a workload no cluster.",
    "program": "Not proven: the solver stopped at its limit; a higher --effort may find more.",
    "check": (
        "Not proven: the exact check (whole replicas on whole nodes, Karmada's division after a "
        "loss) refused each answer that was tried; a higher --effort may find one."
    ),
}


def by_key(location: Location, text: str) -> str:
    """``key: text``, where no file is at hand."""
    return f"{shown(location)}: {text}"


def lines(found: Infeasibility | None, where: Where = by_key) -> tuple[str, ...]:
    """What conflicts, who says so, and the ways out, a line each."""
    if found is None:
        return ("no placement was found; a higher --effort may find one",)
    ways = (
        f"way out: {'; '.join(changes(way, where))}: then {outcome(way)}"
        for way in found.relaxations
    )
    return (*conflicting(found, where), *found.details, verdict(found), *ways)


def conflicting(found: Infeasibility, where: Where = by_key) -> Iterator[str]:
    """The requirements that cannot hold together, as many as anybody reads."""
    for each in found.requirements[:_NAMED]:
        about = "" if each.subject == each.value else f" ({each.subject})"
        yield where(each.location, f"{each.value}{about}")
    if len(found.requirements) > _NAMED:
        yield f"and {len(found.requirements) - _NAMED} more, in the decision's JSON"


def verdict(found: Infeasibility) -> str:
    """What refuses them, and how sure that is."""
    text = (_PROVEN if found.proven else _NOT_FOUND)[found.stage]
    if found.irreducible:
        return text
    return f"{text} Perhaps fewer of them conflict: the effort ended before that was shown."


def changes(way: Relaxation, where: Where = by_key) -> Iterator[str]:
    """What a way out changes."""
    return (change(each, where) for each in way.changes)


def change(changed: ChangedRequirement, where: Where = by_key) -> str:
    """``key: 3 -> 2 (subject)``."""
    after = "dropped" if changed.after is None else f"-> {changed.after}"
    about = changed.note or ("" if changed.subject == changed.before else changed.subject)
    return where(changed.location, f"{changed.before} {after}{about and f' ({about})'}")


def outcome(way: Relaxation) -> str:
    """How good the placement is then."""
    terms = ", ".join(
        f"{term.term} {'unknown' if term.value is None else f'{term.value:,.2f}'} {term.unit}"
        for term in way.objective
    )
    return terms if way.status == "optimal" else f"{terms} (not proven the best)"
