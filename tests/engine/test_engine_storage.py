"""The storage plane through the real engine, on a real API server with Rook's published kinds."""

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from components.settings.storage import StorageSettings
from components.storage import objects
from components.storage.ceph import ceph_cluster
from components.storage.pools import manifests
from lab import Lab
from lab.kubernetes.client import Api, RefusedError
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts
from tests.engine.case import cluster, refused, workload, write_federation
from tests.engine.edits import every, into, put
from tests.engine.rook import CEPH, FSID, KINDS, key, rook
from tests.engine.storage import STACK, Plain, Plane, allowing, changed, destroy, without

ROOK, OUTSIDE = "rook-ceph", "rook-ceph-external"


@dataclass
class Ground:
    """A lab with the plane's cluster and a consumer's.

    Attributes:
        plane: the project, whose stack is up.
        api: of the plane's cluster.
        consumer: of the consumer's.
        kubeconfig: of the consumer's.
    """

    plane: Plane
    api: Api
    consumer: Api
    kubeconfig: Path


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """The plane, brought up once; Rook is stood in for."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("storage")
    mirror = fixture_charts(root / "charts", "rook-ceph", "ceph-csi-drivers", "snapshot-controller")
    node = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    classes = [
        {"name": "storage", "count": 4, "allocatable": node},
        {"name": "other", "count": 1, "allocatable": node},
    ]
    file = write_federation(
        root / "federation.yaml",
        [cluster(STACK, nodeClasses=classes), cluster("destroyer")],
        workload("any", weights={"destroyer": 1}),
    )
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "storage") as lab:
        patch.delenv("KARMADA_DIR", raising=False)
        lab.up(file, members="all")
        here, there = lab.kubeconfig(STACK), lab.kubeconfig("destroyer")
        with rook(here, root / "here"), rook(there, root / "there"):
            plane = Plane(root / "workspace", here, mirror)
            plane.stack.up()
            yield Ground(plane, lab.api(STACK), lab.api("destroyer"), there)


@pytest.fixture
def plane(ground: Ground) -> Iterator[Ground]:
    """The plane, whose settings are again as they were when the test is over."""
    yield ground
    ground.plane.write(changed())


def test_the_plane_is_there_and_stays(plane: Ground) -> None:
    """Every object of the settings is there, in the published form; nothing changes again."""
    for kind, name in (
        ("CephCluster", ROOK),
        ("CephBlockPool", "block"),
        ("CephBlockPool", "cold-metadata"),
        ("CephFilesystem", "files"),
        ("CephObjectStore", "objects"),
        ("CephClient", "destroyer-block-node-1"),
        ("CephBlockPoolRadosNamespace", "block-destroyer"),
        ("CephObjectStoreUser", "aegis-1"),
        ("ObjectBucketClaim", "models"),
    ):
        assert plane.api.get(KINDS[kind], kind, name, ROOK), f"{kind} {name}"
    plane.plane.stack.preview(expect_no_changes=True)


def test_no_setting_is_unknown_to_rook(plane: Ground) -> None:
    """Nothing that is written is dropped: the published kinds know every field of ours."""
    spec = StorageSettings.model_validate(changed(), by_alias=True, by_name=False)
    wanted = [ceph_cluster(spec, "quay.io/ceph/ceph:v20.2.4", erase=False)]
    wanted += [each for pool in spec.pools for each in manifests(spec, pool)]
    for each in wanted:
        found = plane.api.get(CEPH, each["kind"], each["metadata"]["name"], ROOK)
        assert found is not None
        assert _within(each["spec"], found["spec"]), each["kind"]


def test_its_nodes_are_its_own(plane: Ground) -> None:
    """Nodes are tainted and labelled, the others not; a user's pod is refused on any of them."""
    found = {node["metadata"]["name"]: node for node in plane.api.list("v1", "Node")}
    for index in range(4):
        node = found[f"storage-{index}"]
        assert node["spec"]["taints"][0]["key"] == "federation/storage"
        assert node["metadata"]["labels"]["federation/storage"] == "true"
    assert "federation/storage" not in found["other-0"]["metadata"]["labels"]
    container = {"name": "main", "image": "registry.invalid/main:1"}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "guest", "namespace": "default"},
        "spec": {"containers": [container]},
    }
    with pytest.raises(RefusedError, match="user workloads run on compute planes"):
        plane.api.create(pod, dry_run=True)


def test_keys_are_secret(plane: Ground) -> None:
    """No key is in the state in clear, and the grants are a secret output."""
    found = plane.plane.stack.outputs()
    assert found["access"].secret
    assert not found["storage"].secret
    state = plane.plane.state()
    assert key("destroyer-block-node-1") not in state
    assert key("aegis-1") not in state


def _zones(spec: Plain) -> None:
    spec["failureDomain"] = "zone"
    for index, node in enumerate(spec["nodes"]):
        node["zone"] = f"zone-{index}"


