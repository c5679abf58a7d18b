"""A compute plane whose clusters are made on Hetzner Cloud and join."""

from pathlib import Path

import yaml
from pulumi import automation as auto

from lab.engine import Workspace
from tests.doubles import cloud
from tests.engine.hetzner import SPEC, skip_without_engine

KUBECONFIG = yaml.safe_dump(
    {
        "current-context": "any",
        "contexts": [{"name": "any", "context": {"cluster": "any", "user": "any"}}],
        "clusters": [{"name": "any", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "any", "user": {"token": "planted"}}],
    }
)
"""Of an API that nobody serves: a preview must not need it."""


def test_a_cluster_that_is_not_there_yet_is_previewed_whole(tmp_path: Path) -> None:
    """Servers, and the membership of a cluster whose kubeconfig is not known before it is made."""
    skip_without_engine()
    with cloud() as sky:
        workspace = Workspace(tmp_path / "workspace")
        workspace.environment["PULUMI_DEBUG_PROVIDERS"] = sky.attach
        settings = {
            "config": {
                "federation:plane": "compute",
                "federation:stacks": {"carrier": "tokyo"},
                "federation:compute": {
                    "asOf": "2026-11-30",
                    "clusters": [
                        {**SPEC, "name": "destroyer", "locations": ["ash"]},
                        {**SPEC, "name": "second", "locations": ["nbg1"]},
                    ],
                },
            }
        }
        (workspace.project / "Pulumi.members.yaml").write_text(yaml.safe_dump(settings), "utf-8")
        tokyo, members = workspace.stack("tokyo"), workspace.stack("members")
        workspace.set_secret("tokyo", "federation:kubeconfig", KUBECONFIG)
        tokyo.up()
        workspace.set_secret("members", "hcloud:token", "planted")
        created: list[str] = []

        def note(event: auto.EngineEvent) -> None:
            if event.resource_pre_event is not None:
                created.append(event.resource_pre_event.metadata.urn.split("::", 2)[-1])

        members.preview(on_event=note)
        whole = {urn.rsplit("$", 1)[-1] for urn in created}
        for name in ("destroyer", "second"):
            assert f"federation:compute:Membership::{name}" in whole
        assert "kubernetes:cluster.karmada.io/v1alpha1:Cluster::destroyer-cluster" in whole
        assert "hcloud:index/server:Server::destroyer-platform-2" in whole
        assert sky.done() == []
