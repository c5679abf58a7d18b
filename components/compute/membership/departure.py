"""A member is empty before it leaves: Karmada would evict what runs there, and not move it.

Owns the look that is taken when a plane loses a cluster: whether any binding still has replicas on
it. A cluster that was said to be lost is let go. A destroy of the whole plane asks nothing, since a
plane of stateless clusters may be rebuilt at any time: Karmada then divides over what is left.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pulumi

from components.federation.api import KarmadaApi
from placement.faults import FederationError


class Departure:
    """Whether the clusters that leave are empty.

    Args:
        kubeconfig: of the Karmada API; a secret.
    """

    def __init__(self, kubeconfig: pulumi.Output[str]) -> None:
        self._kubeconfig = kubeconfig

    async def look(self, plane: pulumi.ResourceHookArgs) -> None:
        """See that the clusters that *plane* no longer has are empty.

        Raises:
            FederationError: one is not, or the Karmada API does not answer.
        """
        leaving = _members(plane.old_inputs) - _members(plane.new_inputs)
        leaving -= _lost(plane.new_inputs)
        if not leaving:
            return
        kubeconfig = str(await self._kubeconfig.future())
        bindings = await asyncio.to_thread(lambda: KarmadaApi(kubeconfig).bindings())
        found = {name: list(_used(bindings, name)) for name in sorted(leaving)}
        lines = [f"{name} leaves with {', '.join(of)}" for name, of in found.items() if of]
        if lines:
            raise FederationError(
                "\n".join(lines) + "\nallowed once it is empty: put it back with drained: true, "
                "bring this stack and the federation stack up, then take it out. If it is gone for "
                "good, put it back with lost: true"
            )


def _members(plane: Mapping[str, Any] | None) -> set[str]:
    """The clusters of a plane that are members."""
    clusters = (plane or {}).get("clusters") or ()
    return {str(cluster["name"]) for cluster in clusters} - _lost(plane)


def _lost(plane: Mapping[str, Any] | None) -> set[str]:
    clusters = (plane or {}).get("clusters") or ()
    return {str(cluster["name"]) for cluster in clusters if cluster.get("lost")}


def _used(bindings: Mapping[Any, Mapping[str, Any]], cluster: str) -> Iterator[str]:
    """What has replicas on *cluster*."""
    for (namespace, _, name), binding in sorted(bindings.items()):
        for target in binding["spec"].get("clusters") or ():
            if target["name"] == cluster and target.get("replicas"):
                yield f"{target['replicas']} of {namespace}/{name}"