def _other_node(spec: Plain) -> None:
    spec["nodes"][3]["name"] = "other-0"


def _other_disk(spec: Plain) -> None:
    spec["nodes"][0]["devices"][0]["path"] = "/dev/disk/by-id/new"


LOSSES: dict[str, tuple[Callable[[Plain], object], str, str]] = {
    "node": (_other_node, "node/storage-3", "read no storage-3"),
    "device": (_other_disk, "device/storage-0/disk-0", "read no /dev/disk/by-id/disk-0"),
    "domain": (_zones, "failureDomain/zone", "read zone; allowed host"),
    "pool": (without("pools", "files"), "pool/files", "read no pool files, which holds data"),
    "bucket": (without("buckets", "models"), "bucket/models", "read no bucket models"),
}
"""A change that could cost data, the word that allows it, and what is said without it."""


@pytest.mark.parametrize("name", LOSSES)
def test_what_could_cost_data_needs_a_word(plane: Ground, name: str) -> None:
    """Each is refused with the word that allows it; a word for another thing allows nothing."""
    change, word, said = LOSSES[name]
    for others in ((), (allowing("pool/other"),)):
        plane.plane.write(changed(change, *others))
        text = refused(plane.plane.stack.preview)
        assert said in text
        assert f"federation:storage.allow: {word}" in text
    assert f"Pulumi.{STACK}.yaml:" in text


@pytest.mark.parametrize("name", ["node", "device"])
def test_the_word_allows_that_one_thing(plane: Ground, name: str) -> None:
    """With its word the change is previewed; of the protected ones, a run later."""
    change, word, _ = LOSSES[name]
    plane.plane.write(changed(change, allowing(word)))
    plane.plane.stack.preview()


def test_a_protected_pool_is_let_go_a_run_before(plane: Ground) -> None:
    """The word and the removal in one run are refused: the engine still protects the pool."""
    change, word, _ = LOSSES["pool"]
    plane.plane.write(changed(change, allowing(word)))
    assert "what is protected is let go a run before" in refused(plane.plane.stack.preview)


def test_hetzner_cloud_is_refused_at_its_line(plane: Ground) -> None:
    """A cluster to be made there is one fault, with file, line, key, reason and way out."""
    made = {"maker": "hetzner", "name": STACK, "locations": ["ash"], "pools": []}
    plane.plane.write(changed(put("cluster", made)))
    text = " ".join(refused(plane.plane.stack.preview).split())
    assert re.search(
        rf"Pulumi\.{STACK}\.yaml:\d+ config\.federation:storage\.cluster: read maker hetzner; "
        "allowed existing: Ceph knows its disks by the names of nodes and devices",
        text,
    )
    assert "unknown key" not in text


def test_another_redundancy_is_never_allowed(plane: Ground) -> None:
    """A pool keeps how it keeps data, whatever word is there."""

    def change(spec: Plain) -> None:
        spec["pools"][0]["replicas"] = 4

    plane.plane.write(changed(change, allowing("pool/block")))
    assert "read pool block as block 1+3; allowed block 1+2" in refused(plane.plane.stack.preview)


def test_a_plain_destroy_is_refused(plane: Ground) -> None:
    """It ends before it begins, with the word that it lacks: nothing is gone, nor forgotten."""
    text = refused(plane.plane.stack.destroy)
    assert "federation:storage.allow is neither leave/auxiliary nor erase/auxiliary" in text
    assert plane.api.get(CEPH, "CephCluster", ROOK, ROOK)
    plane.plane.stack.preview(expect_no_changes=True)


def test_consumers_come_and_go(plane: Ground) -> None:
    """A consumer that is up, rotated, destroyed or lost leaves the plane's preview empty."""
    stack = plane.plane.consumer("destroyer", plane.kubeconfig)
    stack.up()
    stack.preview(expect_no_changes=True)
    plane.plane.stack.preview(expect_no_changes=True)
    assert _user(plane.consumer) == "destroyer-block-node-1"
    reach = plane.consumer.get("v1", "Secret", "rook-ceph-mon", OUTSIDE)
    assert reach is not None
    assert base64.b64decode(reach["data"]["fsid"]).decode() == FSID
    found = plane.consumer.get("storage.k8s.io/v1", "StorageClass", "auxiliary-cold")
    assert found is not None
    assert (found["parameters"]["pool"], found["parameters"]["dataPool"]) == (
        "cold-metadata",
        "cold",
    )
    _rotate(plane, stack)
    stack.destroy()
    plane.plane.stack.preview(expect_no_changes=True)
    assert plane.consumer.get("v1", "Namespace", OUTSIDE) is None
    # Lost: its stack is gone with its state, and nobody could be asked.
    plane.plane.workspace.stack("destroyer").workspace.remove_stack("destroyer")
    plane.plane.stack.preview(expect_no_changes=True)


