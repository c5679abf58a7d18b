"""The order in which a changed placement rolls out: batch first, then standard, then critical.

Owns the waves and the gate between them: what moved in one wave is applied and healthy in the
members before anything of the next is written, so that a decision that turns out wrong meets the
least important workloads first. How much may move in one run, the objective bounds.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components.federation.api import KarmadaApi
from components.federation.emitted import Policy, policies
from components.federation.once import Once
from components.federation.patience import until_none
from components.federation.rollout import Rollout
from placement.decision import Decision
from placement.faults import FederationError
from placement.federation.workload import Range, ServiceClass

ORDER: tuple[ServiceClass, ...] = ("batch", "standard", "critical")

_Function = Callable[[pulumi.ResourceHookArgs], Awaitable[None] | None]
"""What Pulumi's binding of hooks takes besides them."""


@dataclass(frozen=True)
class Wave:
    """Workloads that roll out together.

    Attributes:
        workloads: their ids.
        moved: those of them that were there before and move, Jobs left out.
        hooks: what must hold before anything of theirs is written.
    """

    workloads: frozenset[str]
    moved: frozenset[str]
    hooks: pulumi.ResourceHookBinding


class Waves:
    """The waves of a decision.

    Args:
        rollout: the decision, on its way.
    """

    def __init__(self, rollout: Rollout) -> None:
        self._rollout = rollout
        self._workloads = {w.id: w for w in rollout.federation.workloads}
        self._policies = tuple(policies(rollout.emitted))
        moved = moving(rollout.decision) & set(self._workloads)
        # A member refuses to change the completions of a Job that exists, so it stays as it is:
        # to wait for it would be to wait for ever.
        jobs = {p.workload for p in self._policies if p.target[1] == "Job"} & moved
        self._moved = frozenset(moved - jobs)
        for name in sorted(jobs):
            pulumi.log.warn(
                f"{name}: a Job that exists is not divided anew, its completions are immutable; "
                "delete it, or give the next one another name"
            )

    def behind(self, ready: pulumi.ResourceHook) -> Iterator[Wave]:
        """The waves in order, each behind those before it and behind *ready*."""
        earlier: frozenset[str] = frozenset()
        for name in ORDER:
            ids = frozenset(w.id for w in self._workloads.values() if w.class_ == name)
            if not ids:
                continue
            hooks: list[pulumi.ResourceHook | _Function] = [ready]
            if earlier:
                hooks.append(pulumi.ResourceHook(f"before-{name}", self._gate(earlier).wait))
            moved = ids & self._moved
            yield Wave(
                ids, moved, pulumi.ResourceHookBinding(before_create=hooks, before_update=hooks)
            )
            earlier |= moved

    def _gate(self, moved: frozenset[str]) -> Once:
        async def look() -> None:
            api, seconds = await self._rollout.api(), self._rollout.timeout
            steady = Steady(lambda: list(self._unsettled(api, moved)))
            lines = await until_none(steady.ask, seconds, "the wave before")
            if lines:
                raise FederationError(
                    f"after {seconds} s (federation:federation.readinessTimeout) what moved "
                    "before is not applied and healthy, and nothing more important was touched:\n"
                    + "\n".join(lines)
                )

        return Once(look)

    def _unsettled(self, api: KarmadaApi, moved: frozenset[str]) -> Iterator[str]:
        """A line for each workload that is not yet where it was decided to be.

        One without a binding has no object yet, so nothing of it runs that could be unwell.
        """
        bindings = api.bindings()
        for policy in self._policies:
            binding = bindings.get(policy.target)
            if policy.workload in moved and binding is not None:
                reason = unsettled(binding, self._fixed(policy))
                if reason is not None:
                    yield f"{policy.workload}: {reason}"

    def _fixed(self, policy: Policy) -> Mapping[str, int] | None:
        """The replicas that the binding must show; None where something else chooses them."""
        scaled = isinstance(self._workloads[policy.workload].replicas, Range)
        estimate = self._rollout.decision.workload(policy.workload).estimate
        return None if scaled or estimate else policy.replicas


def moving(decision: Decision) -> frozenset[str]:
    """The workloads that were there before and move, if only onto one cluster more."""
    added: Counter[str] = Counter()
    for move in decision.moves:
        added[move.workload] += move.after - move.before
    counts = decision.counts
    return frozenset(name for name, n in added.items() if sum(counts.get(name, {}).values()) > n)


class Steady:
    """Believes an answer of nothing only when it comes twice.

    The status of a binding follows its division: right after a change it is that of before.

    Args:
        ask: a line for each thing that is missing.
    """

    def __init__(self, ask: Callable[[], list[str]]) -> None:
        self._ask = ask
        self._quiet = False

    def ask(self) -> list[str]:
        """What is missing, or that one more look is."""
        lines = self._ask()
        was_quiet, self._quiet = self._quiet, not lines
        return lines if lines or was_quiet else ["one more look, since statuses come late"]


def unsettled(binding: Mapping[str, Any], decided: Mapping[str, int] | None) -> str | None:
    """What a ``ResourceBinding`` lacks to be applied and healthy; None where it lacks nothing.

    Args:
        binding: the live object.
        decided: the replicas by cluster that it must have; None for any.
    """
    spec, status = binding["spec"], binding.get("status") or {}
    given = {c["name"]: c.get("replicas", 0) for c in spec.get("clusters") or ()}
    if decided is not None and given != dict(decided):
        return "not divided as decided yet"
    conditions = {c["type"]: c["status"] for c in status.get("conditions") or ()}
    if conditions.get("FullyApplied") != "True":
        return "not applied everywhere yet"
    found = {item["clusterName"]: item for item in status.get("aggregatedStatus") or ()}
    late = [n for n in given if not found.get(n, {}).get("applied")]
    unwell = [n for n in given if found.get(n, {}).get("health") == "Unhealthy"]
    if late or unwell:
        parts = [f"not applied on {', '.join(late)}"] * bool(late)
        parts += [f"unhealthy on {', '.join(unwell)}"] * bool(unwell)
        return "; ".join(parts)
    return None
