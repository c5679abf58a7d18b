"""Settings of the federation plane."""

from typing import Annotated

from pydantic import Field

from placement.federation.base import Model, ObjectName


class FederationSettings(Model):
    """The federation plane: how a decision is made, and how it is carried out."""

    effort: Annotated[int, Field(ge=1, le=5)] = 3
    """How much work the solver may do."""
    readiness_timeout: Annotated[int, Field(ge=1, le=3600)] = 300
    """Seconds to wait until every target cluster is Ready with complete APIs, and again until what
    moved first is applied and healthy."""
    failover: bool = True
    """Whether this stack makes the taint policies without which nothing leaves a lost cluster."""
    rebalance: str = ""
    """Any word; another word divides every workload anew, as after a lost cluster has come back."""
    storage_classes: tuple[ObjectName, ...] | None = None
    """The StorageClasses of the storage plane, which the claims of workloads may name; absent: no
    claim is judged."""
    decision: str | None = None
    """A file with a decision in JSON that is carried out as it stands; absent: decide."""
