"""How long nothing is scheduled: from a new template to its division over the members.

Owns the templates of one kill. A pause is the longest time that any of them waited, so it holds
everything on the way: the API, admission, the controllers that make the binding, the scheduler.
"""

import time
from collections.abc import Sequence

from drill.carrier.client import Client
from placement.faults import FederationError

TEMPLATES = 2
"""New templates a second."""

LOOKS = 5
"""Looks at the bindings a second: a pause is known to a fifth of a second."""

_GROUP = "policy.karmada.io/v1alpha1"


class Scheduling:
    """The templates of one kill, and when each was divided.

    Args:
        client: makes them and looks.
        namespace: in which they are; it is there.
    """

    def __init__(self, client: Client, namespace: str) -> None:
        self._client = client
        self._namespace = namespace
        self._made: dict[str, float] = {}
        self._divided: dict[str, float] = {}

    def prepare(self, members: Sequence[str]) -> None:
        """Make the policy that divides every template over *members*.

        Raises:
            FederationError: the API refuses.
        """
        weights = [{"targetCluster": {"clusterNames": [name]}, "weight": 1} for name in members]
        body = {
            "apiVersion": _GROUP,
            "kind": "PropagationPolicy",
            "metadata": {"name": "rehearsal"},
            "spec": {
                "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}],
                "placement": {
                    "clusterAffinity": {"clusterNames": list(members)},
                    "replicaScheduling": {
                        "replicaSchedulingType": "Divided",
                        "replicaDivisionPreference": "Weighted",
                        "weightPreference": {"staticWeightList": weights},
                    },
                },
            },
        }
        path = f"/apis/{_GROUP}/namespaces/{self._namespace}/propagationpolicies"
        made = self._client.call("POST", path, body)
        if not made.ok:
            raise FederationError(f"the policy of the rehearsal cannot be made: {made}")

    def make(self, number: int) -> None:
        """Make the template *number*; its time counts from the acknowledgement."""
        name = f"t{number}"
        labels = {"app": name}
        body = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name},
            "spec": {
                "replicas": 4,
                "selector": {"matchLabels": labels},
                "template": {
                    "metadata": {"labels": labels},
                    "spec": {"containers": [{"name": "main", "image": "none"}]},
                },
            },
        }
        path = f"/apis/apps/v1/namespaces/{self._namespace}/deployments"
        if self._client.call("POST", path, body).ok:
            self._made[name] = time.monotonic()

    def look(self, _: int) -> None:
        """Note which templates are divided by now."""
        path = f"/apis/work.karmada.io/v1alpha2/namespaces/{self._namespace}/resourcebindings"
        found = self._client.call("GET", path)
        now = time.monotonic()
        if not found.ok:
            return
        for binding in found.content()["items"]:
            if binding["spec"].get("clusters"):
                name = binding["spec"]["resource"]["name"]
                self._divided[name] = min(now, self._divided.get(name, now))

    def waiting(self) -> bool:
        """Whether a template that is there is not divided yet."""
        return bool(set(self._made) - set(self._divided))

    def pause(self) -> float | None:
        """The longest time that a template waited, in seconds; None: one still waits."""
        if self.waiting() or not self._made:
            return None
        return max(max(0.0, self._divided[name] - then) for name, then in self._made.items())
