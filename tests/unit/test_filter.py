"""Each filter refuses what it is for, says the value, and is quiet otherwise."""

from typing import Any

import pytest

from placement.filter import Candidate, Refusal, candidates
from placement.score import Facts
from tests.unit.federations import Plain, cluster, federation, latency, node_class, workload

_TAINT = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
_TOLERATION = {**_TAINT, "operator": "Equal"}
_NEAR = latency({"u": {"c": 20}, "c": {"d": 90}})
_DATA = {"name": "set", "region": "d", "gigabytesPerMonth": 1}
_USERS = [{"region": "u", "share": 1}]
_GPU = node_class(gpu=2, model="L40S")
_INTENSITY = {
    "region": "c", "gramsPerKilowattHour": 300, "basis": "average", "source": "x",
    "date": "2026-08-14",
}  # fmt: skip
_POWER = [
    {"resource": r, "watts": 1, "source": "x", "date": "2026-08-14"} for r in ("cpu", "memory")
]
_CARBON = {"weighted": {"carbon": 1}}


def _judge(one: Plain, given: Plain, **facts: Any) -> Candidate | Refusal:
    whole = federation([one], [given], **facts)
    taken, refused = candidates(Facts.of(whole), whole.workloads[0])
    return taken[0] if taken else refused[0]


@pytest.mark.parametrize(
    ("name", "detail", "one", "given", "facts", "cure"),
    [
        ("Readiness", "not ready", {"ready": False}, {}, {}, {"one": {"ready": True}}),
        (
            "APIEnablement",
            "does not serve Deployment of apps/v1",
            {"apis": [{"groupVersion": "apps/v1", "kinds": ["StatefulSet"]}]},
            {},
            {},
            {"given": {"kind": "StatefulSet"}},
        ),
        (
            "TaintToleration",
            "taint gpu=yes:NoSchedule is not tolerated",
            {"taints": [_TAINT]},
            {},
            {},
            {"given": {"tolerations": [_TOLERATION]}},
        ),
        (
            "ClusterAffinity",
            "affinity.exclude names it",
            {},
            {"affinity": {"exclude": ["c"]}},
            {},
            {"given": {"affinity": {}}},
        ),
        (
            "ClusterAffinity",
            "its labels {tier: edge} do not match affinity.labelSelector",
            {"labels": {"tier": "edge"}},
            {"affinity": {"labelSelector": {"matchLabels": {"tier": "production"}}}},
            {},
            {"one": {"labels": {"tier": "production"}}},
        ),
        (
            "ClusterAffinity",
            "region c, provider hetzner, zones none do not match",
            {},
            {
                "affinity": {
                    "fieldSelector": {
                        "matchExpressions": [
                            {"key": "provider", "operator": "In", "values": ["gcp"]}
                        ]
                    }
                }
            },
            {},
            {"one": {"provider": "gcp"}},
        ),
        (
            "Ratio",
            "weights name only x",
            {},
            {"weights": {"x": 1}},
            {},
            {"given": {"weights": {"c": 1}}},
        ),
        (
            "Residency",
            "jurisdiction us; residency allows eu, ch",
            {"jurisdiction": "us"},
            {"residency": ["eu", "ch"]},
            {},
            {"one": {"jurisdiction": "ch"}},
        ),
        (
            "Residency",
            "jurisdiction unknown; residency allows eu",
            {},
            {"residency": ["eu"]},
            {},
            {"one": {"jurisdiction": "eu"}},
        ),
        (
            "Latency",
            "nearest users, u, at 20 ms; latencyLimit 19 ms",
            {},
            {"demand": _USERS, "latencyLimit": 19},
            {"latency": _NEAR},
            {"given": {"latencyLimit": 20}},
        ),
        (
            "Latency",
            "no round trip from u to c is known",
            {},
            {"demand": _USERS},
            {},
            {"facts": {"latency": _NEAR}},
        ),
        (
            "Locality",
            "90 ms to set in d; rttLimit 89 ms",
            {},
            {"data": [{**_DATA, "rttLimit": 89}]},
            {"latency": _NEAR},
            {"given": {"data": [{**_DATA, "rttLimit": 90}]}},
        ),
        (
            "Locality",
            "the round trip to set in d is unknown",
            {},
            {"data": [{**_DATA, "rttLimit": 89}]},
            {},
            {"given": {"data": [{**_DATA, "region": "c", "rttLimit": 89}]}},
        ),
        (
            "NodeFit",
            "n: a replica asks for 5 cpu, a node has 4",
            {},
            {"cpu": 5},
            {},
            {"given": {"cpu": 4}},
        ),
        (
            "NodeFit",
            "n: a replica asks for 1 nvidia.com/gpu, a node has 0",
            {},
            {"request": {"nvidia.com/gpu": "1"}},
            {},
            {"one": {"nodeClasses": [_GPU]}},
        ),
        (
            "NodeFit",
            "n: model L40S; wanted H100 or H200",
            {"nodeClasses": [_GPU]},
            {"request": {"nvidia.com/gpu": "1"}, "acceleratorModels": ["H100", "H200"]},
            {},
            {"given": {"acceleratorModels": ["L40S"]}},
        ),
        (
            "NodeFit",
            "n: node taint gpu=yes:NoSchedule is not tolerated",
            {"nodeClasses": [node_class(taints=[_TAINT])]},
            {},
            {},
            {"given": {"tolerations": [_TOLERATION]}},
        ),
        (
            "NodeFit",
            "n: none of the 1 nodes has room for a replica",
            {"nodeClasses": [node_class(inUse={"cpu": "3500m"})]},
            {},
            {},
            {"given": {"cpu": "500m"}},
        ),
        (
            "Facts",
            "its cost for default/w is unknown",
            {"price": None},
            {},
            {},
            {"one": {"price": 1}},
        ),
        (
            "Facts",
            "its carbon for default/w is unknown",
            {},
            {},
            {"objective": _CARBON},
            {"facts": {"carbon": {"intensity": [_INTENSITY], "power": _POWER}}},
        ),
    ],
)
def test_filter(
    name: str, detail: str, one: Plain, given: Plain, facts: Plain, cure: dict[str, Plain]
) -> None:
    """Refused with the filter's name and the value; with the one thing cured, a candidate."""
    refused = _judge(cluster("c", **one), workload("w", **given), **facts)
    assert isinstance(refused, Refusal)
    assert (refused.cluster, refused.filter) == ("c", name)
    assert detail in refused.detail
    cured = _judge(
        cluster("c", **{**one, **cure.get("one", {})}),
        workload("w", **{**given, **cure.get("given", {})}),
        **{**facts, **cure.get("facts", {})},
    )
    assert isinstance(cured, Candidate)


