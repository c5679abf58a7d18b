"""Settings of a compute plane."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from components.settings.carrier import Date
from components.settings.hetzner import HetznerCluster
from placement.federation import Cluster
from placement.federation.base import Model


class ComputeCluster(Cluster):
    """A cluster that exists already and joins the federation, with the facts that hold for it.

    Its kubeconfig stands, by its name, in the secret ``federation:kubeconfigs``.
    """

    maker: Literal["existing"]


class ComputeSettings(Model):
    """A compute plane: clusters that Karmada may fill."""

    clusters: Annotated[
        tuple[
            Annotated[ComputeCluster | HetznerCluster, Field(discriminator="maker")],
            ...,
        ],
        Field(min_length=1),
    ]
    as_of: Date
    """The day for which the facts hold."""

    @model_validator(mode="after")
    def _room(self) -> "ComputeSettings":
        for cluster in self.clusters:
            if isinstance(cluster, HetznerCluster) and not cluster.agents():
                raise ValueError(
                    f"read cluster {cluster.name} without agents; allowed at least one pool: no "
                    "workload runs on the servers of its control plane"
                )
        return self
