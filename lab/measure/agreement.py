"""Predicted = actual: a federation file on the real Karmada, as a whole and after each loss.

Owns the steps of the comparison. The prediction is the engine's own: the decision, and
``placement.failure.divided_after``; the policies are those of ``placement.emit``. What is measured
goes to ``verify``.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lab.kubernetes.client import Api
from lab.measure import losses
from lab.measure.bindings import REBALANCER_SECONDS, Key, Mismatch, mismatches
from lab.measure.templates import template
from lab.processes.runner import Report
from placement import federation as federations
from placement.decision import Decision
from placement.emit import Manifest, objects
from placement.failure import divided_after
from placement.federation import Federation
from placement.plan import plan

_DIVIDED_SECONDS = 60
_KIND = "PropagationPolicy"


@dataclass(frozen=True)
class Comparison:
    """What was predicted against what Karmada made of it, once.

    Attributes:
        lost: ``cluster/NAME``; empty for the federation as it was decided.
        workloads: how many were compared.
        touched: how many of them had replicas on what was lost; all of them where nothing was.
        seconds: from the first object, or the loss, until all were as predicted.
        mismatches: those that were not.
    """

    lost: str
    workloads: int
    touched: int
    seconds: float
    mismatches: tuple[Mismatch, ...]


@dataclass(frozen=True)
class Agreement:
    """A federation file, compared.

    Attributes:
        decision: the engine's.
        comparisons: as decided, then after each single cluster is lost.
        rebalanced: how often the decision stood again after the cluster was back.
    """

    decision: Decision
    comparisons: tuple[Comparison, ...]
    rebalanced: int


def compare(api: Api, file: Path, report: Report) -> Agreement:
    """Put the federation of *file* on the Karmada API and compare.

    Raises:
        BadInputError: the file is wrong.
        FederationError: the Karmada API is not reached, or refuses.
    """
    federation = federations.load(file)
    decision = plan(federation)
    begun = time.monotonic()
    keys = apply(api, federation, decision, file.parent)
    predicted = {keys[name]: counts for name, counts in decision.counts.items()}
    wrong = mismatches(api, predicted, _DIVIDED_SECONDS)
    first = Comparison("", len(keys), len(keys), time.monotonic() - begun, wrong)
    report(_line(first))
    found, rebalanced = [first], 0
    for cluster in federation.clusters:
        found.append(_after_loss(api, federation, decision, keys, cluster.name))
        report(_line(found[-1]))
        losses.find_again(api, cluster.name)
        if any(cluster.name in counts for counts in decision.counts.values()):
            _bring_back(api, federation, decision, file.parent, cluster.name)
        rebalanced += not mismatches(api, predicted, _DIVIDED_SECONDS)
    return Agreement(decision, tuple(found), rebalanced)


def apply(
    api: Api,
    federation: Federation,
    decision: Decision,
    directory: Path,
    changed: Callable[[Manifest], Manifest] = lambda manifest: manifest,
) -> dict[str, Key]:
    """Apply the policies of *decision* and the objects of its workloads.

    Args:
        api: a client of the Karmada API.
        federation: what was decided on.
        decision: a decision with a placement.
        directory: where the federation file is; manifests are relative to it.
        changed: makes of a policy what is applied.

    Returns:
        Each workload's object by the workload's id.

    Raises:
        FederationError: the Karmada API is not reached, or refuses.
    """
    keys: dict[str, Key] = {}
    # The members are lost by hand: taint policies would take the taints away again.
    for manifest in objects(federation, decision, directory, failover=False):
        api.apply(changed(manifest) if manifest["kind"] == _KIND else manifest)
        if manifest["kind"] == _KIND:
            (selector,) = manifest["spec"]["resourceSelectors"]
            key = Key(manifest["metadata"]["namespace"], selector["kind"], selector["name"])
            keys[f"{key.namespace}/{key.name}"] = key
    for workload in federation.workloads:
        size = sum(decision.counts[workload.id].values())
        manifest_of_user = template(workload, size)
        if manifest_of_user is not None:
            api.apply(manifest_of_user)
    return keys


def _bring_back(
    api: Api, federation: Federation, decision: Decision, directory: Path, lost: str
) -> None:
    """Divide every workload anew, as a user does who sets ``rebalance`` to another word."""
    time.sleep(REBALANCER_SECONDS)
    again = objects(federation, decision, directory, failover=False, rebalance=f"after {lost}")
    for manifest in again:
        if manifest["kind"] in (_KIND, "WorkloadRebalancer"):
            api.apply(manifest)


def _after_loss(
    api: Api, federation: Federation, decision: Decision, keys: Mapping[str, Key], lost: str
) -> Comparison:
    """Lose *lost* and compare every workload with what is predicted of it."""
    predicted: dict[Key, dict[str, int]] = {}
    touched = 0
    for workload in federation.workloads:
        counts = decision.counts[workload.id]
        backups = decision.workload(workload.id).backups
        after = divided_after(workload, counts, frozenset({lost}), backups)
        if workload.stateful and lost in counts:
            # It is not evicted: the binding goes on to name what nobody reaches.
            after = {**after, lost: counts[lost]}
        predicted[keys[workload.id]] = after
        touched += lost in counts
    begun = time.monotonic()
    losses.lose(api, lost)
    wrong = mismatches(api, predicted, _DIVIDED_SECONDS)
    return Comparison(f"cluster/{lost}", len(keys), touched, time.monotonic() - begun, wrong)


def _line(comparison: Comparison) -> str:
    equal = comparison.workloads - len(comparison.mismatches)
    what = f"after the loss of {comparison.lost}" if comparison.lost else "as decided"
    wrong = "".join(
        f"\n  {m.workload}: predicted {m.predicted}, Karmada {m.actual} {m.message}"
        for m in comparison.mismatches
    )
    return (
        f"{what}: {equal} of {comparison.workloads} workloads equal "
        f"({comparison.touched} touched) in {comparison.seconds:.1f} s{wrong}"
    )
