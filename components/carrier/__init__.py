"""The carrier plane: the cluster that carries the federation's control plane.

Owns the plane's component and what it publishes. No user workload ever runs here: the carrier is
never a target of the federation plane.
"""

from collections.abc import Mapping
from typing import Any

import pulumi

from components import outputs
from components.cluster import Existing, Kubeconfig, kubeconfig
from components.settings import CarrierSettings, StackSettings

KARMADA = "karmada"
"""The name under which the kubeconfig of the Karmada API is published."""


class Carrier(pulumi.ComponentResource):
    """The carrier plane on a cluster.

    Attributes:
        cluster: the cluster.
    """

    cluster: Existing

    def __init__(
        self,
        name: str,
        spec: CarrierSettings,
        karmada: Kubeconfig,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Carrier", name, props, opts)
        self.cluster = Existing(
            spec.cluster.name, spec.cluster, karmada, pulumi.ResourceOptions(parent=self)
        )
        self.register_outputs({"endpoint": karmada.endpoint})


async def carrier(settings: StackSettings) -> Mapping[str, Any]:
    """Build the carrier plane; what it publishes."""
    if settings.carrier is None:
        raise ValueError("the settings of a carrier stack hold its own")
    spec = settings.carrier.cluster
    plane = Carrier(spec.name, settings.carrier, kubeconfig.read())
    facts = spec.model_dump(mode="json", by_alias=True, exclude={"maker", "as_of"})
    return outputs.publish(
        "carrier", spec.as_of.isoformat(), [facts], {KARMADA: plane.cluster.kubeconfig.text}
    )
