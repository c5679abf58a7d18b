"""Settings of the carrier plane."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from components.settings.hetzner import HetznerCluster
from placement.federation.base import ClusterName, Continent, LabelValue, Model, Region

_MIDNIGHT = " 00:00:00 +0000 UTC"
"""What Pulumi makes of a date without quotes in a stack's file, behind the date itself."""

Date = Annotated[
    date,
    BeforeValidator(lambda v: v.removesuffix(_MIDNIGHT) if isinstance(v, str) else v),
]


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


class CarrierSettings(Model):
    """The carrier plane: the cluster whose Karmada API the federation is run through."""

    cluster: Annotated[ExistingCluster | HetznerCluster, Field(discriminator="maker")]
