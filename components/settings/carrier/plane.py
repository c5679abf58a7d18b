"""The carrier plane as a whole: its cluster, and what is installed on it."""

from typing import Annotated

from pydantic import Field

from components.settings.carrier.cluster import ExistingCluster
from components.settings.carrier.software import Software
from components.settings.hetzner import HetznerCluster
from placement.federation.base import Model


class CarrierSettings(Model):
    """The carrier plane: the cluster whose Karmada API the federation is run through."""

    cluster: Annotated[ExistingCluster | HetznerCluster, Field(discriminator="maker")]
    software: Software | None = None
    """What is installed on the cluster; absent: nothing, and the API of a cluster that exists is
    Karmada's already."""
