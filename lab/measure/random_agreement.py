"""Predicted = actual for random federations on the real scheduler.

Owns the loop: the members' Cluster objects get the places, labels and taints of the federation,
the policies go out, and every ResourceBinding is compared with the decision. The policies are as
``placement.emit`` makes them but for ``suspension.dispatching``, which acts after the scheduler:
thousands of objects that nobody looks at would be written to the members else.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.kubernetes.client import Api
from lab.measure import random_federations as drawn
from lab.measure.agreement import apply
from lab.measure.bindings import Key, Mismatch, differing, mismatches, read
from lab.processes.runner import Report
from placement.emit import Manifest
from placement.federation import Cluster
from placement.plan import plan

_DIVIDED_SECONDS = 30
_SETTLE_SECONDS = 0.15
"""From a changed Cluster object to the scheduler's own copy of it; seen: some 20 ms."""
_EFFORT = 1
_REPORT_EVERY = 50
_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")


@dataclass
class Tally:
    """What came of the random federations.

    Attributes:
        federations: those with a placement, all of which were compared.
        infeasible: those without, which no scheduler saw.
        workloads: compared.
        divided: those of them on more than one cluster.
        equal: those that Karmada divided as decided.
        seconds: all in all.
        mismatches: the others, by the seed of their federation.
        last_seed: seeds count from 0.
    """

    federations: int = 0
    infeasible: int = 0
    workloads: int = 0
    divided: int = 0
    equal: int = 0
    seconds: float = 0
    mismatches: list[tuple[int, Mismatch]] = field(default_factory=list)
    last_seed: int = -1


def compare_random(api: Api, count: int, seconds: float, report: Report) -> Tally:
    """Compare *count* random federations, or as many as *seconds* allow.

    Args:
        api: a client of the Karmada API, whose members are those of ``random_federations``.
        count: how many federations with a placement.
        seconds: no new one is begun after this time.
        report: called with a line now and then.

    Raises:
        FederationError: the Karmada API is not reached, or refuses.
    """
    tally, begun = Tally(), time.monotonic()
    earlier: dict[Key, dict[str, int]] = {}
    api.apply(_namespace())
    while tally.federations < count and time.monotonic() - begun < seconds:
        tally.last_seed += 1
        federation = drawn.federation(tally.last_seed)
        decision = plan(federation, effort=_EFFORT)
        if decision.status == "infeasible":
            tally.infeasible += 1
            continue
        for cluster in federation.clusters:
            api.patch(_as_drawn(cluster))
        time.sleep(_SETTLE_SECONDS)
        keys = apply(api, federation, decision, Path(), _suspended)
        predicted = {keys[name]: counts for name, counts in decision.counts.items()}
        wrong = mismatches(api, predicted, _DIVIDED_SECONDS, namespace=drawn.NAMESPACE, still=0)
        _count(tally, predicted, wrong)
        # What was equal must have stayed so while the next federation came.
        _count_changed(tally, earlier, api)
        _delete(api, earlier)
        earlier = {key: counts for key, counts in predicted.items() if _right(key, wrong)}
        tally.seconds = time.monotonic() - begun
        if tally.federations % _REPORT_EVERY == 0:
            report(
                f"{tally.federations} random federations: {tally.equal} of {tally.workloads} "
                f"workloads equal in {tally.seconds:.0f} s"
            )
    _count_changed(tally, earlier, api)
    return tally


def _right(key: Key, wrong: tuple[Mismatch, ...]) -> bool:
    return str(key) not in {mismatch.workload for mismatch in wrong}


def _count(tally: Tally, predicted: dict[Key, dict[str, int]], wrong: tuple[Mismatch, ...]) -> None:
    tally.federations += 1
    tally.workloads += len(predicted)
    tally.divided += sum(len(counts) > 1 for counts in predicted.values())
    tally.equal += len(predicted) - len(wrong)
    tally.mismatches += [(tally.last_seed, mismatch) for mismatch in wrong]


def _count_changed(tally: Tally, earlier: dict[Key, dict[str, int]], api: Api) -> None:
    """Take back what was counted as equal and is no longer so."""
    changed = differing(earlier, read(api, drawn.NAMESPACE))
    tally.equal -= len(changed)
    tally.mismatches += [(tally.last_seed, mismatch) for mismatch in changed]


def _delete(api: Api, keys: dict[Key, dict[str, int]]) -> None:
    versions = {kind: version for version, kind in drawn.KINDS}
    for key in keys:
        policy = f"{key.name}-{key.kind.lower()}"
        api.delete("policy.karmada.io/v1alpha1", "PropagationPolicy", policy, key.namespace)
        api.delete(versions[key.kind], key.kind, key.name, key.namespace)


def _namespace() -> dict[str, Any]:
    # Karmada would copy the namespace to every member, where nothing is to arrive.
    labels = {"namespace.karmada.io/skip-auto-propagation": "true"}
    metadata = {"name": drawn.NAMESPACE, "labels": labels}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def _as_drawn(cluster: Cluster) -> dict[str, Any]:
    """The part of the Cluster object that a federation says something of."""
    return {
        "apiVersion": _CLUSTER[0],
        "kind": _CLUSTER[1],
        "metadata": {"name": cluster.name, "labels": dict(cluster.labels)},
        "spec": {
            "provider": cluster.provider,
            "region": cluster.region,
            "zones": list(cluster.zones),
            "taints": [
                {"key": taint.key, "value": taint.value or "", "effect": taint.effect}
                for taint in cluster.taints
            ],
        },
    }


def _suspended(policy: Manifest) -> Manifest:
    return {**policy, "spec": {**policy["spec"], "suspension": {"dispatching": True}}}
