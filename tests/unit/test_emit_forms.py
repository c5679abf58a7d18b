"""Each form that a workload may ask for becomes the objects that Karmada carries out so."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from placement.decision import Decision, Move, PlacedWorkload
from placement.emit import Manifest, objects
from placement.faults import FederationError
from placement.federation import Federation
from placement.plan import plan
from tests.unit.federations import Plain, cluster, federation, node_class, workload

BIG = [cluster(name, node_class(cpu=64, memory="256Gi")) for name in ("a", "b", "c")]
TWO = {"cluster": {"minGroups": 2}}


def emitted(
    *workloads: Plain, folder: Path = Path(), clusters: list[Plain] | None = None, **options: Any
) -> list[Manifest]:
    """What is emitted for *workloads* on three clusters."""
    given = federation(clusters or BIG, list(workloads))
    return list(objects(given, decided(given), folder, **options))


def decided(given: Federation) -> Decision:
    """The decision on *given*, which there must be."""
    decision = plan(given)
    assert decision.status == "optimal", decision.conflicts
    return decision


def one(contents: list[Manifest], kind: str) -> Any:
    """The only object of *kind*."""
    (found,) = [content for content in contents if content["kind"] == kind]
    return found


def test_a_backup_is_a_second_term() -> None:
    """A workload on one cluster names its backup in a term of its own, with a weight."""
    placement = one(emitted(workload("w", 4)), "PropagationPolicy")["spec"]["placement"]
    assert "clusterAffinity" not in placement
    first, second = placement["clusterAffinities"]
    assert first["affinityName"].startswith("primary-")
    assert second["affinityName"].startswith("backup-")
    weights = {
        rule["targetCluster"]["clusterNames"][0]: rule["weight"]
        for rule in placement["replicaScheduling"]["weightPreference"]["staticWeightList"]
    }
    assert weights == {first["clusterNames"][0]: 4_000_000, second["clusterNames"][0]: 1}


def test_other_terms_and_another_word_have_other_names() -> None:
    """Karmada starts from the first term only where it no longer finds the name of the last one."""

    def names(*clusters: Plain, rebalance: str = "") -> list[str]:
        contents = emitted(workload("w", 4), clusters=list(clusters), rebalance=rebalance)
        terms = one(contents, "PropagationPolicy")["spec"]["placement"]["clusterAffinities"]
        return [term["affinityName"] for term in terms]

    before = names(*BIG)
    assert before == names(*BIG)
    assert not set(before) & set(names(*BIG, rebalance="again"))
    assert not set(before) & set(names(*BIG[1:]))


@pytest.mark.parametrize(
    "changes",
    [{"stateful": True}, {"backups": []}, {"spread": TWO}, {"affinity": {"clusterNames": ["a"]}}],
    ids=["stateful", "none-wanted", "survivors", "nowhere-else"],
)
def test_no_backup_where_none_is_of_use(changes: dict[str, Any]) -> None:
    """Who is not evicted, wants none, has survivors or may go nowhere else has one affinity."""
    placement = one(emitted(workload("w", 4, **changes)), "PropagationPolicy")["spec"]["placement"]
    assert "clusterAffinities" not in placement


def test_a_word_divides_everything_anew() -> None:
    """The rebalancer of a word has every workload, and its name is the word's alone."""
    contents = emitted(workload("v", 2), workload("w", 4, kind="StatefulSet"), rebalance="monday")
    found = one(contents, "WorkloadRebalancer")
    assert contents[-1] is found
    assert [(w["kind"], w["name"]) for w in found["spec"]["workloads"]] == [
        ("Deployment", "v"),
        ("StatefulSet", "w"),
    ]
    assert "ttlSecondsAfterFinished" not in found["spec"]
    more = emitted(workload("v", 3), rebalance="monday")
    assert one(more, "WorkloadRebalancer")["metadata"] == found["metadata"]
    other = emitted(workload("v", 2), rebalance="tuesday")
    assert one(other, "WorkloadRebalancer")["metadata"] != found["metadata"]


def test_an_estimate_that_moves_is_divided_anew() -> None:
    """Where free capacity divides, a new estimate changes no policy: the rebalancer moves it."""
    given = federation(BIG, [workload("w", 4, division="dynamic", spread=TWO), workload("v", 1)])
    still = decided(given)
    assert not [o for o in objects(given, still, Path()) if o["kind"] == "WorkloadRebalancer"]
    moves = tuple(Move(f"default/{name}", "a", 1, 2) for name in ("v", "w"))
    moved = Decision(still.input_hash, still.status, still.objective, still.workloads, moves)
    found = one(list(objects(given, moved, Path())), "WorkloadRebalancer")
    assert [each["name"] for each in found["spec"]["workloads"]] == ["w"]


