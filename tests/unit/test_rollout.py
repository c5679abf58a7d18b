"""What the federation plane reads off the Karmada API before and between its steps."""

from typing import Any, cast

import pytest

from components.federation.api import KarmadaApi
from components.federation.claims import contested
from components.federation.refusals import refusals
from components.federation.waves import Steady, moving, unsettled
from placement.decision import Decision
from placement.emit import Manifest, objects
from placement.federation import Federation
from placement.karmada.cluster import cluster_object, cluster_status
from placement.plan import plan
from tests.unit.federations import Plain, cluster, federation, node_class, workload

_SWITCH = "Configuring taint with NoExecute effect is not allowed"


def binding(**changes: Any) -> Plain:
    """A binding of five replicas on two clusters, applied and healthy."""
    status = [
        {"clusterName": name, "applied": True, "health": health}
        for name, health in (("a", "Healthy"), ("b", "Unknown"))
    ]
    whole: Plain = {
        "spec": {"clusters": [{"name": "a", "replicas": 3}, {"name": "b", "replicas": 2}]},
        "status": {
            "conditions": [{"type": "FullyApplied", "status": "True"}],
            "aggregatedStatus": status,
        },
    }
    whole["status"].update(changes)
    return whole


@pytest.mark.parametrize(
    ("given", "decided", "reason"),
    [
        (binding(), {"a": 3, "b": 2}, None),
        (binding(), None, None),
        (binding(), {"a": 5}, "not divided as decided yet"),
        (binding(conditions=[]), {"a": 3, "b": 2}, "not applied everywhere yet"),
        (binding(aggregatedStatus=[]), None, "not applied on a, b"),
        (
            binding(
                aggregatedStatus=[
                    {"clusterName": "a", "applied": True, "health": "Unhealthy"},
                    {"clusterName": "b", "applied": False},
                ]
            ),
            None,
            "not applied on b; unhealthy on a",
        ),
        ({"spec": {}}, None, "not applied everywhere yet"),
    ],
)
def test_when_a_wave_is_done(given: Plain, decided: Any, reason: str | None) -> None:
    """Divided as decided, applied everywhere, nowhere unhealthy; else what is missing is said.

    A kind whose health Karmada cannot tell, such as a Job, is taken to be well.
    """
    assert unsettled(given, decided) == reason


def test_a_status_of_before_is_not_believed() -> None:
    """Nothing missing counts when it is said twice in a row, since a status comes late."""
    answers = iter([[], ["late"], [], []])
    steady = Steady(lambda: next(answers))
    assert [bool(steady.ask()) for _ in range(4)] == [True, True, True, False]


def test_what_only_grows_moves_too() -> None:
    """A workload that gets one cluster more is waited for; a new one and one that stays are not."""
    before = {"grown": {"a": 2}, "moved": {"a": 2}, "same": {"a": 1}}
    after = {"grown": {"a": 2, "b": 2}, "moved": {"b": 2}, "same": {"a": 1}, "new": {"b": 1}}
    workloads = [
        workload(
            name,
            sum(counts.values()),
            atLeast=counts,
            atMost={other: 0 for other in ("a", "b") if other not in counts},
        )
        for name, counts in after.items()
    ]
    decision = plan(
        federation([cluster(name, node_class(cpu=64)) for name in "ab"], workloads),
        present={f"default/{name}": counts for name, counts in before.items()},
    )
    assert decision.counts == {f"default/{name}": counts for name, counts in after.items()}
    assert moving(decision) == {"default/grown", "default/moved"}


class Stub:
    """A Karmada API that answers as it is told.

    Args:
        given: the federation whose clusters it has.
        answers: what is different, by question.
    """

    def __init__(self, given: Federation, **answers: Any) -> None:
        def member(one: Any) -> Plain:
            status = cluster_status(one, now="2026-01-01T00:00:00Z")
            return {**cluster_object(one, endpoint="https://x.invalid"), "status": status}

        self._answers = {
            "stamp": "v0.20.0",
            "refusal": None,
            "namespaces": {"default"},
            "template": None,
            "policies": [],
            "clusters": {one.name: member(one) for one in given.clusters},
            "bindings": {},
            **answers,
        }

    def __getattr__(self, question: str) -> Any:
        return lambda *_: self._answers[question]


def found(given: Federation, **answers: Any) -> list[str]:
    """What is refused of *given* by an API with these *answers*."""
    decision: Decision = plan(given)
    emitted: list[Manifest] = list(objects(given, decision, directory=cast(Any, None)))
    api = cast(KarmadaApi, Stub(given, **answers))
    return list(refusals(api, given, decision, emitted))


GIVEN = federation(
    [cluster("a"), cluster("b")],
    [workload("w", 2, spread={"cluster": {"minGroups": 2}})],
)


