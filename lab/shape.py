"""What a lab is made of, chosen when it is first brought up.

Owns the choice and what may change of it later. Which processes follow from it is in ``plan``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lab.site import KARMADA
from placement.faults import BadInputError, Fault, FederationError

_INSTANCES = 3
"""How many there are of each part of a highly available control plane: etcd needs two of three."""

_RESERVED = re.compile(rf"{KARMADA}(-\d)?")
"""What kubeconfigs of the Karmada API are called."""


@dataclass(frozen=True)
class Shape:
    """What a lab is made of.

    Attributes:
        karmada: the version of the real Karmada, such as ``1.18.2``; empty where the kinds are
            served from the project's own models and nothing acts on them.
        members: the clusters that answer, in the order of the federation file.
        bare: whether members have no scheduler and no kubelets, so that no pod ever runs.
        high_availability: whether there are three of each part of the control plane.
        estimators: whether Karmada's scheduler estimators and its descheduler run.
        joined: whether the lab itself lets the members join; else a stack of the user's does.
    """

    karmada: str = ""
    members: tuple[str, ...] = ()
    bare: bool = False
    high_availability: bool = False
    estimators: bool = False
    joined: bool = True

    @property
    def instances(self) -> tuple[str, ...]:
        """What is put after the name of a part of the control plane, for each of its instances."""
        if not self.high_availability:
            return ("",)
        return tuple(f"-{number}" for number in range(_INSTANCES))


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
    for name in names:
        if _RESERVED.fullmatch(name):
            message = f"read a cluster named {name}; allowed any other name, this one is the API's"
            raise BadInputError(Fault("lab", 0, "members", message))
    return names


def sound(shape: Shape) -> Shape:
    """*shape*, if it can be.

    Raises:
        BadInputError: it asks for estimators where they have nothing to look at.
    """
    if shape.estimators and (shape.bare or not shape.karmada):
        lacks = "bare members" if shape.bare else "no real Karmada (KARMADA_DIR is not set)"
        message = f"read with {lacks}; allowed with full members of the real Karmada"
        raise BadInputError(Fault("lab", 0, "estimators", message))
    return shape


def changed(name: str, before: Shape, after: Shape) -> Shape:
    """*after*, if the lab *name* of the shape *before* can take it.

    Members and estimators may be added; all else would leave what the earlier lab stored in the
    way.

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
        (
            before.high_availability != after.high_availability,
            "one etcd does not become three",
        ),
        (before.joined != after.joined, "members joined by the lab and by a stack do not mix"),
    )
    for holds, reason in reasons:
        if holds:
            raise FederationError(f"lab {name!r} cannot change so: {reason}. Take it down first")
    return after


def _said(shape: Shape) -> str:
    return f"Karmada {shape.karmada}" if shape.karmada else "no Karmada (KARMADA_DIR is not set)"
