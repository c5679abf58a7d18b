"""A compute plane through the real engine: a cluster joins, stays, and leaves."""

import base64
import json
import os
from pathlib import Path

import yaml
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from lab import Lab
from lab.engine import Workspace
from lab.karmada.registration import Registration
from placement.karmada.readiness import unready
from tests.built import FULL_MEMBER, skip_without
from tests.engine.case import cluster, workload, write_federation

MEMBER = "east"
NAMESPACE = "karmada-cluster"
CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")


def _federation(folder: Path) -> Path:
    file = folder / "federation.yaml"
    return write_federation(file, [cluster(MEMBER)], workload("web", weights={MEMBER: 1}))


def _workspace(lab: Lab, folder: Path) -> Workspace:
    workspace = Workspace(folder)
    facts = {**cluster(MEMBER), "maker": "existing"}
    settings = {
        "config": {
            "federation:plane": "compute",
            "federation:stacks": {"carrier": "tokyo"},
            "federation:compute": {"asOf": "2026-11-30", "clusters": [facts]},
        }
    }
    (workspace.project / "Pulumi.members.yaml").write_text(yaml.safe_dump(settings), "utf-8")
    tokyo = workspace.stack("tokyo")
    workspace.set_secret("tokyo", "federation:kubeconfig", lab.kubeconfig().read_text())
    tokyo.up()
    workspace.stack("members")
    kubeconfigs = yaml.safe_dump({MEMBER: yaml.safe_load(lab.kubeconfig(MEMBER).read_text())})
    workspace.set_secret("members", "federation:kubeconfigs", kubeconfigs)
    return workspace


def _forget(lab: Lab) -> None:
    """Let the member leave that the lab has let join, or take away the lab's stand-in for it."""
    if os.environ.get("KARMADA_DIR"):
        folder = lab.kubeconfig().parent.parent / "registration"
        Registration(folder, lab.kubeconfig(), members=()).destroy()
    else:
        lab.api().delete(*CLUSTER, MEMBER)
    assert _until(lambda: lab.api().get(*CLUSTER, MEMBER) is None)


_until = Retrying(
    retry=retry_if_result(lambda held: not held), stop=stop_after_delay(90), wait=wait_fixed(0.5)
)
"""Calls a question until the answer is yes; an error after 90 s."""


def _ready(lab: Lab) -> bool:
    return unready(lab.api().get(*CLUSTER, MEMBER)) is None


def test_a_cluster_joins_and_leaves(tmp_path: Path) -> None:
    """Both sides hold what a push member needs; nothing changes again; destroy leaves nothing.

    With the real Karmada the member becomes Ready with complete APIs.
    """
    skip_without(*FULL_MEMBER)
    with Lab(tmp_path / "labs", "compute") as lab:
        lab.up(_federation(tmp_path), members=MEMBER)
        _forget(lab)
        workspace = _workspace(lab, tmp_path / "workspace")
        members = workspace.stack("members")
        members.up()

        karmada, member = lab.api(), lab.api(MEMBER)
        joined = karmada.get(*CLUSTER, MEMBER)
        assert joined is not None
        system = member.get("v1", "Namespace", "kube-system")
        assert system is not None
        assert joined["spec"]["id"] == system["metadata"]["uid"]
        token = member.get("v1", "Secret", f"karmada-{MEMBER}", NAMESPACE)
        given = karmada.get("v1", "Secret", MEMBER, NAMESPACE)
        assert token is not None
        assert given is not None
        assert given["data"]["token"] == token["data"]["token"]
        assert given["data"]["caBundle"] == token["data"]["ca.crt"]
        if os.environ.get("KARMADA_DIR"):
            assert _until(_ready, lab)

        members.preview(expect_no_changes=True)
        clear = base64.b64decode(token["data"]["token"]).decode()
        assert clear not in json.dumps(members.export_stack().deployment)

        members.destroy()
        assert karmada.get(*CLUSTER, MEMBER) is None
        assert karmada.get("v1", "Secret", MEMBER, NAMESPACE) is None
        assert member.get("v1", "ServiceAccount", f"karmada-{MEMBER}", NAMESPACE) is None
