"""Settings of a compute plane."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from components.settings.carrier import Date
from components.settings.compute.agreement import disagreements
from components.settings.compute.software import ComputeSoftware
from components.settings.hardware import wrong
from components.settings.hetzner import HetznerCluster
from components.settings.membership import MemberSettings
from placement.federation import Cluster
from placement.federation.base import Model


class ComputeCluster(Cluster, MemberSettings):
    """A cluster that exists already and joins the federation, with the facts that hold for it.

    Its kubeconfig stands, by its name, in the secret ``federation:kubeconfigs``.
    """

    maker: Literal["existing"]


class HetznerMember(HetznerCluster, MemberSettings):
    """A cluster that is made on Hetzner Cloud and joins the federation."""


class ComputeSettings(Model):
    """A compute plane: clusters that Karmada may fill."""

    clusters: Annotated[
        tuple[
            Annotated[ComputeCluster | HetznerMember, Field(discriminator="maker")],
            ...,
        ],
        Field(min_length=1),
    ]
    as_of: Date
    """The day for which the facts hold."""
    software: ComputeSoftware | None = None
    """What is installed on each cluster; absent: nothing, as where somebody else does."""

    @model_validator(mode="after")
    def _hardware(self) -> "ComputeSettings":
        for cluster in self.clusters:
            named = cluster.pools if isinstance(cluster, HetznerCluster) else cluster.node_classes
            for each in named:
                for found in wrong(each.labels):
                    raise ValueError(f"{each.name} of cluster {cluster.name}: {found}")
        return self

    @model_validator(mode="after")
    def _shared_as_declared(self) -> "ComputeSettings":
        software = self.software
        if software is None or software.accelerators is None:
            return self
        for cluster in self.clusters:
            if isinstance(cluster, HetznerCluster):
                raise ValueError(
                    f"read accelerators beside cluster {cluster.name} of maker hetzner; allowed "
                    "beside clusters that exist: Hetzner Cloud has no GPU servers"
                )
            for found in disagreements(cluster, software.accelerators):
                raise ValueError(found)
        return self

    @model_validator(mode="after")
    def _distinct(self) -> "ComputeSettings":
        names = [cluster.name for cluster in self.clusters]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"read clusters {', '.join(twice)} more than once; allowed each once")
        return self

    @model_validator(mode="after")
    def _room(self) -> "ComputeSettings":
        for cluster in self.clusters:
            if isinstance(cluster, HetznerCluster) and not cluster.agents():
                raise ValueError(
                    f"read cluster {cluster.name} without agents; allowed at least one pool: no "
                    "workload runs on the servers of its control plane"
                )
        return self
