"""Members join by the project's own component; `up` mends what was lost of that."""

import json
from pathlib import Path

from lab import Lab
from placement.karmada.readiness import unready
from tests.karmada.federated import MEMBERS, until

CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
NAMESPACE = "karmada-cluster"


def test_members_are_known_by_their_own_identity(lab: Lab) -> None:
    """Every Cluster object has its place, its labels, and the UID of the member's kube-system."""
    for name, facts in MEMBERS.items():
        found = lab.api().get(*CLUSTER, name)
        system = lab.api(name).get("v1", "Namespace", "kube-system")
        assert found is not None
        assert system is not None
        assert unready(found) is None
        assert found["metadata"]["labels"]["tier"] == facts["tier"]
        assert found["spec"]["region"] == facts["region"]
        assert found["spec"]["id"] == system["metadata"]["uid"]


def test_up_mends_a_registration(lab: Lab, federation_file: Path) -> None:
    """A deleted credential is made again, although an `up` that was killed left its lock behind."""
    backend = lab.kubeconfig().parent.parent / "registration" / "backend" / ".pulumi"
    lock = backend / "locks" / "organization" / "federation" / "members" / "killed.json"
    lock.parent.mkdir(parents=True, exist_ok=True)
    gone = {"pid": 1, "username": "x", "hostname": "x", "timestamp": "2026-01-01T00:00:00Z"}
    lock.write_text(json.dumps(gone), "utf-8")
    before = lab.api().get("v1", "Secret", "m4", NAMESPACE)
    assert before is not None
    lab.api().delete("v1", "Secret", "m4", NAMESPACE)
    assert until(lambda: lab.api().get("v1", "Secret", "m4", NAMESPACE) is None)
    lab.up(federation_file)
    after = lab.api().get("v1", "Secret", "m4", NAMESPACE)
    assert after is not None
    assert after["data"] == before["data"]
