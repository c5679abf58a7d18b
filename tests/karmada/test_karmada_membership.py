"""Memberships on the real Karmada: a token changes, an agent joins, a member dies."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import Lab
from lab.karmada import installation
from lab.measure.inventory import inventory, shown
from lab.mending import mended
from placement.karmada.readiness import unready
from tests.built import skip_without
from tests.doubles.keys import Keys
from tests.doubles.serving import served
from tests.engine.case import cluster, write_federation
from tests.engine.membership import CLUSTER, LEASE, NAMES, Plane
from tests.karmada.federated import Federated, until, weights

BINDING = ("work.karmada.io/v1alpha2", "ResourceBinding")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The federation file of the members."""
    file = tmp_path_factory.mktemp("membership") / "federation.yaml"
    return write_federation(file, [cluster(name) for name in NAMES])


@pytest.fixture(scope="module")
def lab(
    file: Path,
    real: installation.Installation,  # noqa: ARG001 - no lab without it
) -> Iterator[Lab]:
    """The real Karmada, and two members that nobody has joined."""
    skip_without("kube-scheduler", "kwok")
    with Lab(file.parent / "labs", "membership") as lab:
        lab.up(file, members="all", joined=False)
        yield lab


def ready(lab: Lab, name: str) -> bool:
    """Whether Karmada can use a member."""
    return unready(lab.api().get(*CLUSTER, name)) is None


def statuses(lab: Lab, namespace: str) -> dict[str, int]:
    """The ready replicas by member, as Karmada has them."""
    found = lab.api().get(*BINDING, "web-deployment", namespace) or {}
    items = (found.get("status") or {}).get("aggregatedStatus") or ()
    return {i["clusterName"]: (i.get("status") or {}).get("readyReplicas", 0) for i in items}


def leader(lab: Lab) -> str:
    """Who leads of Karmada's controller managers."""
    found = lab.api().get(*LEASE, "karmada-controller-manager", "karmada-system")
    assert found is not None
    return str(found["spec"]["holderIdentity"])


def left(lab: Lab, name: str) -> list[str]:
    """What bears the name of a member on the Karmada API."""
    items = inventory(lab.api())
    return shown(item for item in items if any(name in part for part in item))


def in_member(lab: Lab, name: str) -> list[str]:
    """What is in a member for Karmada's sake."""
    return [line for line in shown(inventory(lab.api(name))) if "karmada" in line]


@pytest.fixture
def shop(lab: Lab, request: pytest.FixtureRequest) -> Iterator[Federated]:
    """A namespace with a Deployment of two replicas, which no policy places yet."""
    shop = Federated(lab.api(), request.node.name.replace("_", "-")[:40].strip("-"))
    shop.make_namespace()
    shop.deployment(replicas=2)
    yield shop
    shop.clean()


def test_a_status_comes_by_another_token(
    lab: Lab, file: Path, shop: Federated, tmp_path: Path
) -> None:
    """After another word, a changed replica count reaches the member, and its status comes back.

    The controllers have another leader, and nothing is left when the member has gone.
    """
    plane = Plane(lab, tmp_path / "workspace", names=["east"])
    plane.stack.up()
    assert until(lambda: ready(lab, "east"))
    shop.policy(weights({"east": 1}))
    assert until(lambda: statuses(lab, shop.namespace) == {"east": 2})
    before, token = leader(lab), plane.secret("east", "token")

    plane.write(cluster("east"), rotate="another")
    with mended(lab, file):
        plane.stack.up()
    assert plane.secret("east", "token") != token
    assert leader(lab) != before
    # A watch that was opened with the old token would live on until its connection ends.
    lab.kill("member-east-apiserver")
    lab.up(file)
    shop.deployment(replicas=5)
    assert until(lambda: statuses(lab, shop.namespace) == {"east": 5})
    assert until(lambda: ready(lab, "east"))
    plane.stack.destroy()
    assert left(lab, "east") == []
    assert in_member(lab, "east") == []


def test_an_agent_takes_its_works(lab: Lab, shop: Federated, tmp_path: Path) -> None:
    """A pull member becomes Ready, gets its replicas, reports them, and leaves nothing behind."""
    schemas = Path(os.environ.get("REFERENCE_DIR") or "/nowhere") / "schemas"
    if not schemas.is_dir():
        pytest.skip("no published schemas (set REFERENCE_DIR)")
    with served([Keys(schemas).package]) as doubles:
        plane = Plane(lab, tmp_path / "workspace", doubles.attach, ["west"])
        plane.write(cluster("west", membership="pull", labels={"tier": "edge"}))
        plane.stack.up()
        lab.run_agent("west")
        assert until(lambda: ready(lab, "west"))
        joined = lab.api().get(*CLUSTER, "west")
        assert joined is not None
        assert joined["metadata"]["labels"]["tier"] == "edge"
        shop.policy(weights({"west": 1}))
        assert until(lambda: statuses(lab, shop.namespace) == {"west": 2})
        plane.stack.preview(expect_no_changes=True)
        plane.stack.destroy()
    assert left(lab, "west") == []
    assert in_member(lab, "west") == []


def test_a_dead_member_leaves(lab: Lab, shop: Federated, tmp_path: Path) -> None:
    """With `lost: true` the Cluster goes although nobody answers: no finalizer holds it."""
    plane = Plane(lab, tmp_path / "workspace", names=["east"])
    plane.stack.up()
    assert until(lambda: ready(lab, "east"))
    shop.policy(weights({"east": 1}))
    assert until(lambda: statuses(lab, shop.namespace) == {"east": 2})
    lab.kill("member-east-apiserver")
    assert until(lambda: not ready(lab, "east"))
    plane.write(cluster("east", lost=True))
    plane.stack.up()
    assert left(lab, "east") == []
    plane.stack.destroy()
