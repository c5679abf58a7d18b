"""What really runs in the members, beside what was decided: the last table of the demo.

Owns the user's part (the templates that a user would keep on the Karmada API) and the look into
each member's pods. How Karmada's bindings are compared is in ``bindings``.
"""

from collections import Counter
from dataclasses import dataclass

from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_delay, wait_fixed

from lab.lifecycle import Lab
from lab.measure import bindings
from lab.measure.templates import template
from placement.decision import Decision
from placement.federation import Federation

_SECONDS = 60
"""How long Karmada and the members may take."""


@dataclass(frozen=True)
class Row:
    """A workload on a member.

    Attributes:
        workload: its id.
        cluster: the member.
        predicted: replicas, as decided.
        divided: replicas, as Karmada's ResourceBinding says.
        running: pods in the phase Running, in the member.
    """

    workload: str
    cluster: str
    predicted: int
    divided: int
    running: int

    @property
    def equal(self) -> bool:
        """Whether what was predicted is what runs."""
        return self.predicted == self.divided == self.running


def rows(lab: Lab, federation: Federation, decision: Decision) -> list[Row]:
    """Apply the users' templates and wait until everything runs as decided, or time is up.

    Raises:
        FederationError: an API server is not reached.
    """
    api = lab.api()
    for workload in federation.workloads:
        content = template(workload, sum(decision.counts[workload.id].values()))
        if content is not None:
            api.apply(content)
    last = Retrying(
        retry=retry_if_result(lambda found: not all(row.equal for row in found)),
        stop=stop_after_delay(_SECONDS),
        wait=wait_fixed(0.5),
        retry_error_callback=_outcome,
    )
    found: list[Row] = last(_look, lab, federation, decision)
    return found


def _outcome(state: RetryCallState) -> list[Row]:
    """The last look, where time is up."""
    return state.outcome.result() if state.outcome else []


def _look(lab: Lab, federation: Federation, decision: Decision) -> list[Row]:
    divided = {str(key): binding.replicas for key, binding in bindings.read(lab.api()).items()}
    members = [c.name for c in federation.clusters]
    pods = {name: _pods(lab, name) for name in members}
    return [
        Row(
            workload=workload,
            cluster=name,
            predicted=counts.get(name, 0),
            divided=divided.get(workload, {}).get(name, 0),
            running=pods[name][workload],
        )
        for workload, counts in decision.counts.items()
        for name in members
        if counts.get(name, 0) or divided.get(workload, {}).get(name, 0) or pods[name][workload]
    ]


def _pods(lab: Lab, member: str) -> Counter[str]:
    """Running pods of *member*, by workload: each has the label ``app`` of its template."""
    found = lab.api(member).list("v1", "Pod", None)
    return Counter(
        f"{pod['metadata']['namespace']}/{pod['metadata'].get('labels', {}).get('app', '')}"
        for pod in found
        if pod.get("status", {}).get("phase") == "Running"
    )
