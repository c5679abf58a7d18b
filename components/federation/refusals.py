"""Why nothing may be written to a Karmada API, each reason with the way out.

Owns the list of the questions, and those about single things: the version, the switch that failover
needs, namespaces, and templates with other replicas. Who else claims a template stands in
``claims``, what the scheduler would make of the live clusters in ``fit``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from components.federation.api import KarmadaApi
from components.federation.claims import contested
from components.federation.fit import misfits
from placement.decision import Decision
from placement.division import webster
from placement.emit import Manifest
from placement.federation import Federation, Workload
from placement.federation.file import replicas_of

_STAMP_OF_1_16 = (0, 19, 0)
"""The controller-gen that Karmada 1.16 was released with; 1.15 with 0.18. The API says no other
version of Karmada's than this one, in its definitions."""


def refusals(
    api: KarmadaApi, federation: Federation, decision: Decision, emitted: Sequence[Manifest]
) -> Iterator[str]:
    """A line for each reason not to write *emitted*.

    Raises:
        FederationError: the API does not answer.
    """
    yield from _old(api.stamp())
    yield from _without_switch(api, emitted)
    yield from _namespaces(api, federation)
    templates = {
        w.id: api.template(w.template, w.namespace)
        for w in federation.workloads
        if w.template is not None
    }
    wrong = list(_contradictions(federation, decision, templates))
    yield from wrong
    standing = api.policies()
    yield from contested(standing, emitted, templates)
    if not wrong:
        yield from misfits(_changed(emitted, standing), api.clusters(), api.bindings())


def _changed(emitted: Sequence[Manifest], standing: Sequence[Manifest]) -> list[Manifest]:
    """What is not there already as it is: a policy that stays does not move anything."""

    def key(content: Manifest) -> tuple[str, str, str]:
        metadata = content["metadata"]
        return content["kind"], metadata.get("namespace", ""), metadata["name"]

    there = {key(policy): policy["spec"] for policy in standing}
    return [content for content in emitted if content.get("spec") != there.get(key(content))]


def _old(stamp: str | None) -> Iterator[str]:
    read = re.match(r"v(\d+)\.(\d+)\.(\d+)", stamp or "")
    if read is None:
        return  # unsaid, or made with a controller-gen of no release
    if tuple(map(int, read.groups())) < _STAMP_OF_1_16:
        yield (
            f"Karmada is older than 1.16: its definitions are stamped controller-gen {stamp}, "
            "those of 1.16 v0.19.0. It breaks ties at random and divides by another rule, so that "
            "nothing can be foretold; upgrade the control plane"
        )


def _without_switch(api: KarmadaApi, emitted: Sequence[Manifest]) -> Iterator[str]:
    policies = [o for o in emitted if o["kind"] == "ClusterTaintPolicy"]
    said = api.refusal(policies[0], "clustertaintpolicies") if policies else None
    if said is not None:
        yield (
            f"the Karmada API refuses {policies[0]['metadata']['name']}: {said}. Failover needs "
            "karmada-webhook with --allow-no-execute-taint-policy=true, and "
            "karmada-controller-manager with --feature-gates=Failover=true and "
            "--enable-no-execute-taint-eviction=true; to do without it, set "
            "federation:federation.failover to false"
        )


def _namespaces(api: KarmadaApi, federation: Federation) -> Iterator[str]:
    for name in sorted({w.namespace for w in federation.workloads} - api.namespaces()):
        yield (
            f"namespace {name} does not exist on the Karmada API; create it: "
            f"kubectl create namespace {name}"
        )


def _contradictions(
    federation: Federation, decision: Decision, templates: Mapping[str, Manifest | None]
) -> Iterator[str]:
    for workload in federation.workloads:
        found = templates.get(workload.id)
        if found is None or not isinstance(workload.replicas, int):
            continue  # ours follow the decision; an autoscaler's number is its own
        count = replicas_of(found)
        if count is not None and count != workload.replicas:
            yield _contradiction(workload, decision, count)


def _contradiction(workload: Workload, decision: Decision, count: int) -> str:
    placed = decision.workload(workload.id)
    split = {name: n for name, n in webster(count, placed.weights).items() if n}
    return (
        f"{workload.id}: the template on the Karmada API has {count} replicas where the federation "
        f"file has {workload.replicas}; Karmada would divide them {_shown(split)} where "
        f"{_shown(placed.replicas)} was decided. Make the two numbers equal."
    )


def _shown(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items()) or "nowhere"