def _rotate(plane: Ground, stack: Any) -> None:
    """Both keys hold until the consumer has the new one; then the old one goes."""
    for keys, there in (([1, 2], True), ([2], False)):
        spec = changed()
        spec["consumers"][0]["keys"] = keys
        plane.plane.write(spec)
        plane.plane.stack.up()
        plane.plane.stack.preview(expect_no_changes=True)
        stack.up()
        assert _user(plane.consumer) == "destroyer-block-node-2"
        old = plane.api.get(CEPH, "CephClient", "destroyer-block-node-1", ROOK)
        assert (old is not None) is there


def _user(api: Api) -> str:
    found = api.get("v1", "Secret", "rook-csi-block-node", OUTSIDE)
    assert found is not None
    return base64.b64decode(found["data"]["userID"]).decode()


def test_a_consumer_that_leaves_the_settings_leaves_its_data(plane: Ground) -> None:
    """Its identities go and its part of the pool stays: nobody deletes data by leaving."""
    plane.plane.write(changed(without("consumers", "destroyer")))
    plane.plane.stack.up()
    assert plane.api.get(CEPH, "CephClient", "destroyer-block-node-2", ROOK) is None
    assert plane.api.get(CEPH, "CephBlockPoolRadosNamespace", "block-destroyer", ROOK)
    plane.plane.write(changed())
    plane.plane.stack.up()
    plane.plane.stack.preview(expect_no_changes=True)


def test_a_pool_goes_with_its_word(plane: Ground) -> None:
    """With the word a run before, a pool goes with its parts and identities, and what it kept.

    A second preview is empty. The word is spent then: it lets go of nothing else, and says so.
    """
    pool = {"name": "old", "kind": "filesystem", "holds": "10Gi"}
    more = every(into("pools", pool), into("consumers.0.mounts", {"pool": "old"}))
    there = (
        ("CephFilesystem", "old"),
        ("CephFilesystemSubVolumeGroup", "old-destroyer"),
        ("CephClient", "destroyer-old-node-1"),
    )
    for change in (more, every(more, allowing("pool/old"))):
        plane.plane.write(changed(change))
        plane.plane.stack.up()
        assert all(plane.api.get(CEPH, kind, name, ROOK) for kind, name in there)
    found = plane.api.get(CEPH, "CephFilesystem", "old", ROOK)
    assert found is not None
    assert found["spec"]["preserveFilesystemOnDelete"] is False
    plane.plane.write(changed(allowing("pool/old")))
    plane.plane.stack.up()
    assert not any(plane.api.get(CEPH, kind, name, ROOK) for kind, name in there)
    assert plane.api.get(CEPH, "CephFilesystem", "files", ROOK)
    text = plane.plane.stack.preview(expect_no_changes=True).stdout
    assert "names pool/old, of which there is nothing to let go" in text
    change, word, _ = LOSSES["pool"]
    plane.plane.write(changed(change, allowing("pool/old")))
    assert f"federation:storage.allow: {word}" in refused(plane.plane.stack.preview)


def test_the_end(plane: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hang names object and finalizer; then consumers go before pools, the operator last."""
    monkeypatch.setattr(objects, "DEFAULT_MINUTES", 0.25)
    plane.plane.write(changed(allowing("erase/auxiliary")))
    plane.plane.stack.up()
    pool = {"apiVersion": CEPH, "kind": "CephBlockPool"}
    held = {"name": "block", "namespace": ROOK, "finalizers": ["ceph.rook.io/images-remain"]}
    plane.api.patch({**pool, "metadata": held})
    gone: list[str] = []
    text = refused(lambda: destroy(plane.plane.stack, gone))
    assert "auxiliary-block-cephblockpool" in text
    assert "ceph.rook.io/images-remain" in text
    assert plane.api.get(CEPH, "CephCluster", ROOK, ROOK), "the cluster waits for its pools"
    plane.api.patch({**pool, "metadata": {**held, "finalizers": None}})
    destroy(plane.plane.stack, gone)

    def at(kind: str) -> list[int]:
        return [index for index, each in enumerate(gone) if each.startswith(f"{kind} ")]

    assert max(at("CephClient")) < min(at("CephFilesystem"))
    assert max(at("CephBlockPool")) < min(at("CephCluster"))
    assert max(at("CephCluster")) < min(at("Deployment"))
    assert max(at("Deployment")) < min(at("Namespace"))
    assert plane.api.get("v1", "Namespace", ROOK) is None


def _within(part: Any, whole: Any) -> bool:
    """Whether *whole* holds all of *part*."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and _within(value, whole[key]) for key, value in part.items()
        )
    if isinstance(part, list):
        return len(part) == len(whole) and all(
            _within(*pair) for pair in zip(part, whole, strict=True)
        )
    return bool(part == whole)
