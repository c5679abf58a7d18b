"""Settings of a compute plane."""

from typing import Annotated, Literal

from pydantic import Field

from components.settings.carrier import Date
from placement.federation import Cluster
from placement.federation.base import Model


class ComputeCluster(Cluster):
    """A cluster that exists already and joins the federation, with the facts that hold for it.

    Its kubeconfig stands, by its name, in the secret ``federation:kubeconfigs``.
    """

    maker: Literal["existing"]


class ComputeSettings(Model):
    """A compute plane: clusters that Karmada may fill."""

    clusters: Annotated[tuple[ComputeCluster, ...], Field(min_length=1)]
    as_of: Date
    """The day for which the facts hold."""
