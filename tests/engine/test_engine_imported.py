"""Clusters of a compute plane in the carrier's Rancher."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml
from pulumi import automation as auto

from components import outputs
from components.outputs import KARMADA
from lab.engine import Workspace
from tests.doubles import cloud
from tests.doubles.front_door import RANCHER_TOKEN, rancher_package
from tests.doubles.serving import served
from tests.engine.hetzner import SPEC, skip_without_engine
from tests.engine.test_engine_hetzner_compute import KUBECONFIG

RANCHER = {
    "url": "https://rancher.example.com",
    "token": RANCHER_TOKEN,
    "authority": "-----BEGIN CERTIFICATE-----",
}
SETTINGS = {
    "federation:plane": "compute",
    "federation:stacks": {"carrier": "tokyo"},
    "federation:compute": {
        "asOf": "2026-11-30",
        "clusters": [{**SPEC, "name": "destroyer", "locations": ["ash"]}],
    },
}


@pytest.mark.parametrize("rancher", [RANCHER, None], ids=["with", "without"])
def test_a_cluster_is_imported_where_the_carrier_has_rancher(
    tmp_path: Path, rancher: Mapping[str, str] | None
) -> None:
    """Each cluster of the plane has its entry and its registration, or there is no word of it."""
    skip_without_engine()

    def carrier() -> None:
        access = {KARMADA: pulumi.Output.secret(KUBECONFIG)}
        published = outputs.publish("carrier", "2026-11-30", [], access, rancher=rancher)
        for name, value in published.items():
            pulumi.export(name, value)

    seen: list[str] = []

    def note(event: auto.EngineEvent) -> None:
        if event.resource_pre_event is not None:
            seen.append(event.resource_pre_event.metadata.urn.rsplit("$", 1)[-1])

    with cloud() as sky, served([rancher_package()]) as front:
        workspace = Workspace(tmp_path / "workspace")
        workspace.environment["PULUMI_DEBUG_PROVIDERS"] = f"{sky.attach},{front.attach}"
        file: Mapping[str, Any] = {"config": SETTINGS}
        (workspace.project / "Pulumi.members.yaml").write_text(yaml.safe_dump(file), "utf-8")
        workspace.stack("tokyo", carrier).up()
        members = workspace.stack("members")
        workspace.set_secret("members", "hcloud:token", "planted")
        members.preview(on_event=note)
    entry = "rancher2:index/cluster:Cluster::destroyer-rancher"
    run = "kubernetes:batch/v1:Job::destroyer-rancher-run"
    assert (entry in seen, run in seen) == ((rancher is not None,) * 2)
    assert "federation:compute:Membership::destroyer" in seen
