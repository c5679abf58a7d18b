"""What a workload may ask of where it runs: spread, neighbours, users, data, promises."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from placement.federation.base import Amount, Count, Level, Model, Money, PositiveAmount, Region


class Groups(Model):
    """How many groups of a level a workload is spread over."""

    min_groups: Annotated[int, Field(strict=True, ge=1)] = 1
    max_groups: Annotated[int, Field(strict=True, ge=1)] | None = None
    missing_price: Money | None = None
    """Set: fewer groups than ``minGroups`` will do, at this price a month for each that is missing.
    """

    @property
    def least(self) -> int:
        """The groups that it takes in any case."""
        return self.min_groups if self.missing_price is None else 0

    @model_validator(mode="after")
    def _ordered(self) -> "Groups":
        if self.max_groups is not None and self.max_groups < self.min_groups:
            raise ValueError(
                f"maxGroups {self.max_groups} is below minGroups {self.min_groups}; "
                "allowed maxGroups of minGroups or more"
            )
        return self


class PerCluster(Model):
    """Bounds on the replicas of any one cluster that is used at all."""

    min: Count = 1
    max: Count | None = None


class Demand(Model):
    """Where users are: a share of the workload's traffic."""

    region: Region
    share: PositiveAmount


class Data(Model):
    """Data that each replica reads or writes, and where it lies."""

    name: str
    region: Region
    gigabytes_per_month: Amount
    """What one replica moves in a month, in GB."""
    direction: Literal["read", "write"] = "read"
    """Which way it moves; the region that it leaves is where its egress is charged."""
    rtt_limit: PositiveAmount | None = None
    """The longest round trip to the data that the workload bears, in ms."""


class Survive(Model):
    """A promise: after this loss, under the division that Karmada then makes, this still holds."""

    loss: Literal["cluster", "region"]
    keep: Literal["capacity", "spread"] = "capacity"
    """``spread`` keeps the spread as well as the capacity."""


class Neighbour(Model):
    """Another workload, and the level at which to be with it or apart from it."""

    workload: str
    """Its id, ``namespace/name``."""
    level: Level = "cluster"
