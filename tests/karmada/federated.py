"""The real federation as a test sees it: what it applies in its namespace, and what comes of it.

Owns the members' places and the waits. What is expected is each test's own business.
"""

import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from lab.kubernetes.client import Api
from lab.measure.bindings import Binding, Key, read
from placement.division import Division, SchedulingError, parse_placement, predict
from placement.division.types import ClusterState

Plain = dict[str, Any]
_Value = TypeVar("_Value")

SECONDS = 40
"""How long anything may take; a busy machine needs a fifth of it."""

_POLICY = "policy.karmada.io/v1alpha1"
_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")

MEMBERS = {
    "m1": {"region": "fra", "continent": "europe", "provider": "aws", "tier": "production"},
    "m2": {"region": "fra", "continent": "europe", "provider": "hetzner", "tier": "production"},
    "m3": {"region": "ash", "continent": "north-america", "provider": "hetzner", "tier": "edge"},
    "m4": {"region": "sin", "continent": "asia", "provider": "gcp", "tier": "edge"},
}

FEDERATION: Plain = {
    "apiVersion": "federation/v1alpha1",
    "clusters": [
        {
            "name": name,
            "provider": facts["provider"],
            "region": facts["region"],
            "continent": facts["continent"],
            "labels": {"tier": facts["tier"]},
            "nodeClasses": [
                {
                    "name": "n",
                    "count": 2,
                    "allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"},
                }
            ],
        }
        for name, facts in MEMBERS.items()
    ],
    "workloads": [],
}


_FREE = {"cpu": Decimal(32), "memory": Decimal(128 << 30), "pods": Decimal(220)}
"""What a member's two nodes have; no pod ever runs on them."""


def states() -> list[ClusterState]:
    """The members, as the scheduler sees them."""
    return [
        ClusterState(
            name=name,
            region=facts["region"],
            provider=facts["provider"],
            labels={"tier": facts["tier"]},
            allocatable=_FREE,
        )
        for name, facts in MEMBERS.items()
    ]


def weights(by_cluster: Mapping[str, int], **more: Any) -> Plain:
    """A placement with static weights; *more* are further keys of it."""
    rules = [
        {"targetCluster": {"clusterNames": [name]}, "weight": weight}
        for name, weight in by_cluster.items()
    ]
    return {
        "clusterAffinity": {"clusterNames": list(by_cluster)},
        "replicaScheduling": {
            "replicaSchedulingType": "Divided",
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"staticWeightList": rules},
        },
        **more,
    }


def predicted(placement: Plain, replicas: int, uid: str = "") -> dict[str, int]:
    """The division that the project says that Karmada makes of *placement*."""
    found = _predict(placement, replicas, uid)
    assert isinstance(found, Division)
    return dict(found.replicas)


def predicted_error(placement: Plain, replicas: int) -> str:
    """The words in which the project says that Karmada refuses *placement*."""
    found = _predict(placement, replicas, "")
    assert isinstance(found, SchedulingError)
    return found.message


def _predict(placement: Plain, replicas: int, uid: str) -> Division | SchedulingError:
    parsed = parse_placement(placement, number=0, file="test")
    return predict(states(), parsed, replicas, uid=uid)


class Federated:
    """One namespace of the federation.

    Args:
        api: a client of the Karmada API.
        namespace: the namespace.
    """

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace
        self._cluster_policies: list[str] = []
        self._tainted: set[str] = set()

    def make_namespace(self) -> None:
        """Make the namespace; Karmada brings it to every member."""
        self.api.apply(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}
        )

    def deployment(
        self, name: str = "web", replicas: int = 6, image: str = "one", **pod: Any
    ) -> Plain:
        """Apply a Deployment; *pod* are further keys of its pods' spec."""
        labels = {"app": name}
        container = {"name": "main", "image": image}
        return self.api.apply(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": name, "namespace": self.namespace, "labels": labels},
                "spec": {
                    "replicas": replicas,
                    "selector": {"matchLabels": labels},
                    "template": {
                        "metadata": {"labels": labels},
                        "spec": {"containers": [container], **pod},
                    },
                },
            }
        )

    def policy(self, placement: Plain, name: str = "web", target: str = "web", **spec: Any) -> None:
        """Apply a PropagationPolicy for the Deployment *target*; every one where it is empty."""
        selector = {"apiVersion": "apps/v1", "kind": "Deployment"}
        if target:
            selector["name"] = target
        self.api.apply(
            {
                "apiVersion": _POLICY,
                "kind": "PropagationPolicy",
                "metadata": {"name": name, "namespace": self.namespace},
                "spec": {"resourceSelectors": [selector], "placement": placement, **spec},
            }
        )

    def cluster_policy(self, placement: Plain, name: str, **spec: Any) -> None:
        """Apply a ClusterPropagationPolicy for the Deployment ``web``; ``clean`` removes it."""
        self._cluster_policies.append(name)
        selector = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "web",
            "namespace": self.namespace,
        }
        self.api.apply(
            {
                "apiVersion": _POLICY,
                "kind": "ClusterPropagationPolicy",
                "metadata": {"name": name},
                "spec": {"resourceSelectors": [selector], "placement": placement, **spec},
            }
        )

    def apply(self, api_version: str, kind: str, name: str, spec: Plain) -> None:
        """Apply an object of the namespace."""
        self.api.apply(
            {
                "apiVersion": api_version,
                "kind": kind,
                "metadata": {"name": name, "namespace": self.namespace},
                "spec": spec,
            }
        )

    def taint(self, cluster: str, *taints: Plain) -> None:
        """Give *cluster* exactly *taints*; ``clean`` takes them away."""
        self._tainted.add(cluster)
        self.api.patch(
            {
                "apiVersion": _CLUSTER[0],
                "kind": _CLUSTER[1],
                "metadata": {"name": cluster},
                "spec": {"taints": list(taints)},
            }
        )
        time.sleep(1)  # nothing reports when the scheduler has seen it

    def binding(self, name: str = "web") -> Binding | None:
        """The binding of the Deployment *name*."""
        return read(self.api, self.namespace).get(Key(self.namespace, "Deployment", name))

    def division(self, name: str = "web") -> dict[str, int] | None:
        """Its replicas by cluster; None where the scheduler has not spoken yet."""
        binding = self.binding(name)
        return binding.replicas if binding and binding.reason else None

    def uid(self, name: str = "web") -> str:
        """The UID of the Deployment *name* on the Karmada API."""
        found = self.api.get("apps/v1", "Deployment", name, self.namespace)
        assert found is not None
        return str(found["metadata"]["uid"])

    def clean(self) -> None:
        """Untaint the clusters and delete what would outlive the namespace."""
        for name in sorted(self._tainted):
            self.taint(name)
        for name in self._cluster_policies:
            self.api.delete(_POLICY, "ClusterPropagationPolicy", name)
        self.api.delete("v1", "Namespace", self.namespace)


def until(look: Callable[[], _Value], wanted: Callable[[_Value], bool] = bool) -> _Value:
    """What *look* gives as soon as it is *wanted*; else what it gave last."""
    end = time.monotonic() + SECONDS
    while True:
        found = look()
        if wanted(found) or time.monotonic() > end:
            return found
        time.sleep(0.2)


def settled(look: Callable[[], _Value | None], wanted: _Value) -> _Value | None:
    """What *look* gives once it is *wanted* and has stayed so; else what it gave last."""
    found = until(look, lambda value: value == wanted)
    if found == wanted:
        time.sleep(1)
        found = look()
    return found
