"""The carrier's cluster where it exists already."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator

from placement.federation.base import (
    ClusterName,
    Continent,
    Currency,
    LabelValue,
    Model,
    PositiveAmount,
    Region,
    Sourced,
)

_MIDNIGHT = " 00:00:00 +0000 UTC"
"""What Pulumi makes of a date without quotes in a stack's file, behind the date itself."""

Date = Annotated[
    date,
    BeforeValidator(lambda v: v.removesuffix(_MIDNIGHT) if isinstance(v, str) else v),
]


class Cost(Sourced):
    """What a cluster costs a month as a whole: what its owner knows, and nobody can look up."""

    date: Date
    amount: PositiveAmount
    currency: Currency
    vat: Literal["net", "gross"]


class ExistingCluster(Model):
    """A cluster that exists already; its kubeconfig is the secret ``federation:kubeconfig``."""

    maker: Literal["existing"]
    name: ClusterName
    provider: LabelValue
    region: Region
    continent: Continent
    zones: tuple[Region, ...] = ()
    jurisdiction: str | None = None
    as_of: Date
    """The day for which these facts hold."""
    cost: Cost | None = None
    """Shown in the preview; absent: unknown."""
