"""How pods are moved off hot nodes."""

from typing import Annotated

from pydantic import Field, model_validator

from placement.federation.base import Model

Percent = Annotated[int, Field(strict=True, ge=1, le=100)]


class Descheduler(Model):
    """Evictions that let the scheduler choose again.

    Shares are of requests, not of measured use: they are what the scheduler itself goes by.
    """

    interval_minutes: Annotated[int, Field(strict=True, ge=1, le=1440)] = 5
    under_used: Percent = 30
    """A node with less than this of its cpu, memory and pods takes what others lose."""
    over_used: Percent = 60
    """A node with more than this of one of them loses pods."""
    evictions_per_node: Annotated[int, Field(strict=True, ge=1)] = 5
    """The most pods that one run takes from a node."""

    @model_validator(mode="after")
    def _apart(self) -> "Descheduler":
        if self.under_used >= self.over_used:
            raise ValueError(
                f"read underUsed {self.under_used} beside overUsed {self.over_used}; allowed less: "
                "between the two nothing moves, or pods would go round"
            )
        return self
