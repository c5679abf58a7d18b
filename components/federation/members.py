"""Waiting for the members, and looking before anything is written.

Owns the look that is taken before the first object is created or updated: that every target
cluster is Ready with its APIs known, and then what ``refusals`` finds. Karmada divides once and
then stays put, so a policy that goes out too early stays wrong. It is taken on ``up`` alone: a
preview must work without the API.
"""

import asyncio
from collections.abc import Sequence

import pulumi

from components.federation.api import KarmadaApi
from components.federation.once import Once
from components.federation.patience import until_none
from components.federation.refusals import refusals
from placement.decision import Decision
from placement.emit import Manifest
from placement.faults import FederationError
from placement.federation import Federation
from placement.karmada.readiness import unready


class Members:
    """The target clusters of a decision, as the Karmada API sees them.

    Args:
        federation: what was decided on.
        decision: the decision.
        emitted: its objects.
        kubeconfig: of the Karmada API; a secret.
        timeout: seconds to wait for the clusters.
    """

    def __init__(
        self,
        federation: Federation,
        decision: Decision,
        emitted: Sequence[Manifest],
        kubeconfig: pulumi.Output[str],
        timeout: int,
    ) -> None:
        self._federation = federation
        self._decision = decision
        self._emitted = emitted
        self._kubeconfig = kubeconfig
        self._timeout = timeout
        self.hook = pulumi.ResourceHook("members-ready", Once(self._look).wait)
        """What makes a resource wait for them."""

    async def _look(self) -> None:
        api = await asyncio.to_thread(KarmadaApi, str(await self._kubeconfig.future()))
        lines = await until_none(lambda: self._unready(api), self._timeout, "members")
        if lines:
            raise FederationError(
                f"after {self._timeout} s (federation:federation.readinessTimeout) "
                "not every target cluster can take workloads:\n" + "\n".join(lines)
            )
        found = await asyncio.to_thread(
            lambda: list(refusals(api, self._federation, self._decision, self._emitted))
        )
        if found:
            raise FederationError("\n".join(found))

    def _unready(self, api: KarmadaApi) -> list[str]:
        """A line for each target cluster that cannot take workloads yet."""
        found = api.clusters()
        names = {name for counts in self._decision.counts.values() for name in counts}
        wrong = {name: unready(found.get(name)) for name in sorted(names)}
        return [f"{name}: {why}" for name, why in wrong.items() if why]
