"""A decision on its way to the Karmada API: what is waited for and looked at is seen from here."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.federation.api import KarmadaApi
from placement.decision import Decision
from placement.emit import Manifest
from placement.federation import Federation


@dataclass(frozen=True)
class Rollout:
    """A decision on its way to the Karmada API.

    Attributes:
        federation: what was decided on.
        decision: the decision.
        emitted: its objects.
        kubeconfig: of the Karmada API; a secret.
        timeout: seconds to wait for the target clusters, and again for each wave.
    """

    federation: Federation
    decision: Decision
    emitted: Sequence[Manifest]
    kubeconfig: pulumi.Output[str]
    timeout: int

    async def api(self) -> KarmadaApi:
        """A client of the Karmada API.

        Raises:
            FederationError: the kubeconfig cannot be used.
        """
        return await asyncio.to_thread(KarmadaApi, str(await self.kubeconfig.future()))
