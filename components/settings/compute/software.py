"""What is installed on each cluster of the plane: each thing by its own key."""

from typing import Annotated

from pydantic import Field, model_validator

from components.settings.compute.accelerators import Accelerators
from components.settings.compute.descheduler import Descheduler
from components.settings.compute.namespaces import NamespaceDefaults
from placement.federation.base import Model, Namespace, ObjectName


class Stateless(Model):
    """No data on the disks of the plane's nodes: the API refuses what would keep some there."""

    storage_classes: tuple[ObjectName, ...] = ()
    """The StorageClasses of the storage plane, which claims may name; none: no claim is made."""


class Metrics(Model):
    """An agent that sends the cluster's metrics on and keeps none.

    Where the receiver asks for a token, it is the secret ``federation:metricsToken``.
    """

    remote_write: Annotated[str, Field(pattern=r"^https://[^\s?#]+$")]
    """Where to: the remote-write address of the carrier's Prometheus."""


class ComputeSoftware(Model):
    """What makes clusters a compute plane; what is absent is not installed."""

    descheduler: Descheduler | None = None
    accelerators: Accelerators | None = None
    """Only pods that ask for an accelerator are then admitted."""
    stateless: Stateless | None = None
    namespaces: tuple[NamespaceDefaults, ...] = ()
    metrics: Metrics | None = None
    system_namespaces: tuple[Namespace, ...] = ()
    """Namespaces of the clusters' own software beside that of this program: of a network, of
    drivers. Their pods need no accelerator, and may read the node."""

    @model_validator(mode="after")
    def _distinct(self) -> "ComputeSoftware":
        names = [each.name for each in self.namespaces]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(
                f"read namespaces {', '.join(twice)} more than once; allowed each once"
            )
        both = sorted(set(names) & set(self.system_namespaces))
        if both:
            raise ValueError(
                f"read {', '.join(both)} in namespaces and in systemNamespaces; allowed one of them"
            )
        return self
