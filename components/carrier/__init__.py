"""The carrier plane: the cluster that carries the federation's control plane.

Owns the plane's component and what it publishes. No user workload ever runs here: the carrier is
never a target of the federation plane.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pulumi

from components import outputs
from components.cluster import Existing, Hetzner, kubeconfig, prepare
from components.cluster.hetzner import facts
from components.settings import CarrierSettings, ExistingCluster, StackSettings
from components.settings.hetzner.server_types import price_list

KARMADA = "karmada"
"""The name under which the kubeconfig of the Karmada API is published."""


class Carrier(pulumi.ComponentResource):
    """The carrier plane on a cluster.

    Attributes:
        cluster: the cluster.
    """

    cluster: Existing | Hetzner

    def __init__(
        self,
        name: str,
        spec: CarrierSettings,
        make: Callable[[pulumi.ResourceOptions], Existing | Hetzner],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Carrier", name, props, opts)
        self.cluster = make(pulumi.ResourceOptions(parent=self))
        self.register_outputs({"endpoint": self.cluster.kubeconfig.endpoint})


async def carrier(settings: StackSettings) -> Mapping[str, Any]:
    """Build the carrier plane; what it publishes."""
    if settings.carrier is None:
        raise ValueError("the settings of a carrier stack hold its own")
    spec = settings.carrier.cluster
    make: Callable[[pulumi.ResourceOptions], Existing | Hetzner]
    if isinstance(spec, ExistingCluster):
        make = partial(Existing, spec.name, spec, kubeconfig.read())
        place = spec.model_dump(mode="json", by_alias=True, exclude={"maker", "as_of"})
        day, api = spec.as_of, KARMADA
    else:
        last = await outputs.last_servers()
        prepared = prepare(spec, ("carrier", "cluster"), settings, last)
        make = partial(Hetzner, spec.name, prepared)
        # The API of the cluster is another one than Karmada's, which it is to carry.
        place, day, api = facts.place(spec), price_list().date, spec.name
    cluster = Carrier(spec.name, settings.carrier, make).cluster
    access = {api: cluster.kubeconfig.text}
    made = {spec.name: cluster.servers} if isinstance(cluster, Hetzner) else {}
    return {
        **outputs.publish("carrier", day.isoformat(), [place], access),
        **outputs.servers(made),
    }
