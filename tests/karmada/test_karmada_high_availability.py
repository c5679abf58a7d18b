"""A control plane of three of each part goes on when one of each is killed, and is mended."""

import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from lab import Lab
from lab.karmada.installation import Installation
from tests.karmada.federated import Federated, predicted, settled, until, weights

PARTS = (
    "etcd",
    "karmada-apiserver",
    "load-balancer",
    "kube-controller-manager",
    "karmada-aggregated-apiserver",
    "karmada-webhook",
    "karmada-controller-manager",
    "karmada-scheduler",
)
MEMBERS = {"m1": 2, "m3": 1}
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def available(
    tmp_path_factory: pytest.TempPathFactory,
    federation_file: Path,
    real: Installation,  # noqa: ARG001 - no lab without it
) -> Iterator[Lab]:
    """A highly available lab with two bare members."""
    with Lab(tmp_path_factory.mktemp("available"), "available") as lab:
        lab.up(federation_file, members=",".join(MEMBERS), bare=True, high_availability=True)
        yield lab


@pytest.fixture
def whole(available: Lab, federation_file: Path) -> Lab:
    """The same, with every instance alive: `up` mends what the test before has killed."""
    available.up(federation_file)
    assert [row.name for row in available.status() if not row.alive] == []
    return available


def kill(lab: Lab, *names: str) -> None:
    """Kill the instances *names*."""
    for name in names:
        lab.kill(name)
    assert {row.name for row in lab.status() if not row.alive} == set(names)


def leader(lab: Lab, part: str) -> str:
    """The instance of *part* that acts: the last that says that it got the lease."""
    logs = lab.kubeconfig().parent.parent / "logs"
    found: dict[float, str] = {}
    for row in lab.status():
        if row.name.rsplit("-", 1)[0] == part and row.alive:
            log = logs / f"{row.name}.log"
            text = log.read_text("utf-8").lower()
            if "successfully acquired lease" in text[text.rfind("attempting to acquire") :]:
                found[log.stat().st_mtime] = row.name
    return found[max(found)]


def divides(lab: Lab) -> None:
    """A new workload is divided as predicted, and its copies arrive in the members."""
    federated = Federated(lab.api(), f"available-{next(_numbers)}")
    federated.make_namespace()
    placement = weights(MEMBERS)
    federated.policy(placement)
    federated.deployment(replicas=7)
    wanted = predicted(placement, 7, federated.uid())
    assert settled(federated.division, wanted) == wanted
    for name, replicas in wanted.items():
        member = lab.api(name)
        copy = until(partial(member.get, "apps/v1", "Deployment", "web", federated.namespace))
        assert copy is not None
        assert copy["spec"]["replicas"] == replicas


def test_every_instance_is_shown(whole: Lab) -> None:
    """`status` has three of each part, each with its own ports, and all addresses of the API."""
    shown = [row.name for row in whole.status()]
    for part in PARTS:
        assert [name for name in shown if name.startswith(part)] == [
            f"{part}-{number}" for number in range(3)
        ]
    together, *each = whole.endpoints()
    assert len({together, *each}) == 4
    for number in range(3):
        assert whole.api(f"karmada-{number}").serves("policy.karmada.io/v1alpha1", "OverridePolicy")


def test_another_scheduler_takes_over(whole: Lab) -> None:
    """When the leader among the schedulers is killed, a new workload is divided as predicted."""
    first = leader(whole, "karmada-scheduler")
    kill(whole, first)
    divides(whole)
    assert leader(whole, "karmada-scheduler") != first


def test_writes_go_on_without_one_store_and_one_server(whole: Lab) -> None:
    """With one etcd member and one API server killed, writes go on through all the others."""
    kill(whole, "etcd-0", "karmada-apiserver-0")
    for number, server in enumerate(("karmada", "karmada-1", "karmada-2")):
        metadata = {"name": f"through-{number}", "namespace": "karmada-system"}
        whole.api(server).apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
        assert whole.api("karmada-2").get("v1", "ConfigMap", *metadata.values()) is not None


def test_one_of_each_part_may_be_killed_at_once(whole: Lab) -> None:
    """With the leader, or one, of every part killed, a new workload still reaches the members."""
    elected = ("kube-controller-manager", "karmada-controller-manager", "karmada-scheduler")
    others = [f"{part}-1" for part in PARTS if part not in elected]
    kill(whole, *(leader(whole, part) for part in elected), *others)
    divides(whole)
