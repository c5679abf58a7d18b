"""The whole program on the real Karmada: what it writes, waits for, and leaves alone."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from lab import Lab
from lab.engine import Workspace
from tests.engine.case import POLICY, Case, Server, changes, cluster, manifest, refused, workload
from tests.karmada.federated import MEMBERS, Federated, settled

_WEIGHTS = {"m1": 3, "m3": 1}


@pytest.fixture
def case(lab: Lab, federated: Federated, tmp_path: Path) -> Case:
    """A project whose carrier is the lab's Karmada, in the namespace of *federated*."""
    server = Server(lab, tmp_path / "discovery")
    folder = tmp_path / "workspace"
    workspace = Workspace(folder)
    tokyo = workspace.stack("tokyo")
    workspace.set_secret("tokyo", "federation:kubeconfig", server.kubeconfig)
    tokyo.up()
    made = Case(folder, server, federated.namespace)
    made.configure(federation={"readinessTimeout": 20, "failover": False})
    return made


def write(case: Case, replicas: int) -> None:
    """A Job and two Deployments of our own, one of each class, with *replicas* each."""
    kinds = {"critical": "Deployment", "standard": "Deployment", "batch": "Job"}
    workloads: list[dict[str, Any]] = []
    for name, kind in kinds.items():
        # A Job's numbers cannot be changed, so batch would move by its weights.
        size = replicas if kind == "Deployment" else 8
        content = manifest(kind, name, case.namespace, size)
        (case.file.parent / f"{name}.yaml").write_text(yaml.safe_dump(content), "utf-8")
        weights = _WEIGHTS if kind == "Deployment" else {"m1": replicas, "m3": 4}
        given = {"class": name, "manifest": f"{name}.yaml", "weights": weights}
        workloads.append(workload(name, size, acceptSingleContinent=True, **given))
    regions = {name: facts["region"] for name, facts in MEMBERS.items()}
    case.write(*workloads, clusters=[cluster(n, region=regions[n]) for n in ("m1", "m3")])


def test_a_wave_that_is_unwell_stops_the_next(case: Case, federated: Federated) -> None:
    """What moved in a wave is healthy before the next begins; if it is not, that stays as it was.

    The members are bare: no pod ever runs, so a Deployment that grows is unhealthy. The Job is not
    waited for: its member refuses other completions.
    """
    write(case, 4)
    stack = case.stack()
    stack.up()
    first = {"m1": 3, "m3": 1}
    assert settled(lambda: federated.division("standard"), first) == first
    assert settled(lambda: federated.division("critical"), first) == first
    stack.preview(expect_no_changes=True)
    write(case, 8)
    text = refused(stack.up)
    assert "what moved before is not applied and healthy, and nothing more important was" in text
    assert f"{case.namespace}/standard: unhealthy on m1, m3" in text
    second = {"m1": 6, "m3": 2}
    assert settled(lambda: federated.division("standard"), second) == second
    assert federated.division("critical") == first
    annotation = case.server.objects(case.namespace)["critical-deployment"]["metadata"]
    assert annotation["annotations"]["federation/replicas"] == '{"m1": 3, "m3": 1}'


def test_nothing_is_left_of_what_is_destroyed(case: Case, federated: Federated) -> None:
    """Destroying takes policies, objects and their bindings, and so what runs in members."""
    write(case, 4)
    stack = case.stack()
    created = changes(stack.up())["create"]
    assert settled(lambda: federated.division("standard"), {"m1": 3, "m3": 1})
    stack.preview(expect_no_changes=True)
    stack.destroy()
    assert created > len(MEMBERS)
    assert case.server.objects(case.namespace, POLICY) == {}
    assert settled(lambda: federated.binding("standard") is None, True)
    assert federated.binding("critical") is None
