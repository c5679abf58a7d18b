"""What is emitted does on the real Karmada what it says: every form, once."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab import Lab
from lab.kubernetes.client import Api
from lab.measure import losses
from placement.decision import Decision
from placement.division import webster
from placement.emit import Manifest, objects
from placement.federation import Federation
from placement.karmada.kinds import KINDS
from placement.plan import plan
from tests.karmada.federated import FEDERATION, MEMBERS, Federated, settled, until

_KINDS = {served.kind for served in KINDS}
_SPREAD = {"cluster": {"minGroups": 2, "maxGroups": 2}}


def workload(name: str = "web", replicas: Any = 6, **changes: Any) -> dict[str, Any]:
    """A workload of small replicas, whose object is a Deployment of the user's."""
    own = {} if "manifest" in changes else {"template": _template(name)}
    return {
        "name": name,
        "replicas": replicas,
        "request": {"cpu": "100m", "memory": "64Mi"},
        **own,
        **changes,
    }


def _template(name: str) -> dict[str, str]:
    return {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}


class Emitted:
    """A federation of the lab's members, decided and applied in one namespace.

    Args:
        federated: the namespace.
        folder: for manifests.
        workloads: as in a federation file.
    """

    def __init__(self, federated: Federated, folder: Path, *workloads: dict[str, Any]) -> None:
        self._api: Api = federated.api
        self._folder = folder
        self.federation = Federation.model_validate(
            {
                **FEDERATION,
                "objective": {"lexicographic": [{"term": "fit"}]},
                "workloads": [{**w, "namespace": federated.namespace} for w in workloads],
            }
        )
        self.decision: Decision = plan(self.federation)
        assert self.decision.status == "optimal", self.decision.conflicts

    def objects(self, rebalance: str = "", *, failover: bool = False) -> list[Manifest]:
        """The objects; the members are lost by hand, so taint policies are left out."""
        return list(
            objects(
                self.federation,
                self.decision,
                self._folder,
                failover=failover,
                rebalance=rebalance,
            )
        )

    def apply(self, rebalance: str = "") -> None:
        """Apply them in their order."""
        for content in self.objects(rebalance):
            self._api.apply(content)

    def of(self, name: str = "web") -> Any:
        """What was decided of one workload."""
        (found,) = [w for w in self.decision.workloads if w.id.endswith(f"/{name}")]
        return found


def test_everything_emitted_is_stored_as_it_was_sent(federated: Federated, tmp_path: Path) -> None:
    """The webhooks accept every kind and fill in nothing, so that a second run changes nothing."""
    emitted = Emitted(
        federated,
        tmp_path,
        workload("fixed", spread=_SPREAD),
        workload("backed"),
        workload("ordered", backups=["m4", "m3"], affinity={"clusterNames": ["m1", "m3", "m4"]}),
        workload("forever", stateful=True),
        workload("dynamic", spread=_SPREAD, division="dynamic"),
        workload("aggregated", division="aggregated"),
        workload(
            "scaled",
            {"min": 2, "max": 6},
            autoscaler={"metrics": [_cpu(60)], "behavior": {"scaleDown": {}}},
        ),
        workload(
            "different",
            overrides=[
                {
                    "clusters": {"clusterNames": ["m1"]},
                    "image": {"registry": "registry.example.com", "tag": "2"},
                    "nodeSelector": {"disk": "ssd"},
                    "patches": [{"path": "/metadata/annotations/x", "operator": "add", "value": 1}],
                }
            ],
        ),
    )
    changed = []
    kinds = set()
    for content in emitted.objects("word", failover=True):
        if content["kind"] == "ClusterTaintPolicy":  # it would act in other tests
            federated.api.create(content, dry_run=True)
        else:
            stored = federated.api.apply(content)
            if content["kind"] in _KINDS and stored["spec"] != content["spec"]:
                changed.append((json.dumps(content["spec"]), json.dumps(stored["spec"])))
        kinds.add(content["kind"])
    assert changed == []
    assert kinds == {
        "ClusterPropagationPolicy",
        "ClusterTaintPolicy",
        "FederatedHPA",
        "OverridePolicy",
        "PriorityClass",
        "PropagationPolicy",
        "WorkloadRebalancer",
    }


def _cpu(percent: int) -> dict[str, Any]:
    target = {"type": "Utilization", "averageUtilization": percent}
    return {"type": "Resource", "resource": {"name": "cpu", "target": target}}


def test_a_backup_takes_over_and_a_word_brings_back(federated: Federated, tmp_path: Path) -> None:
    """A lost cluster's only workload goes to its backup whole, stays there, and comes back."""
    emitted = Emitted(federated, tmp_path, workload())
    (home,) = emitted.of().replicas
    (backup,) = emitted.of().backups
    emitted.apply()
    federated.deployment(replicas=6)
    assert settled(federated.division, {home: 6}) == {home: 6}
    try:
        losses.lose(federated.api, home)
        assert settled(federated.division, {backup: 6}) == {backup: 6}
    finally:
        losses.find_again(federated.api, home)
    assert settled(federated.division, {backup: 6}) == {backup: 6}
    emitted.apply("home again")
    assert settled(federated.division, {home: 6}) == {home: 6}


