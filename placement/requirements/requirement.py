"""A requirement of the federation file: what it says, how to do without it, how to ease it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from placement.faults import Location, shown
from placement.federation.federation import Federation
from placement.requirements.change import GONE, Change, changed


@dataclass(frozen=True)
class Step:
    """A requirement eased by so much.

    Attributes:
        changes: of the file.
        location: of the key that a reader would change.
        before, after: what the key says now and then; *after* is None where it is dropped.
        size: how much is given up, relative to what is asked: 3 regions to 2 is a third.
        note: what the change means, where the key alone does not say it.
    """

    changes: tuple[Change, ...]
    location: Location
    before: str
    after: str | None
    size: float
    note: str = ""

    @property
    def key(self) -> str:
        """The key as a fault shows it."""
        return shown(self.location)


@dataclass(frozen=True)
class Ladder(Sequence[Step]):
    """Steps in the order of what they give up; whoever stands on one stands above the others.

    Attributes:
        values: one for each step; a ``range`` where there are many.
        step: the step of a value.
    """

    values: Sequence[Any]
    step: Callable[[Any], Step]

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self.values)

    def __getitem__(self, index: Any) -> Any:
        """The step at *index*."""
        return self.step(self.values[index])


@dataclass(frozen=True)
class Requirement:
    """Something that the user asks for, or a limit of what a cluster offers.

    Attributes:
        location: the keys of the file, and indices.
        read: what the file says there.
        subject: the workload or cluster it is about.
        drop: the changes that do without it. They never make a placement impossible.
        ladders: ways to ease it less than wholly; some may have no step.
        behind: what makes this requirement go without saying: it is not named beside one that
            stands at or below one of these locations.
    """

    location: Location
    read: str
    subject: str
    drop: tuple[Change, ...]
    ladders: tuple[Ladder, ...] = ()
    behind: tuple[Location, ...] = field(default=())

    @property
    def key(self) -> str:
        """The key as a fault shows it."""
        return shown(self.location)

    def below(self, location: Location) -> bool:
        """Whether it stands at *location* or below."""
        return self.location[: len(location)] == location


def without(federation: Federation, dropped: Sequence[Requirement]) -> Federation:
    """*federation* if nobody asked for *dropped*."""
    return changed(federation, [change for each in dropped for change in each.drop])


def named(requirements: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Those that have to be said: the others go without saying beside them."""
    return tuple(
        each
        for each in requirements
        if not any(
            other is not each and other.below(location)
            for other in requirements
            for location in each.behind
        )
    )


def dropping(location: Location, read: str) -> tuple[tuple[Change, ...], Ladder]:
    """A key dropped: the changes, and a ladder of this one step."""
    changes = (Change(location, GONE),)
    return changes, Ladder((None,), lambda _: Step(changes, location, read, None, 1.0))


def ending(ladder: Ladder, location: Location, read: str) -> Ladder:
    """*ladder* with one step more, on which the key is dropped."""
    last = len(ladder)

    def step(index: int) -> Step:
        if index < last:
            before: Step = ladder[index]
            return before
        size = max(1.0, ladder[-1].size) if last else 1.0
        return Step((Change(location, GONE),), location, read, None, size)

    return Ladder(range(last + 1), step)


def steps(location: Location, read: str, values: Sequence[Any], now: float | None = None) -> Ladder:
    """The ladder on which the key takes each of *values*, numbers if *now* is given."""

    def step(value: Any) -> Step:
        size = 1.0 if not now else abs(float(value) - now) / abs(now)
        return Step((Change(location, value),), location, read, text(value), size)

    return Ladder(values, step)


def text(value: object) -> str:
    """A value as a file would say it: 90 and not 90.0."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
