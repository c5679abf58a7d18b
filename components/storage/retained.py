"""What a destroy leaves where the plane is let go and not erased, and what that costs.

Owns the list; it is exported at all times, so that it is known before.
"""

from collections.abc import Iterator
from typing import Any

from components.settings.storage import StorageSettings
from components.storage.identities import parts
from components.storage.names import NAMESPACE
from components.storage.pools import manifests


def retained(spec: StorageSettings) -> dict[str, Any]:
    """The list, for machines."""
    objects = [f"CephCluster {NAMESPACE}"]
    for pool in spec.pools:
        objects += [f"{each['kind']} {each['metadata']['name']}" for each in manifests(spec, pool)]
    objects += [f"{each['kind']} {each['metadata']['name']}" for each in parts(spec)]
    objects += [f"ObjectBucketClaim {bucket.name}" for bucket in spec.buckets]
    found: dict[str, Any] = {
        "objects": objects,
        "devices": sum(len(node.devices) for node in spec.nodes),
        "bytes": sum(spec.domains().values()),
    }
    if spec.cost is not None:
        cost = {"amount": str(spec.cost.amount), "currency": spec.cost.currency, "per": "month"}
        found["cost"] = cost
    return found


def report(spec: StorageSettings) -> Iterator[str]:
    """The same, for people."""
    found = retained(spec)
    cost = found.get("cost")
    price = f"{cost['amount']} {cost['currency']} a month" if cost else "a price that is not given"
    yield (
        f"a destroy of {spec.cluster.name} leaves {found['devices']} devices with "
        f"{found['bytes'] / 2**40:.1f} TiB on {len(spec.nodes)} machines, for {price} "
        "(federation:storage.cost):"
    )
    yield from (f"  {each}" for each in found["objects"])
