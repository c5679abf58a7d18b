"""Full members whose nodes are asked: estimators, the descheduler, and what is in use already."""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
import yaml

from lab import Lab
from lab.karmada import estimation
from lab.karmada.installation import Installation
from lab.tools import catalogue
from placement.quantity import parse_quantity
from tests.built import missing
from tests.karmada.federated import Federated, settled, until

IN_USE = {"cpu": "1500m", "memory": "3Gi", "pods": "4"}
DISK = "example.com/disk"
DYNAMIC = {
    "clusterAffinity": {"clusterNames": ["m1", "m2"]},
    "replicaScheduling": {
        "replicaSchedulingType": "Divided",
        "replicaDivisionPreference": "Weighted",
        "weightPreference": {"dynamicWeight": "AvailableReplicas"},
    },
}


def cluster(name: str, disk: str) -> dict[str, Any]:
    """A cluster of two nodes, of which something is in use."""
    node_class = {
        "name": "n",
        "count": 2,
        "allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
        "inUse": IN_USE,
        "labels": {DISK: disk},
    }
    place = {"provider": "example", "region": name, "continent": "europe"}
    return {"name": name, **place, "nodeClasses": [node_class]}


@pytest.fixture(scope="module")
def estimated(tmp_path_factory: pytest.TempPathFactory, real: Installation) -> Iterator[Lab]:
    """A lab with estimators and two full members; of the second, all nodes have an SSD."""
    lacking = missing(*(tool.name for tool in catalogue.TOOLS))
    lacking += [name for name in estimation.PROGRAMS if not real.program(name).exists()]
    if lacking:
        pytest.skip(f"not there: {', '.join(lacking)}")
    root = tmp_path_factory.mktemp("estimated")
    file = root / "federation.yaml"
    clusters = [cluster("m1", "hdd"), cluster("m2", "ssd")]
    content = {"apiVersion": "federation/v1alpha1", "clusters": clusters, "workloads": []}
    file.write_text(yaml.safe_dump(content), "utf-8")
    with Lab(root, "estimated") as lab:
        lab.up(file, members="all", estimators=True)
        yield lab


@pytest.fixture
def federated(estimated: Lab, request: pytest.FixtureRequest) -> Iterator[Federated]:
    """A namespace of the test's own."""
    federated = Federated(estimated.api(), request.node.name.replace("_", "-"))
    federated.make_namespace()
    yield federated
    federated.clean()


def allocated(lab: Lab, name: str) -> dict[str, Decimal]:
    """What Karmada finds in use in the member *name*."""
    found = lab.api().get("cluster.karmada.io/v1alpha1", "Cluster", name) or {}
    amounts = found.get("status", {}).get("resourceSummary", {}).get("allocated", {})
    return {resource: parse_quantity(amount) for resource, amount in amounts.items()}


def pending(lab: Lab, name: str, namespace: str) -> list[str]:
    """The phases of the pods of *namespace* in the member *name*."""
    return [pod["status"]["phase"] for pod in lab.api(name).list("v1", "Pod", namespace)]


def test_what_is_in_use_is_seen_by_karmada(estimated: Lab) -> None:
    """The Cluster objects say that exactly what the federation file declares is allocated."""
    wanted = {name: parse_quantity(amount) for name, amount in IN_USE.items()}
    for member in ("m1", "m2"):
        look = partial(allocated, estimated, member)
        assert until(look, lambda found: found == wanted) == wanted


def test_a_node_selector_counts(federated: Federated) -> None:
    """Free room alone would divide evenly; the estimators know which nodes have an SSD."""
    federated.policy(DYNAMIC)
    federated.deployment(replicas=4, nodeSelector={DISK: "ssd"})
    assert settled(federated.division, {"m2": 4}) == {"m2": 4}


def test_what_stays_unschedulable_goes_elsewhere(estimated: Lab, federated: Federated) -> None:
    """Pods that lose their nodes and find none are taken back, and divided over the others."""
    federated.policy(DYNAMIC)
    federated.deployment(replicas=4)
    assert settled(federated.division, {"m1": 2, "m2": 2}) == {"m1": 2, "m2": 2}
    member = estimated.api("m1")
    running = partial(pending, estimated, "m1", federated.namespace)
    assert until(running, lambda found: found == ["Running"] * 2) == ["Running"] * 2
    for node in member.list("v1", "Node"):
        metadata = {"name": node["metadata"]["name"]}
        member.patch(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": metadata,
                "spec": {"unschedulable": True},
            }
        )
    for pod in member.list("v1", "Pod", federated.namespace):
        member.delete("v1", "Pod", pod["metadata"]["name"], federated.namespace)
    assert settled(federated.division, {"m2": 4}) == {"m2": 4}
