"""For each rule a resource that breaks it, in one way, and one like it that does not.

The same resources are judged directly, by the engine at a preview, and in a stored state.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

POLICY = "kubernetes:policy.karmada.io/v1alpha1:PropagationPolicy"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
PROVIDER = "pulumi:providers:kubernetes"
STATEFUL_SET = "kubernetes:apps/v1:StatefulSet"
FEDERATION = "federation:federation:Federation"
MEMBERSHIP = "federation:compute:Membership"

FACTS: dict[str, Any] = {
    "storageClasses": ["auxiliary-block"],
    "carriers": ["tokyo"],
    "clusters": {
        "ash": {
            "region": "us-east",
            "provider": "hetzner",
            "zones": [],
            "continent": "north-america",
        },
        "nbg": {
            "region": "eu-central",
            "provider": "hetzner",
            "zones": ["nbg1", "nbg2"],
            "continent": "europe",
        },
        "fsn": {
            "region": "eu-central",
            "provider": "hetzner",
            "zones": ["fsn1"],
            "continent": "europe",
        },
    },
    "workloads": {
        "default/api": {"class": "critical", "continents": 2, "keepsSpreadAfter": None},
        "default/ledger": {"class": "critical", "continents": 2, "keepsSpreadAfter": "region"},
        "default/cache": {"class": "critical", "continents": 1, "keepsSpreadAfter": None},
        "default/batch": {"class": "batch", "continents": 1, "keepsSpreadAfter": None},
    },
}
"""What the federation plane would say of its clusters and workloads."""

PLANTED = "planted-token-1f0c"
"""A credential; it must never be seen in a message."""

NOWHERE = json.dumps(
    {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "nowhere",
        "contexts": [{"name": "nowhere", "context": {"cluster": "nowhere", "user": "nobody"}}],
        "clusters": [{"name": "nowhere", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "nobody", "user": {"token": PLANTED}}],
    }
)
"""A kubeconfig of a cluster that is not there; a preview does not need it."""


def tolerations(effect: str | None = "NoExecute") -> list[dict[str, Any]]:
    """Tolerations of a lost cluster, with *effect* or with none."""
    keys = ("cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable")
    given = {} if effect is None else {"effect": effect}
    return [{"key": k, "operator": "Exists", "tolerationSeconds": 30, **given} for k in keys]


def placement(weights: Mapping[str, int], **changes: Any) -> dict[str, Any]:
    """A placement over clusters by static weights; a change to None takes a part away."""
    rules = [
        {"targetCluster": {"clusterNames": [name]}, "weight": weight}
        for name, weight in weights.items()
    ]
    content = {
        "clusterAffinity": {"clusterNames": list(weights)},
        "clusterTolerations": tolerations(),
        "spreadConstraints": [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 9}],
        "replicaScheduling": {
            "replicaSchedulingType": "Divided",
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"staticWeightList": rules},
        },
        **changes,
    }
    return {key: value for key, value in content.items() if value is not None}


def policy(
    weights: Mapping[str, int], counts: Mapping[str, int] | None = None, **changes: Any
) -> dict[str, Any]:
    """A PropagationPolicy over clusters by static weights, annotated with counts."""
    annotations = {"federation/replicas": json.dumps(counts)} if counts is not None else {}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "web", "namespace": "default", "annotations": annotations},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}],
            "placement": placement(weights, **changes),
        },
    }


def policy_of(workload: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """The PropagationPolicy of a workload that the federation plane knows, dividing *counts*."""
    made = policy(counts, counts)
    made["metadata"]["labels"] = {"federation/workload": workload}
    return made


def region(least: int, most: int | None) -> list[dict[str, Any]]:
    """Spread constraints over regions, and over clusters as Karmada asks besides."""
    bounds = {"minGroups": least} if most is None else {"minGroups": least, "maxGroups": most}
    return [
        {"spreadByField": "region", **bounds},
        {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 9},
    ]


def config_map(data: Mapping[str, Any]) -> dict[str, Any]:
    """A ConfigMap."""
    metadata = {"name": "settings", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(data)}


def stateful_set(storage_class: str, *volumes: Mapping[str, Any]) -> dict[str, Any]:
    """A StatefulSet whose pods have a claim of *storage_class*, and *volumes* besides."""
    labels = {"app": "ledger"}
    pod = {"containers": [{"name": "main", "image": "ledger:1"}], "volumes": list(volumes)}
    return {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "ledger", "namespace": "default"},
        "spec": {
            "serviceName": "ledger",
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
            "volumeClaimTemplates": [
                {
                    "metadata": {"name": "data"},
                    "spec": {
                        "storageClassName": storage_class,
                        "accessModes": ["ReadWriteOnce"],
                        "resources": {"requests": {"storage": "1Gi"}},
                    },
                }
            ],
        },
    }


@dataclass(frozen=True)
class Case:
    """A rule, what breaks it and what does not.

    Attributes:
        policy: the rule's name as a policy.
        type: of both resources.
        bad: properties that break it, and nothing else.
        good: properties like them that break nothing.
        said: a part of the message on the bad one.
    """

    policy: str
    type: str
    bad: Mapping[str, Any]
    good: Mapping[str, Any]
    said: str


EVEN = {"ash": 5, "nbg": 5}
CASES = (
    Case(
        policy="FED001-carrier",
        type=POLICY,
        bad=policy({"ash": 3, "tokyo": 1}, {"ash": 3, "tokyo": 1}, clusterAffinity=None),
        good=policy({"ash": 3, "nbg": 1}, {"ash": 3, "nbg": 1}, clusterAffinity=None),
        said="staticWeightList[1].targetCluster.clusterNames names tokyo, the carrier",
    ),
    Case(
        policy="FED002-spread",
        type=POLICY,
        bad=policy({"nbg": 2, "fsn": 1}, {"nbg": 2, "fsn": 1}, spreadConstraints=region(2, 3)),
        good=policy({"nbg": 2, "ash": 1}, {"nbg": 2, "ash": 1}, spreadConstraints=region(2, 3)),
        said="the weights put 3 replicas into 1 by region (eu-central) where 2 to 3 are asked for",
    ),
    Case(
        policy="FED003-max-groups",
        type=POLICY,
        bad=policy(EVEN, EVEN, spreadConstraints=region(1, None)),
        good=policy(EVEN, EVEN, spreadConstraints=region(1, 2)),
        said="spec.placement.spreadConstraints[0].maxGroups: maxGroups has no default",
    ),
    Case(
        policy="FED004-tolerations",
        type=POLICY,
        bad=policy(EVEN, EVEN, clusterTolerations=tolerations()[1:]),
        good=policy(EVEN, EVEN),
        said="tolerates no cluster.karmada.io/not-ready with effect NoExecute",
    ),
    Case(
        policy="FED005-provider",
        type=PROVIDER,
        bad={"context": "nowhere"},
        good={"context": "nowhere", "clusterIdentifier": "somewhere"},
        said="clusterIdentifier is missing",
    ),
    Case(
        policy="FED006-secret",
        type=CONFIG_MAP,
        bad=config_map({"DATABASE_PASSWORD": PLANTED}),
        good=config_map({"DATABASE_HOST": "db.internal"}),
        said="data.DATABASE_PASSWORD is a value named DATABASE_PASSWORD and not marked secret",
    ),
    Case(
        policy="FED007-division",
        type=POLICY,
        bad=policy({"ash": 1, "nbg": 2}, {"ash": 3, "nbg": 3}),
        good=policy({"ash": 1, "nbg": 2}, {"ash": 2, "nbg": 4}),
        said="promises 3 ash, 3 nbg, but Karmada divides them into 2 ash, 4 nbg",
    ),
    Case(
        policy="FED008-continents",
        type=POLICY,
        bad=policy_of("api", {"fsn": 1, "nbg": 2}),
        good=policy_of("api", {"ash": 1, "nbg": 2}),
        said="a critical workload is on europe where 2 continents are demanded",
    ),
    Case(
        policy="FED008-single-continent",
        type=POLICY,
        bad=policy_of("cache", {"fsn": 1, "nbg": 2}),
        good=policy_of("cache", {"ash": 1, "nbg": 2}),
        said="a critical workload is on europe alone, as its federation file allows",
    ),
    Case(
        policy="FED009-volumes",
        type=STATEFUL_SET,
        bad=stateful_set("local-path", {"name": "scratch", "emptyDir": {}}),
        good=stateful_set("auxiliary-block", {"name": "scratch", "emptyDir": {}}),
        said="spec.volumeClaimTemplates[0].spec.storageClassName is 'local-path' where auxiliary",
    ),
)


def inputs(case: Case, *, bad: bool) -> dict[str, Any]:
    """A copy of the properties of a case's resource, for its program to change."""
    return deepcopy(dict(case.bad if bad else case.good))
