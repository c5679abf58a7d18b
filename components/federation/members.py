"""Waiting for the members, and looking before anything is written.

Owns the look that is taken before the first object is created or updated: that every target
cluster is Ready with its APIs known, and then what ``refusals`` finds. Karmada divides once and
then stays put, so a policy that goes out too early stays wrong. It is taken on ``up`` alone: a
preview must work without the API.
"""

import asyncio

import pulumi

from components.federation.api import KarmadaApi
from components.federation.once import Once
from components.federation.patience import until_none
from components.federation.refusals import refusals
from components.federation.rollout import Rollout
from placement.faults import FederationError
from placement.karmada.readiness import unready


class Members:
    """The target clusters of a decision, as the Karmada API sees them.

    Args:
        rollout: the decision, on its way.
    """

    def __init__(self, rollout: Rollout) -> None:
        self._rollout = rollout
        self.hook = pulumi.ResourceHook("members-ready", Once(self._look).wait)
        """What makes a resource wait for them."""

    async def _look(self) -> None:
        rollout = self._rollout
        api = await rollout.api()
        lines = await until_none(lambda: self._unready(api), rollout.timeout, "members")
        if lines:
            raise FederationError(
                f"after {rollout.timeout} s (federation:federation.readinessTimeout) "
                "not every target cluster can take workloads:\n" + "\n".join(lines)
            )
        found = await asyncio.to_thread(
            lambda: list(refusals(api, rollout.federation, rollout.decision, rollout.emitted))
        )
        if found:
            raise FederationError("\n".join(found))

    def _unready(self, api: KarmadaApi) -> list[str]:
        """A line for each target cluster that cannot take workloads yet."""
        found = api.clusters()
        names = {name for counts in self._rollout.decision.counts.values() for name in counts}
        wrong = {name: unready(found.get(name)) for name in sorted(names)}
        return [f"{name}: {why}" for name, why in wrong.items() if why]