@pytest.mark.parametrize("division", ["dynamic", "aggregated"])
def test_divisions_that_follow_free_capacity(division: str) -> None:
    """They name the chosen clusters without weights, keep the spread, and are estimates."""
    given = federation(BIG, [workload("w", 4, division=division, spread=TWO)])
    decision = decided(given)
    placed: PlacedWorkload = decision.workload("default/w")
    assert placed.estimate
    content = one(list(objects(given, decision, Path())), "PropagationPolicy")
    placement = content["spec"]["placement"]
    assert placement["clusterAffinity"]["clusterNames"] == sorted(placed.replicas)
    scheduling = placement["replicaScheduling"]
    assert "staticWeightList" not in scheduling.get("weightPreference", {})
    expected = {
        "dynamic": ("Weighted", {"dynamicWeight": "AvailableReplicas"}),
        "aggregated": ("Aggregated", None),
    }[division]
    found = (scheduling["replicaDivisionPreference"], scheduling.get("weightPreference"))
    assert found == expected
    assert placement["spreadConstraints"][0]["minGroups"] == 2


def test_an_autoscaler_has_the_range_of_the_file() -> None:
    """The FederatedHPA scales the template within min and max by the stated metrics."""
    target = {"type": "Utilization", "averageUtilization": 60}
    metric = {"type": "Resource", "resource": {"name": "cpu", "target": target}}
    scaled = workload("w", {"min": 2, "max": 6}, autoscaler={"metrics": [metric]})
    found = one(emitted(scaled), "FederatedHPA")
    assert found["metadata"]["name"] == "w-deployment"
    assert found["spec"] == {
        "scaleTargetRef": {"kind": "Deployment", "name": "w", "apiVersion": "apps/v1"},
        "minReplicas": 2,
        "maxReplicas": 6,
        "metrics": [metric],
    }
    assert not [o for o in emitted(workload("v", {"min": 2, "max": 6})) if "HPA" in o["kind"]]


def manifest(folder: Path, kind: str, **spec: Any) -> str:
    """A manifest of the workload w in *folder*; its name."""
    pod = {"spec": {"containers": [{"name": "main", "image": "w"}]}}
    content = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "w"},
        "spec": {"template": pod, **spec},
    }
    (folder / "w.yaml").write_text(yaml.safe_dump(content), "utf-8")
    return "w.yaml"


def own(folder: Path, kind: str, replicas: Any, **changes: Any) -> Plain:
    """The workload w with a manifest in *folder*."""
    spec = changes.pop("spec", {})
    plain = workload("w", replicas, manifest=manifest(folder, kind, **spec), **changes)
    del plain["template"]
    return plain


def test_own_objects_have_the_priority_of_their_class(tmp_path: Path) -> None:
    """A pod template gets the PriorityClass of the class, unless it names one itself."""
    plain = own(tmp_path, "Deployment", 1, **{"class": "batch"})
    found = one(emitted(plain, folder=tmp_path), "Deployment")
    assert found["spec"]["template"]["spec"]["priorityClassName"] == "federation-batch"
    theirs = {"spec": {"containers": [], "priorityClassName": "mine"}}
    plain = own(tmp_path, "Deployment", 1, spec={"template": theirs})
    found = one(emitted(plain, folder=tmp_path), "Deployment")
    assert found["spec"]["template"]["spec"]["priorityClassName"] == "mine"


def test_an_own_autoscaled_object_starts_at_the_minimum(tmp_path: Path) -> None:
    """Where the manifest says no number, the first one is the least that the range allows."""
    bounds = {"min": 3, "max": 6}
    plain = own(tmp_path, "Deployment", bounds)
    assert one(emitted(plain, folder=tmp_path), "Deployment")["spec"]["replicas"] == 3
    plain = own(tmp_path, "Deployment", bounds, spec={"replicas": 5})
    assert one(emitted(plain, folder=tmp_path), "Deployment")["spec"]["replicas"] == 5


