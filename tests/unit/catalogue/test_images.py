"""Images from a mirror: in a chart's values, and in a manifest."""

import json

import pytest
from click.testing import CliRunner

from components.catalogue import __main__ as command
from components.catalogue import catalogue, entry
from components.catalogue.images import mirrored, pinned, with_mirror
from components.settings import Mirror

MIRROR = Mirror(charts="charts", images="registry.example:5000/copies")


@pytest.mark.parametrize(
    ("image", "there"),
    [
        ("quay.io/ceph/ceph:v20.2.4", "registry.example:5000/copies/ceph/ceph:v20.2.4"),
        ("registry.k8s.io/etcd:3.6.6-0", "registry.example:5000/copies/etcd:3.6.6-0"),
        ("nvcr.io/nvidia/k8s", "registry.example:5000/copies/nvidia/k8s"),
    ],
)
def test_an_image_keeps_its_path(image: str, there: str) -> None:
    """A mirror has an image under its path and tag, in place of its registry."""
    assert mirrored(image, MIRROR) == there


@pytest.mark.parametrize("mirror", [None, Mirror(charts="charts")])
def test_without_a_registry_images_are_their_makers(mirror: Mirror | None) -> None:
    """A mirror of charts alone changes no image and no value."""
    assert mirrored("quay.io/ceph/ceph:v20.2.4", mirror) == "quay.io/ceph/ceph:v20.2.4"
    values = {"replicaCount": 2}
    assert with_mirror(entry("cert-manager"), values, mirror) == values


def test_values_of_the_component_stay() -> None:
    """The mirror is added beside what a component says, at any depth, and its values stay."""
    values = {"controller": {"replicaCount": 2, "image": {"hcloudCSIDriver": {"tag": "v1"}}}}
    told = with_mirror(entry("hcloud-csi"), values, MIRROR)
    driver = "registry.example:5000/copies/hetznercloud/hcloud-csi-driver"
    assert told["controller"]["replicaCount"] == 2
    assert told["controller"]["image"]["hcloudCSIDriver"] == {"tag": "v1", "name": driver}
    assert values == {
        "controller": {"replicaCount": 2, "image": {"hcloudCSIDriver": {"tag": "v1"}}}
    }


def test_one_value_names_the_registry_of_all_images() -> None:
    """A chart that takes a registry for all of its images gets the mirror's."""
    told = with_mirror(entry("longhorn"), {"global": {"nodeSelector": {}}}, MIRROR)
    assert told == {"global": {"nodeSelector": {}, "imageRegistry": MIRROR.images}}


@pytest.mark.parametrize(
    ("mirror", "wanted"),
    [
        (None, "docker.io/rancher/system-upgrade-controller:v0.20.1"),
        (MIRROR, "registry.example:5000/copies/rancher/system-upgrade-controller:v0.20.1"),
    ],
)
@pytest.mark.parametrize("written", ["rancher/system-upgrade-controller:v0.14.0",
                                     "docker.io/rancher/system-upgrade-controller"])  # fmt: skip
def test_a_manifest_runs_the_version_of_its_entry(
    mirror: Mirror | None, wanted: str, written: str
) -> None:
    """An image of the entry's gets the entry's tag and the mirror's name, wherever it stands.

    The files of a tag name the image of an earlier release; what is no image stays as it is.
    """
    content = {
        "image": written,
        "env": [{"name": "A", "value": written}, {"value": "15m"}, {"value": "rancher/other:v1"}],
        "count": 3,
    }
    assert pinned(entry("system-upgrade-controller"), content, mirror) == {
        "image": wanted,
        "env": [{"name": "A", "value": wanted}, {"value": "15m"}, {"value": "rancher/other:v1"}],
        "count": 3,
    }


@pytest.mark.parametrize("registry", ["https://registry.example", "registry.example/", "a b", ""])
def test_a_registry_is_a_name(registry: str) -> None:
    """A mirror's registry has no scheme, no slash at its end and no blank."""
    with pytest.raises(ValueError, match="images"):
        Mirror(charts="charts", images=registry)


def test_charts_in_a_registry_need_a_folder_for_manifests() -> None:
    """A registry of charts holds no plain files, so a folder has to be named for them."""
    with pytest.raises(ValueError, match="allowed a folder under manifests"):
        Mirror(charts="oci://registry.example/charts")
    assert Mirror(charts="oci://registry.example/charts", manifests="manifests").manifests


def _listed(*arguments: str) -> str:
    return CliRunner().invoke(command.main, ["images", *arguments], standalone_mode=False).stdout


def test_every_image_is_listed_once_with_its_place_in_a_mirror() -> None:
    """A line each, from and to, for a copying tool; ``--json`` says which entry runs which."""
    lines = _listed("--mirror", "registry.example:5000/copies").splitlines()
    pairs = [line.split(" ") for line in lines]
    assert all(mirrored(maker, MIRROR) == there for maker, there in pairs)
    known = {image for each in catalogue().entries for image in each.images}
    assert [maker for maker, _ in pairs] == sorted(known | set(catalogue().images.values()))
    by_entry = json.loads(_listed("--json"))
    assert by_entry["descheduler"] == ["registry.k8s.io/descheduler/descheduler:v0.36.0"]
    assert set(by_entry) == {each.name for each in catalogue().entries} | {"federation"}