def test_backups_in_order(federated: Federated, tmp_path: Path) -> None:
    """Backups that are named take all, in their order, once nothing of the chosen is left."""
    chosen = {"m1": 2, "m2": 2}
    emitted = Emitted(
        federated, tmp_path, workload(spread=_SPREAD, atLeast=chosen, backups=["m4", "m3"])
    )
    emitted.apply()
    federated.deployment(replicas=6)
    decided = emitted.of().replicas
    assert settled(federated.division, decided) == decided
    lost: list[str] = []
    try:
        for name, expected in (
            ("m2", {"m1": 6}),
            ("m1", {"m4": 6}),
            ("m4", {"m3": 6}),
        ):
            lost.append(name)
            losses.lose(federated.api, name)
            assert settled(federated.division, expected) == expected
    finally:
        for name in lost:
            losses.find_again(federated.api, name)


def test_a_word_divides_anew(federated: Federated, tmp_path: Path) -> None:
    """After a loss the division stays when the cluster is back, until the word is another."""
    emitted = Emitted(federated, tmp_path, workload(spread=_SPREAD))
    decided = emitted.of().replicas
    emitted.apply()
    federated.deployment(replicas=6)
    assert settled(federated.division, decided) == decided
    lost = min(decided)
    left = {n: 6 for n in decided if n != lost}
    try:
        losses.lose(federated.api, lost)
        assert settled(federated.division, left) == left
    finally:
        losses.find_again(federated.api, lost)
    assert settled(federated.division, left) == left
    emitted.apply("again")
    assert settled(federated.division, decided) == decided


def test_every_autoscaled_total_divides_as_predicted(federated: Federated, tmp_path: Path) -> None:
    """Whatever the autoscaler writes into the template, the weights divide it as foretold."""
    emitted = Emitted(federated, tmp_path, workload("web", {"min": 2, "max": 9}, spread=_SPREAD))
    emitted.apply()
    for total in (9, 2, 5, 8, 3, 7, 4, 6):
        federated.deployment(replicas=total)
        wanted = {n: c for n, c in webster(total, emitted.of().weights).items() if c}
        assert settled(federated.division, wanted) == wanted


def test_overrides_arrive_in_their_member(federated: Federated, lab: Lab, tmp_path: Path) -> None:
    """Image, node selector and storage class differ on the clusters that are named, only there."""
    labels = {"app": "store"}
    container = {"name": "main", "image": "registry.invalid/store:1"}
    claim = {
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    manifest = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "store", "namespace": federated.namespace},
        "spec": {
            "serviceName": "store",
            "replicas": 4,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            "volumeClaimTemplates": [claim],
        },
    }
    (tmp_path / "store.yaml").write_text(yaml.safe_dump(manifest), "utf-8")
    emitted = Emitted(
        federated,
        tmp_path,
        workload(
            "store",
            4,
            **{"class": "batch"},
            manifest="store.yaml",
            weights={"m1": 1, "m3": 1},
            overrides=[
                {
                    "clusters": {"clusterNames": ["m3"]},
                    "image": {"registry": "mirror.invalid", "tag": "2"},
                    "storageClass": "ceph-block",
                    "nodeSelector": {"disk": "ssd"},
                }
            ],
        ),
    )
    emitted.apply()

    def seen(member: str) -> Any:
        found = lab.api(member).get("apps/v1", "StatefulSet", "store", federated.namespace)
        if found is None:
            return None
        pod = found["spec"]["template"]["spec"]
        claims = found["spec"]["volumeClaimTemplates"]
        return (
            pod["containers"][0]["image"],
            pod.get("nodeSelector"),
            claims[0]["spec"].get("storageClassName"),
            pod["priorityClassName"],
        )

    there = ("mirror.invalid/store:2", {"disk": "ssd"}, "ceph-block", "federation-batch")
    assert until(lambda: seen("m3"), lambda found: found == there) == there
    here = ("registry.invalid/store:1", None, None, "federation-batch")
    assert until(lambda: seen("m1"), lambda found: found == here) == here


def test_priority_classes_are_in_every_member(
    federated: Federated, lab: Lab, tmp_path: Path
) -> None:
    """All three, with their values, also where a taint keeps most workloads away."""
    Emitted(federated, tmp_path, workload()).apply()
    expected = {"federation-critical", "federation-standard", "federation-batch"}

    def complete() -> bool:
        found = [lab.api(m).list("scheduling.k8s.io/v1", "PriorityClass") for m in MEMBERS]
        return all(expected <= {c["metadata"]["name"] for c in classes} for classes in found)

    assert until(complete)


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_renamed_workload_keeps_its_place(
    federated: Federated, tmp_path: Path, first: str
) -> None:
    """Another name is another policy for the same object, which stays where it is.

    So it is whichever comes first, the end of the old policy or the beginning of the new one.
    """
    before = Emitted(federated, tmp_path, workload(spread=_SPREAD))
    before.apply()
    federated.deployment(replicas=6)
    decided = before.of().replicas
    assert settled(federated.division, decided) == decided
    after = Emitted(
        federated, tmp_path, workload("site", template=_template("web"), spread=_SPREAD)
    )
    old = ("policy.karmada.io/v1alpha1", "PropagationPolicy", "web-deployment")
    if first == "old":
        federated.api.delete(*old, federated.namespace)
        after.apply()
    else:
        after.apply()
        federated.api.delete(*old, federated.namespace)

    def claimed() -> str | None:
        found = federated.api.get("apps/v1", "Deployment", "web", federated.namespace)
        annotations = (found or {}).get("metadata", {}).get("annotations", {})
        name: str | None = annotations.get("propagationpolicy.karmada.io/name")
        return name

    assert until(claimed, lambda name: name == "site-deployment") == "site-deployment"
    assert settled(federated.division, decided) == decided