def test_overrides_become_karmadas_own(tmp_path: Path) -> None:
    """Each word of the file is the overrider that does it, and the policy waits for them."""
    rule = {
        "clusters": {"clusterNames": ["b"]},
        "image": {"registry": "mirror.example.com", "tag": "2"},
        "storageClass": "fast",
        "nodeSelector": {"disk": "ssd"},
        "patches": [{"path": "/metadata/labels/x", "operator": "remove"}],
    }
    claims: Plain = {"volumeClaimTemplates": [{}, {}]}
    contents = emitted(
        own(tmp_path, "StatefulSet", 1, spec=claims, overrides=[rule]), folder=tmp_path
    )
    kinds = [content["kind"] for content in contents]
    assert kinds.index("OverridePolicy") < kinds.index("PropagationPolicy")
    found = one(contents, "OverridePolicy")
    assert one(contents, "PropagationPolicy")["spec"]["dependentOverrides"] == [
        found["metadata"]["name"]
    ]
    (emitted_rule,) = found["spec"]["overrideRules"]
    assert emitted_rule["targetCluster"] == {"clusterNames": ["b"]}
    class_path = "/spec/volumeClaimTemplates/{}/spec/storageClassName"
    assert emitted_rule["overriders"] == {
        "imageOverrider": [
            {"component": "Registry", "operator": "replace", "value": "mirror.example.com"},
            {"component": "Tag", "operator": "replace", "value": "2"},
        ],
        "plaintext": [
            {"path": class_path.format(0), "operator": "add", "value": "fast"},
            {"path": class_path.format(1), "operator": "add", "value": "fast"},
            {
                "path": "/spec/template/spec/nodeSelector",
                "operator": "add",
                "value": {"disk": "ssd"},
            },
            {"path": "/metadata/labels/x", "operator": "remove"},
        ],
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"storageClass": "fast"}, "storageClass for a Deployment; allowed for a StatefulSet"),
        (
            {"patches": [{"path": "/spec/replicas", "operator": "replace", "value": 9}]},
            "this value stands in place of the number of replicas that was decided",
        ),
        ({"patches": [{"path": "spec", "operator": "remove"}]}, "which is no JSON pointer"),
    ],
)
def test_overrides_that_would_do_harm(change: dict[str, Any], words: str) -> None:
    """What Karmada would apply to no object, or against the decision, is refused."""
    rule = {"clusters": {"clusterNames": ["b"]}, **change}
    with pytest.raises(FederationError, match="default/w: ") as caught:
        emitted(workload("w", 1, overrides=[rule]))
    assert words in str(caught.value)


def test_priorities_reach_every_cluster() -> None:
    """The policy of the PriorityClasses bears every taint that some cluster has, and a loss."""
    taint = {"key": "gpu", "value": "present", "effect": "NoSchedule"}
    contents = emitted(workload("w"), clusters=[*BIG, cluster("d", taints=[taint])])
    found = one(contents, "ClusterPropagationPolicy")["spec"]
    classes = {o["metadata"]["name"]: o for o in contents if o["kind"] == "PriorityClass"}
    assert {s["name"] for s in found["resourceSelectors"]} == set(classes)
    values = [classes[f"federation-{c}"]["value"] for c in ("critical", "standard", "batch")]
    assert values == sorted(values, reverse=True)
    placement = found["placement"]
    assert "clusterAffinity" not in placement
    assert placement["replicaScheduling"]["replicaSchedulingType"] == "Duplicated"
    assert {"operator": "Equal", **taint} in placement["clusterTolerations"]
    assert not [t for t in placement["clusterTolerations"] if "tolerationSeconds" in t]


def test_taint_policies_mark_a_loss_and_take_it_back() -> None:
    """Ready False and Unknown have a taint each, which goes when the cluster is Ready again."""
    found = {
        o["metadata"]["name"]: o["spec"]
        for o in emitted(workload("w"))
        if o["kind"] == "ClusterTaintPolicy"
    }
    assert set(found) == {"federation-not-ready", "federation-unreachable"}
    for name, status in (("not-ready", "False"), ("unreachable", "Unknown")):
        spec = found[f"federation-{name}"]
        assert spec["taints"] == [{"key": f"cluster.karmada.io/{name}", "effect": "NoExecute"}]
        conditions = (spec["addOnConditions"], spec["removeOnConditions"])
        assert [c[0]["statusValues"] for c in conditions] == [[status], ["True"]]
    without = emitted(workload("w"), failover=False)
    assert not [o for o in without if o["kind"] == "ClusterTaintPolicy"]