def test_nothing_is_refused_where_all_is_in_place() -> None:
    """A Karmada of 1.16 or later with the clusters of the file is taken as it is.

    So is one whose definitions do not tell a release of controller-gen.
    """
    assert found(GIVEN) == []
    assert found(GIVEN, stamp=None) == []
    assert found(GIVEN, stamp="(devel)") == []
    assert found(GIVEN, stamp="v0.19.0") == []


def test_a_webhook_without_the_switch() -> None:
    """Its words are passed on with the switches that failover needs, and the way without it."""
    (line,) = found(GIVEN, refusal=_SWITCH)
    assert line.startswith(f"the Karmada API refuses federation-not-ready: {_SWITCH}.")
    assert "--allow-no-execute-taint-policy=true" in line
    assert "set federation:federation.failover to false" in line


def test_a_workload_that_is_on_its_backup() -> None:
    """Karmada goes on with the term that it is in: the word that brings it back is named.

    While its policy is not written, it keeps nothing else from being written.
    """
    nodes = node_class(cpu=64)
    single = federation([cluster("a", nodes, price=1), cluster("b", nodes)], [workload("w", 2)])
    policy = next(
        o
        for o in objects(single, plan(single), directory=cast(Any, None))
        if o["kind"] == "PropagationPolicy"
    )
    backup = policy["spec"]["placement"]["clusterAffinities"][1]["affinityName"]
    there = {
        "spec": {"clusters": [{"name": "b", "replicas": 2}]},
        "status": {"schedulerObservedAffinityName": backup},
    }
    (line,) = found(single, bindings={("default", "Deployment", "w"): there})
    assert line == (
        "default/w: it is on a backup, and Karmada would leave it there; set "
        "federation:federation.rebalance to another word"
    )
    standing = [{**policy, "metadata": {**policy["metadata"], "generation": 3}}]
    on_backup = {("default", "Deployment", "w"): there}
    assert found(single, bindings=on_backup, policies=standing) == []
    there["status"] = {"schedulerObservedAffinityName": "of-an-earlier-policy"}
    assert found(single, bindings={("default", "Deployment", "w"): there}) == []


def test_a_cluster_that_lacks_the_kind() -> None:
    """A live cluster whose APIs have no such kind gets nothing: it is named."""
    stub = Stub(GIVEN)
    members = stub.clusters()
    for enabled in members["a"]["status"]["apiEnablements"]:
        enabled["resources"] = []
    (line,) = found(GIVEN, clusters=members)
    assert "Karmada would use b, not a, b (a: cluster(s) did not have the API resource)" in line


def theirs(kind: str, policy: str, *, name: str | None = "w") -> Manifest:
    """A policy of somebody else's for the Deployment *name*, or for all of them."""
    scope = {"namespace": "default"} if kind == "PropagationPolicy" else {}
    selector = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    return {
        "kind": kind,
        "metadata": {"name": policy, **scope},
        "spec": {"resourceSelectors": [selector]},
    }


def claimed(by: str, name: str) -> Manifest:
    """The template w, claimed."""
    return {"metadata": {"annotations": {f"{by}.karmada.io/name": name}}}


@pytest.mark.parametrize(
    ("policy", "template", "words"),
    [
        (theirs("PropagationPolicy", "x"), None, "is named by PropagationPolicy default/x too"),
        (theirs("PropagationPolicy", "x", name="other"), None, None),
        (theirs("PropagationPolicy", "x", name=None), None, None),
        (theirs("ClusterPropagationPolicy", "x"), None, None),
        (
            theirs("ClusterPropagationPolicy", "x"),
            claimed("clusterpropagationpolicy", "x"),
            "is claimed by ClusterPropagationPolicy x, and the first claim stays",
        ),
        (
            theirs("ClusterPropagationPolicy", "x"),
            claimed("clusterpropagationpolicy", "gone"),
            None,
        ),
        (
            theirs("PropagationPolicy", "w-deployment", name="other"),
            None,
            "PropagationPolicy default/w-deployment is there already",
        ),
    ],
    ids=["named", "other", "by-kind", "cluster-wide", "claimed", "claim-of-none", "our-name"],
)
def test_whose_a_template_is(policy: Manifest, template: Manifest, words: str | None) -> None:
    """A claim stays, a name in the namespace contends, all else ranks below our policy."""
    emitted = list(objects(GIVEN, plan(GIVEN), directory=cast(Any, None)))
    lines = list(contested([policy], emitted, {"default/w": template}))
    assert len(lines) == (words is not None)
    assert words is None or words in lines[0]


def test_a_policy_of_ours_is_no_contender() -> None:
    """Under a former name of the workload, a policy bears this project's label."""
    old = theirs("PropagationPolicy", "former")
    old["metadata"]["labels"] = {"federation/workload": "former"}
    emitted = list(objects(GIVEN, plan(GIVEN), directory=cast(Any, None)))
    assert list(contested([old], emitted, {})) == []
