"""An irreducible conflicting set, by a deletion filter in the order of the list.

The filter of Chinneck and Dravnieks (Locating minimal infeasible constraint sets in linear
programs, ORSA Journal on Computing, 1991): a requirement without which there is still no placement
is dropped for good; one without which there is a placement belongs to the conflict. Since dropping
never makes a placement impossible, a run of requirements that can be dropped together can be
dropped one by one: so runs are tried first and halved until one requirement is left (Hemery et
al., Extracting MUCs from constraint networks, ECAI 2006). The result is that of trying each in
turn, with some log2(n) questions for each requirement that is named instead of n.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

R = TypeVar("R")


def irreducible(given: Sequence[R], conflicting: Callable[[Sequence[R]], bool]) -> list[R]:
    """Those of *given* that conflict; without any one of them the rest does not.

    Args:
        given: requirements that conflict.
        conflicting: whether there is still no placement without these.
    """
    dropped: list[R] = []
    kept: list[R] = []
    rest = list(given)
    size = len(rest)
    while rest:
        run = rest[:size]
        if conflicting([*dropped, *run]):
            dropped += run
            rest = rest[size:]
        elif len(run) > 1:
            size = len(run) // 2
        else:
            kept += run
            rest = rest[1:]
            size = len(rest)
    return kept
