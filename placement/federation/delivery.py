"""What a federation file says of how a workload is delivered, beyond where it is placed.

Owns the autoscaler, and what differs from cluster to cluster. Both are in Kubernetes' and Karmada's
own terms where these have them.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from placement.federation.base import LabelValue, Model
from placement.karmada.affinity import ClusterAffinity
from placement.karmada.autoscaler import ScalingBehavior
from placement.karmada.metrics import MetricSpec
from placement.karmada.overriders import PlaintextOverrider

Division = Literal["fixed", "dynamic", "aggregated"]
"""Who divides the replicas over the chosen clusters: the decision, or Karmada by what is free when
it looks, evenly (``dynamic``) or on as few clusters as will do (``aggregated``)."""

SCALABLE = ("Deployment", "StatefulSet", "ReplicaSet")
"""The kinds that an autoscaler can scale."""


class Autoscaler(Model):
    """What chooses the replicas within ``replicas: {min, max}``: a FederatedHPA."""

    metrics: tuple[MetricSpec, ...] = ()
    """None: 80 per cent of the requested CPU."""
    behavior: ScalingBehavior | None = None


class Image(Model):
    """Parts of the name of every container's image; what is absent stays as it is."""

    registry: str | None = None
    repository: str | None = None
    tag: str | None = None


class Override(Model):
    """What is different on some clusters."""

    clusters: ClusterAffinity
    """Which clusters, in Karmada's own terms."""
    image: Image | None = None
    storage_class: Annotated[str, Field(min_length=1)] | None = None
    """The storage class of every volume claim of a StatefulSet."""
    node_selector: dict[str, LabelValue] = {}
    """The node selector of the pods there, whole."""
    patches: tuple[PlaintextOverrider, ...] = ()
    """Anything else: JSON patches of the object."""

    @model_validator(mode="after")
    def _changes_something(self) -> "Override":
        image = self.image is not None and self.image != Image()
        if not (image or self.storage_class or self.node_selector or self.patches):
            raise ValueError(
                "changes nothing; allowed one or more of image, storageClass, nodeSelector, patches"
            )
        return self
