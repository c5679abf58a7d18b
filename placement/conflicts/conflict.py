"""A conflict: requirements that cannot hold together, and what refuses them."""

from collections.abc import Sequence
from dataclasses import dataclass

from placement.conflicts.deletion import irreducible
from placement.conflicts.oracle import Oracle, Refusal
from placement.federation.federation import Federation
from placement.requirements import Requirement, without


@dataclass(frozen=True)
class Conflict:
    """Requirements that cannot hold together.

    Attributes:
        members: the requirements.
        refusal: of a federation that asks for nothing else.
        irreducible: whether it was shown that without any one of them there is a placement.
    """

    members: tuple[Requirement, ...]
    refusal: Refusal
    irreducible: bool


def conflict(
    federation: Federation,
    listed: Sequence[Requirement],
    dropped: Sequence[Requirement],
    refusal: Refusal,
    oracle: Oracle,
) -> Conflict:
    """The conflict in *federation* without *dropped*.

    Args:
        federation: with all of its requirements.
        listed: all of its requirements.
        dropped: those of them that do not count.
        refusal: of the federation without these.
        oracle: answers what has a placement.
    """
    last = refusal
    sure = True

    def conflicting(more: Sequence[Requirement]) -> bool:
        """What is not known to have no placement counts as having one, and is then named."""
        nonlocal last, sure
        if oracle.spent:
            sure = False
            return False
        found = oracle.refusal(without(federation, [*dropped, *more]))
        if found is None:
            return False
        if refusal.proven and not found.proven:
            sure = False
            return False
        last = found
        return True

    gone = {r.location for r in dropped}
    rest = [r for r in listed if r.location not in gone]
    about = oracle.suspects(without(federation, dropped))
    aside = [r for r in rest if about is not None and _beside(r, about)]
    if aside and conflicting(aside):
        rest = [r for r in rest if about is None or not _beside(r, about)]
    else:
        aside = []
    members = irreducible(rest, lambda more: conflicting([*aside, *more]))
    return Conflict(tuple(members), last, sure)


def _beside(requirement: Requirement, about: frozenset[str]) -> bool:
    """Whether it is of a workload or cluster that the conflict is not about."""
    return requirement.location[0] in ("workloads", "clusters") and requirement.subject not in about
