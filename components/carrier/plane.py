"""The carrier plane: its cluster, what runs on it, and what it publishes."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pulumi

from components import outputs
from components.carrier import bucket_keys
from components.carrier.software import Software, SoftwareArgs
from components.cluster import Existing, Hetzner, kubeconfig, prepare
from components.cluster.hetzner import facts
from components.outputs import KARMADA
from components.settings import CarrierSettings, ExistingCluster, HetznerCluster, StackSettings
from components.settings.hetzner.server_types import price_list


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
        # What runs on the cluster is a component of its own, with its own part of the settings.
        unseen: dict[str, Any] = {"software": True, "cluster": {"cost"}}
        props = spec.model_dump(mode="json", by_alias=True, exclude=unseen)
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
        place = spec.model_dump(mode="json", by_alias=True, exclude={"maker", "as_of", "cost"})
        day, api = spec.as_of, KARMADA
    else:
        last = await outputs.last_servers()
        prepared = prepare(spec, ("carrier", "cluster"), settings, last)
        make = partial(Hetzner, spec.name, prepared)
        # The API of the cluster is another one than Karmada's, which it is to carry.
        place, day, api = facts.place(spec), price_list().date, spec.name
    args = _software(settings)
    _show_cost(spec)
    plane = Carrier(spec.name, settings.carrier, make)
    cluster = plane.cluster
    access = {api: cluster.kubeconfig.text}
    made = {spec.name: cluster.servers} if isinstance(cluster, Hetzner) else {}
    rancher: Mapping[str, Any] | None = None
    exports: dict[str, Any] = {}
    if args is not None:
        software = Software(
            spec.name,
            args(cluster.kubeconfig),
            pulumi.ResourceOptions(parent=plane, depends_on=[cluster]),
        )
        access = {spec.name: cluster.kubeconfig.text, KARMADA: software.karmada}
        exports = outputs.certificates(software.ends)
        if software.rancher is not None:
            rancher = software.rancher.published()
    return {
        **outputs.publish("carrier", day.isoformat(), [place], access, rancher=rancher),
        **outputs.servers(made),
        **exports,
    }


def _show_cost(spec: ExistingCluster | HetznerCluster) -> None:
    """Say what a cluster that exists costs; what one costs that is made here, its maker says."""
    if isinstance(spec, ExistingCluster) and (cost := spec.cost) is not None:
        basis = f"{cost.currency} a month {cost.vat}, {cost.source}, {cost.date}"
        pulumi.log.info(f"{spec.name} costs {cost.amount} {basis}")


def _software(settings: StackSettings) -> Callable[..., SoftwareArgs] | None:
    """What the software is made from, but for its cluster; None where there is none."""
    spec = settings.carrier.software if settings.carrier is not None else None
    if spec is None:
        return None
    keys = bucket_keys.read() if spec.backup is not None else None
    return lambda reached: SoftwareArgs(spec, reached, settings.mirror, keys, settings.rotate)
