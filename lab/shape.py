"""What a lab is made of, chosen when it is first brought up.

Owns the choice and what may change of it later. Which processes follow from it is in ``plan``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lab.site import KARMADA
from placement.faults import BadInputError, Fault, FederationError


@dataclass(frozen=True)
class Shape:
    """What a lab is made of.

    Attributes:
        karmada: the version of the real Karmada, such as ``1.18.2``; empty where the kinds are
            served from the project's own models and nothing acts on them.
        members: the clusters that answer, in the order of the federation file.
        bare: whether members are API servers alone, in which no pod ever runs.
    """

    karmada: str = ""
    members: tuple[str, ...] = ()
    bare: bool = False


def chosen(text: str, clusters: Sequence[str]) -> tuple[str, ...]:
    """The members that *text* names: ``all``, ``none``, or names with commas between them.

    Raises:
        BadInputError: a name is no cluster of the federation file.
    """
    if text in ("all", "none"):
        names = tuple(clusters) if text == "all" else ()
    else:
        wanted = {name.strip() for name in text.split(",")}
        unknown = sorted(wanted - set(clusters))
        if unknown:
            message = f"read {', '.join(unknown)}; allowed all, none or of {', '.join(clusters)}"
            raise BadInputError(Fault("lab", 0, "members", message))
        names = tuple(name for name in clusters if name in wanted)
    if KARMADA in names:
        message = f"read a cluster named {KARMADA}; allowed any other name, this one is the API's"
        raise BadInputError(Fault("lab", 0, "members", message))
    return names


def changed(name: str, before: Shape, after: Shape) -> Shape:
    """*after*, if the lab *name* of the shape *before* can take it.

    Members may be added; all else would leave objects of the earlier lab in the way.

    Raises:
        FederationError: it cannot; the message says what to do.
    """
    gone = [member for member in before.members if member not in after.members]
    reasons = (
        (
            before.karmada != after.karmada,
            f"it has {_said(before)}, now it would have {_said(after)}",
        ),
        (bool(gone), f"its members {', '.join(gone)} would go"),
        (bool(before.members) and before.bare != after.bare, "bare and full members do not mix"),
    )
    for holds, reason in reasons:
        if holds:
            raise FederationError(f"lab {name!r} cannot change so: {reason}. Take it down first")
    return after


def _said(shape: Shape) -> str:
    return f"Karmada {shape.karmada}" if shape.karmada else "no Karmada (KARMADA_DIR is not set)"
