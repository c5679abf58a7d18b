"""Waiting for the members, and looking before anything is written.

Owns the look that is taken before the first object is created or updated: that every target
cluster is Ready with its APIs known, that the namespaces are there, and that no template
contradicts the decision. Karmada divides once and then stays put, so a policy that goes out too
early stays wrong. It is taken on ``up`` alone: a preview must work without the API.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import pulumi
import tenacity

from components.federation.api import KarmadaApi
from placement.decision import Decision
from placement.division import webster
from placement.faults import FederationError
from placement.federation import Federation, Workload
from placement.federation.file import replicas_of

_PAUSE = 1.0
"""Seconds between two looks at the clusters."""

LOOK = "members-look"
"""The name of the task that looks; who runs the program inline cancels it on an interrupt."""


class Members:
    """The target clusters of a decision, as the Karmada API sees them.

    Args:
        federation: what was decided on.
        decision: the decision.
        kubeconfig: of the Karmada API; a secret.
        timeout: seconds to wait for the clusters.
    """

    def __init__(
        self,
        federation: Federation,
        decision: Decision,
        kubeconfig: pulumi.Output[str],
        timeout: int,
    ) -> None:
        self._federation = federation
        self._decision = decision
        self._kubeconfig = kubeconfig
        self._timeout = timeout
        self._look: asyncio.Task[None] | None = None
        self._first = ""
        self._told: list[str] = []

    def hooks(self) -> pulumi.ResourceHookBinding:
        """What makes a resource wait; to be made once a run."""
        ready = pulumi.ResourceHook("members-ready", self.wait)
        return pulumi.ResourceHookBinding(before_create=[ready], before_update=[ready])

    async def wait(self, resource: pulumi.ResourceHookArgs) -> None:
        """Return once everything is in place; one look serves all resources of a run.

        Raises:
            FederationError: the engine then does not write the resource. The first one has the
                reason, the others point to it.
        """
        if self._look is None:
            self._first = resource.name
            self._look = asyncio.create_task(self._once(), name=LOOK)
        try:
            await asyncio.shield(self._look)
        except asyncio.CancelledError:
            raise FederationError("interrupted; nothing was written") from None
        except FederationError as error:
            if resource.name == self._first:
                raise FederationError(f"\n{error}") from None
            raise FederationError(f"as for {self._first}") from None

    async def _once(self) -> None:
        # Each call is a thread of its own, so that an interrupted run has no long one to wait for.
        api = await asyncio.to_thread(KarmadaApi, str(await self._kubeconfig.future()))
        await self._ready(api)
        faults = await asyncio.to_thread(
            lambda: [*self._namespaces(api), *self._contradictions(api)]
        )
        if faults:
            raise FederationError("\n".join(faults))

    async def _ready(self, api: KarmadaApi) -> None:
        retry = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(bool),
            wait=tenacity.wait_fixed(_PAUSE),
            stop=tenacity.stop_after_delay(self._timeout),
            before_sleep=self._tell,
            retry_error_callback=_lines,
        )
        lines: list[str] = await retry(asyncio.to_thread, self._unready, api)
        if lines:
            raise FederationError(
                f"after {self._timeout} s (federation:federation.readinessTimeout) "
                "not every target cluster can take workloads:\n" + "\n".join(lines)
            )

    def _unready(self, api: KarmadaApi) -> list[str]:
        """A line for each target cluster that cannot take workloads yet."""
        found = api.clusters()
        names = {name for counts in self._decision.counts.values() for name in counts}
        return [line for name in sorted(names) if (line := _unready(name, found.get(name)))]

    def _tell(self, state: tenacity.RetryCallState) -> None:
        """Say what is waited for, when that changes."""
        lines = _lines(state)
        if lines != self._told:
            self._told = lines
            pulumi.log.info(f"waiting for members: {'; '.join(lines)}", ephemeral=True)

    def _namespaces(self, api: KarmadaApi) -> Iterator[str]:
        for name in sorted({w.namespace for w in self._federation.workloads} - api.namespaces()):
            yield (
                f"namespace {name} does not exist on the Karmada API; create it: "
                f"kubectl create namespace {name}"
            )

    def _contradictions(self, api: KarmadaApi) -> Iterator[str]:
        for workload in self._federation.workloads:
            if workload.template is None or not isinstance(workload.replicas, int):
                continue  # ours follow the decision; an autoscaler's number is its own
            found = api.template(workload.template, workload.namespace)
            count = None if found is None else replicas_of(found)
            if count is not None and count != workload.replicas:
                yield _contradiction(workload, self._decision, count)


def _contradiction(workload: Workload, decision: Decision, count: int) -> str:
    placed = decision.workload(workload.id)
    split = {name: n for name, n in webster(count, placed.weights).items() if n}
    return (
        f"{workload.id}: the template on the Karmada API has {count} replicas where the federation "
        f"file has {workload.replicas}; Karmada would divide them {_shown(split)} where "
        f"{_shown(placed.replicas)} was decided. Make the two numbers equal."
    )


def _shown(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items()) or "nowhere"


def _unready(name: str, cluster: dict[str, Any] | None) -> str | None:
    """Why a cluster cannot take workloads yet."""
    if cluster is None:
        return f"{name}: not a member (no Cluster of this name on the Karmada API)"
    conditions = {c["type"]: c for c in (cluster.get("status") or {}).get("conditions") or []}
    for wanted in ("Ready", "CompleteAPIEnablements"):
        condition = conditions.get(wanted)
        if condition is None or condition["status"] != "True":
            reason = f" ({condition.get('message')})" if condition else " (not reported)"
            return f"{name}: {wanted} is not True{reason}"
    return None


def _lines(state: tenacity.RetryCallState) -> list[str]:
    """The outcome of the last look."""
    return state.outcome.result() if state.outcome else []