def test_the_first_filter_gives_the_reason() -> None:
    """Of several reasons the first in the order of the filters is told."""
    one = cluster("c", ready=False, taints=[_TAINT])
    refused = _judge(one, workload("w", cpu=99, residency=["eu"]))
    assert isinstance(refused, Refusal)
    assert refused.filter == "Readiness"


def test_unknown_facts_that_nobody_weighs_refuse_nothing() -> None:
    """Without a price a cluster is a candidate where the objective does not look at cost."""
    objective = {"lexicographic": [{"term": "fit"}]}
    judged = _judge(cluster("c", price=None), workload("w"), objective=objective)
    assert isinstance(judged, Candidate)
    assert judged.fits[0].terms["cost"] is None
    assert judged.fits[0].terms["carbon"] is None


def test_what_others_use_is_not_offered() -> None:
    """Two nodes of 4 CPU with 3 in use hold one replica each by node, and 5 in all by sum."""
    judged = _judge(cluster("c", node_class(count=2, inUse={"cpu": "3"})), workload("w", cpu=2))
    assert isinstance(judged, Candidate)
    assert judged.fits[0].most == 2


def test_first_reason_holds_for_clusters_that_are_not_named() -> None:
    """A cluster that the affinity does not name is refused for what comes before that, if any."""
    clusters = [
        cluster("named"),
        cluster("plain"),
        cluster("unready", ready=False),
        cluster("tainted", taints=[_TAINT]),
        cluster("other", apis=[{"groupVersion": "apps/v1", "kinds": ["StatefulSet"]}]),
    ]
    given = workload("w", affinity={"clusterNames": ["named"]})
    whole = federation(clusters, [given])
    taken, refused = candidates(Facts.of(whole), whole.workloads[0])
    assert [candidate.cluster.name for candidate in taken] == ["named"]
    assert {refusal.cluster: refusal.filter for refusal in refused} == {
        "plain": "ClusterAffinity",
        "unready": "Readiness",
        "tainted": "TaintToleration",
        "other": "APIEnablement",
    }


def test_a_selector_beside_names_gives_its_own_reason() -> None:
    """Of two clusters that are not named, one that the selector leaves out is told that."""
    clusters = [cluster(name, labels={"tier": tier}) for name, tier in ("na", "ob", "pa")]
    selector = {"matchLabels": {"tier": "a"}}
    given = workload("w", affinity={"clusterNames": ["n"], "labelSelector": selector})
    whole = federation(clusters, [given])
    taken, refused = candidates(Facts.of(whole), whole.workloads[0])
    assert [candidate.cluster.name for candidate in taken] == ["n"]
    details = {refusal.cluster: refusal.detail for refusal in refused}
    assert details["o"] == "its labels {tier: b} do not match affinity.labelSelector"
    assert details["p"] == "affinity.clusterNames does not name it"
