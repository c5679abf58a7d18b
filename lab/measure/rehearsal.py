"""A federation of two compute planes under rehearsal: what a user sets, and what is seen of it.

Owns the one workload, how its replicas are counted, in the members and as Karmada has them, and
what is asked of credentials. Which steps there are, and in which order, is in ``membership``.
"""

import base64
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
import yaml

from lab.karmada.registration import wait_ready
from lab.kubernetes.waiting import NotYetError, wait
from lab.lifecycle import Lab
from lab.measure.planes import Planes
from lab.measure.templates import template
from lab.mending import mended
from placement.federation import Workload

STACKS = {"newyork": "destroyer-newyork", "nuremberg": "aegis-nuremberg"}
"""The clusters of the shipped stack files."""

NEWYORK, NUREMBERG = STACKS["newyork"], STACKS["nuremberg"]
CREDENTIALS = "karmada-cluster"
CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")

BOTH = {NEWYORK: 2, NUREMBERG: 1}
"""The weights of the workload while both clusters are members."""

_BINDING = ("work.karmada.io/v1alpha2", "ResourceBinding")
_LEASE = ("coordination.k8s.io/v1", "Lease")
_NAMESPACE = "shop"
_SECONDS = 120


@dataclass
class Rehearsal:
    """The federation.

    Attributes:
        lab: the lab, up; its members have not joined.
        file: the federation file of the lab, with all clusters.
        planes: the user's stacks.
        replicas: of the one workload, as they were set last.
    """

    lab: Lab
    file: Path
    planes: Planes
    replicas: int = 6

    def write(self, weights: Mapping[str, int], compute: Sequence[str] = tuple(STACKS)) -> None:
        """Write the user's federation file, and whose facts the federation stack reads."""
        content = {
            "apiVersion": "federation/v1alpha1",
            "objective": {"lexicographic": [{"term": "fit"}]},
            "workloads": [self._workload(weights)],
        }
        (self.planes.project / "federation.yaml").write_text(yaml.safe_dump(content), "utf-8")
        self.planes.write(
            "federation",
            lambda config: config.update(
                {
                    "federation:file": "federation.yaml",
                    "federation:stacks": {"carrier": "tokyo", "compute": list(compute)},
                }
            ),
        )

    def apply(self, replicas: int) -> None:
        """Apply the user's objects: the namespace, and the Deployment with *replicas*."""
        self.replicas = replicas
        workload = Workload.model_validate(self._workload(BOTH), by_alias=True)
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _NAMESPACE}}
        for content in (space, template(workload, replicas)):
            if content is not None:
                self.lab.api().apply(content)

    def scale(self, replicas: int) -> float:
        """Set the replicas of the user's object; seconds until members and status say so."""
        begun = time.monotonic()
        self.apply(replicas)
        self.settled(self.divided)
        return round(time.monotonic() - begun, 1)

    @property
    def divided(self) -> dict[str, int]:
        """The replicas over both clusters, which divide without a rest."""
        return {name: self.replicas * weight // 3 for name, weight in BOTH.items()}

    def settled(self, wanted: Mapping[str, int], seconds: int = _SECONDS) -> None:
        """Wait until the workload runs as *wanted* and its status on the Karmada API says so.

        Raises:
            FederationError: it does not in time.
        """

        def look() -> None:
            for what, found in (("statuses", self.statuses()), ("pods", self.pods(wanted))):
                if found != dict(wanted):
                    raise NotYetError(f"{what} are {found}, not {dict(wanted)}")

        wait(look, seconds, "the workload is not as it should be")

    def statuses(self) -> dict[str, int]:
        """The ready replicas by cluster, as Karmada has them from the members."""
        found = self.lab.api().get(*_BINDING, "web-deployment", _NAMESPACE) or {}
        items = (found.get("status") or {}).get("aggregatedStatus") or ()
        counts = {i["clusterName"]: (i.get("status") or {}).get("readyReplicas", 0) for i in items}
        return {name: count for name, count in counts.items() if count}

    def pods(self, members: Mapping[str, int]) -> dict[str, int]:
        """The running pods in each of *members* that has any."""
        counts = {}
        for name in members:
            pods = self.lab.api(name).list("v1", "Pod", _NAMESPACE)
            counts[name] = sum(p.get("status", {}).get("phase") == "Running" for p in pods)
        return {name: count for name, count in counts.items() if count}

    def credential(self, cluster: str, key: str) -> str:
        """What Karmada's Secret of *cluster* has under *key*."""
        found = self.lab.api().get("v1", "Secret", cluster, CREDENTIALS) or {"data": {key: ""}}
        return base64.b64decode(found["data"][key]).decode()

    def accepts(self, cluster: str, token: str) -> bool:
        """Whether the member *cluster* knows *token*."""
        content = yaml.safe_load(self.lab.kubeconfig(cluster).read_text("utf-8"))
        with tempfile.NamedTemporaryFile("w", suffix=".crt") as root:
            root.write(self.credential(cluster, "caBundle"))
            root.flush()
            answer = requests.get(
                f"{content['clusters'][0]['cluster']['server']}/api",
                headers={"Authorization": f"Bearer {token}"},
                verify=root.name,
                timeout=10,
            )
        return answer.status_code != requests.codes.unauthorized

    def leader(self) -> str:
        """Who leads of Karmada's controller managers."""
        found = self.lab.api().get(*_LEASE, "karmada-controller-manager", "karmada-system")
        return str(found["spec"]["holderIdentity"]) if found else ""

    def ready(self, cluster: str) -> str:
        """The condition Ready of *cluster*."""
        found = self.lab.api().get(*CLUSTER, cluster) or {}
        conditions = (found.get("status") or {}).get("conditions") or ()
        return next((str(c["status"]) for c in conditions if c["type"] == "Ready"), "")

    def wait_ready(self, *clusters: str) -> None:
        """Wait until Karmada can use *clusters*.

        Raises:
            FederationError: it cannot in time.
        """
        wait_ready(self.lab.api(), clusters)

    def restart(self, member: str, *parts: str) -> None:
        """End *parts* of a member, and bring the lab up as it now is."""
        for part in parts:
            self.lab.kill(f"member-{member}-{part}")
        self.lab.up(self.file)

    def rotate(self, stack: str, word: str) -> float:
        """Set another word in a stack and bring it up; the seconds.

        The controllers, which end of it, are started again.
        """
        self.planes.write(stack, lambda config: config.update({"federation:rotate": word}))
        with mended(self.lab, self.file):
            return self.planes.run("up", stack)

    def _workload(self, weights: Mapping[str, int]) -> dict[str, Any]:
        return {
            "name": "web",
            "namespace": _NAMESPACE,
            "template": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "replicas": self.replicas,
            "request": {"cpu": "100m", "memory": "64Mi"},
            "weights": dict(weights),
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
        }
