"""What holds for the pods of a namespace that say nothing themselves."""

from typing import Annotated

from pydantic import Field, model_validator

from placement.federation.base import Model, Namespace, Resources
from placement.quantity import parse_quantity


class NamespaceDefaults(Model):
    """A namespace of users: defaults of a container, and the most of all pods together.

    Without a request a pod counts as nothing, to the scheduler and to the descheduler alike.
    """

    name: Namespace
    request: Resources
    """What a container asks for that does not say."""
    limit: Annotated[Resources, Field(default_factory=dict)]
    """What it may use that does not say."""
    quota: Annotated[Resources, Field(default_factory=dict)]
    """The most that the namespace may ask for: ``requests.cpu``, ``requests.nvidia.com/gpu``,
    ``pods``. It holds in each cluster by itself."""

    @model_validator(mode="after")
    def _within(self) -> "NamespaceDefaults":
        for name, limit in self.limit.items():
            if name in self.request and parse_quantity(self.request[name]) > parse_quantity(limit):
                raise ValueError(
                    f"read request.{name} {self.request[name]} over limit.{name} {limit}; "
                    "allowed a request within the limit"
                )
        return self
