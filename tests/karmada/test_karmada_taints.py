"""Taints of clusters, stickiness, rebalancing, and a member that dies."""

import time
from pathlib import Path
from typing import Any

import psutil

from lab import Lab
from lab.measure.bindings import REBALANCER_SECONDS
from placement.division import tie_proof_weights, webster
from tests.karmada.federated import Federated, settled, until, weights

_DEDICATED = {"key": "example.com/dedicated", "value": "gpu", "effect": "NoSchedule"}
_NOT_READY = {"key": "cluster.karmada.io/not-ready", "effect": "NoExecute"}
_WANTED = {"m1": 3, "m2": 2, "m3": 1}
_WEIGHTS = tie_proof_weights(_WANTED)


def _without(lost: str) -> dict[str, int]:
    """What is left of the workload's division without *lost*."""
    return webster(sum(_WANTED.values()), {n: w for n, w in _WEIGHTS.items() if n != lost})


def _lost(*seconds: int) -> list[dict[str, Any]]:
    """Tolerations of a lost cluster, for *seconds* or for ever."""
    return [
        {
            "key": f"cluster.karmada.io/{state}",
            "operator": "Exists",
            "effect": "NoExecute",
            **({"tolerationSeconds": seconds[0]} if seconds else {}),
        }
        for state in ("not-ready", "unreachable")
    ]


def test_a_tainted_cluster_gets_nothing_new(federated: Federated) -> None:
    """Without a toleration the weights of the others divide all; with one, all are used."""
    federated.taint("m2", _DEDICATED)
    federated.policy(weights(_WEIGHTS))
    federated.deployment(replicas=6)
    assert settled(federated.division, _without("m2")) == _without("m2")
    federated.policy(
        weights(_WEIGHTS, clusterTolerations=[{**_DEDICATED, "operator": "Equal"}]),
        name="other",
        target="other",
    )
    federated.deployment("other", replicas=6)
    assert settled(lambda: federated.division("other"), _WANTED) == _WANTED


def test_a_division_stays_until_a_rebalancer_asks(federated: Federated) -> None:
    """A cluster that becomes usable gets nothing by itself, and its part when it is asked for."""
    federated.taint("m1", _DEDICATED)
    federated.policy(weights(_WEIGHTS))
    federated.deployment(replicas=6)
    assert settled(federated.division, _without("m1")) == _without("m1")
    federated.taint("m1")
    assert settled(federated.division, _without("m1")) == _without("m1")
    time.sleep(REBALANCER_SECONDS)
    federated.api.apply(
        {
            "apiVersion": "apps.karmada.io/v1alpha1",
            "kind": "WorkloadRebalancer",
            "metadata": {"name": federated.namespace},
            "spec": {
                "workloads": [
                    {
                        "apiVersion": "apps/v1",
                        "kind": "Deployment",
                        "namespace": federated.namespace,
                        "name": "web",
                    }
                ],
                "ttlSecondsAfterFinished": 60,
            },
        }
    )
    assert settled(federated.division, _WANTED) == _WANTED


def test_a_new_taint_leaves_what_runs(federated: Federated) -> None:
    """NoSchedule keeps new work away; what is there stays, and is even divided there again."""
    federated.policy(weights(_WEIGHTS))
    federated.deployment(replicas=6)
    assert settled(federated.division, _WANTED) == _WANTED
    federated.taint("m3", _DEDICATED)
    assert settled(federated.division, _WANTED) == _WANTED
    federated.deployment(replicas=12)
    twice = webster(12, _WEIGHTS)
    assert settled(federated.division, twice) == twice


def test_an_executing_taint_evicts_who_does_not_bear_it(federated: Federated) -> None:
    """NoExecute moves a workload at once, and leaves one that bears it for ever."""
    federated.policy(weights(_WEIGHTS))
    federated.deployment(replicas=6)
    federated.policy(weights(_WEIGHTS, clusterTolerations=_lost()), name="ledger", target="ledger")
    federated.deployment("ledger", replicas=6)
    assert settled(federated.division, _WANTED) == _WANTED
    assert settled(lambda: federated.division("ledger"), _WANTED) == _WANTED
    federated.taint(
        "m1", {"key": "cluster.karmada.io/not-ready", "effect": "NoExecute"}, _DEDICATED
    )
    assert settled(federated.division, _without("m1")) == _without("m1")
    assert settled(lambda: federated.division("ledger"), _WANTED) == _WANTED


def test_a_dead_member_fails_over_and_nothing_comes_back(
    federated: Federated, lab: Lab, federation_file: Path
) -> None:
    """An API server dies: tainted, evicted, divided as predicted; back again, all stays."""
    federated.api.apply(
        {
            "apiVersion": "policy.karmada.io/v1alpha1",
            "kind": "ClusterTaintPolicy",
            "metadata": {"name": "federation-not-ready"},
            "spec": {
                "addOnConditions": [
                    {"conditionType": "Ready", "operator": "NotIn", "statusValues": ["True"]}
                ],
                "removeOnConditions": [
                    {"conditionType": "Ready", "operator": "In", "statusValues": ["True"]}
                ],
                "taints": [_NOT_READY],
            },
        }
    )
    try:
        federated.policy(weights(_WEIGHTS, clusterTolerations=_lost(1)))
        federated.deployment(replicas=6)
        assert settled(federated.division, _WANTED) == _WANTED
        (server,) = [row for row in lab.status() if row.name == "member-m2-apiserver"]
        dying = psutil.Process(server.pid)
        dying.kill()
        dying.wait(10)
        assert settled(federated.division, _without("m2")) == _without("m2")
        lab.up(federation_file)
        assert until(lambda: "m2" not in _tainted(federated))
        assert settled(federated.division, _without("m2")) == _without("m2")
    finally:
        lab.up(federation_file)
        federated.api.delete(
            "policy.karmada.io/v1alpha1", "ClusterTaintPolicy", "federation-not-ready"
        )


def _tainted(federated: Federated) -> list[str]:
    """The clusters with a taint."""
    clusters = federated.api.list("cluster.karmada.io/v1alpha1", "Cluster")
    return [item["metadata"]["name"] for item in clusters if item["spec"].get("taints")]
