"""The catalogue: what it names fits what its makers publish, and fits together."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from semver import Version

from components.catalogue import Entry, catalogue, entry
from components.catalogue.images import mirrored
from components.settings import Mirror
from lab.tools import catalogue as lab_tools
from tests.charts import published

ENTRIES = catalogue().entries
CHARTS = [each for each in ENTRIES if each.install != "manifest"]
DOCS = Path(__file__).parents[3] / "docs"
KUBERNETES = lab_tools.tool("kube-apiserver").version.removeprefix("v")
"""What the project is tested with."""

_STAMPED = re.compile(r"v?\d+\.\d+\.\d+")
"""A version that is a version; some projects write the real one in when they publish."""


def _published(name: str, file: str) -> Any:
    path = published(name, file)
    if path is None:
        pytest.skip(f"REFERENCE_DIR has no {file} of {name}")
    # Rancher's holds %VERSION% where its release writes a number.
    return yaml.safe_load(path.read_text("utf-8").replace("%", ""))


def _bounds(published_range: str) -> str:
    """A chart's range in the catalogue's form, which leaves out pre-releases (``-0``)."""
    return re.sub(r"\s+|-0\b", "", published_range)


@pytest.mark.parametrize("found", ENTRIES, ids=lambda found: found.name)
def test_everything_runs_on_the_kubernetes_of_the_project(found: Entry) -> None:
    """The Kubernetes that the tests run, and the k3s that the docs name, is in every range."""
    text = (DOCS / "hetzner.md").read_text("utf-8")
    k3s = re.findall(r"version: v(\d+\.\d+\.\d+)\+k3s\d+", text)
    assert k3s
    for version in (KUBERNETES, *k3s):
        assert found.fits(version), f"{found.name} wants {found.kubernetes}"


@pytest.mark.parametrize(
    ("wanted", "version", "fits"),
    [
        (">=1.31.0,<1.37.0", "1.36.3", True),
        (">=1.31.0,<1.37.0", "1.37.0", False),
        (">=1.31.0,<1.37.0", "1.30.9", False),
        ("<1.37.0", "1.0.0", True),
    ],
)
def test_a_range_holds_below_and_above(wanted: str, version: str, fits: bool) -> None:
    """A version is in a range where every part of it holds; the upper end is outside."""
    assert entry("longhorn").model_copy(update={"kubernetes": wanted}).fits(version) is fits


@pytest.mark.parametrize("found", CHARTS, ids=lambda found: found.name)
def test_versions_are_the_published_ones(found: Entry) -> None:
    """Name, version and Kubernetes range are those of the chart's own file, where it says them."""
    chart = _published(found.name, "Chart.yaml")
    assert chart["name"] == found.name
    # Projects that stamp a version on publishing leave one without meaning in the source.
    version = str(chart["version"])
    if _STAMPED.fullmatch(version) and not version.lstrip("v").startswith("0.0."):
        assert _minor(version) <= _minor(found.version)
    if "kubeVersion" in chart:
        assert set(_bounds(chart["kubeVersion"]).split(",")) <= set(found.kubernetes.split(","))


def _minor(version: str) -> tuple[int, int]:
    parsed = Version.parse(version.removeprefix("v"))
    return parsed.major, parsed.minor


def test_the_drivers_of_ceph_are_those_of_its_operator() -> None:
    """Rook 1.20 brings an operator and no drivers: both are there, and of one release."""
    dependencies = _published("rook-ceph", "Chart.yaml")["dependencies"]
    operator = next(each for each in dependencies if each["name"] == "ceph-csi-operator")
    assert entry("ceph-csi-drivers").version == operator["version"]
    assert f"quay.io/cephcsi/ceph-csi-operator:v{operator['version']}" in entry("rook-ceph").images


def test_karmada_is_of_one_version() -> None:
    """The operator, and every part that it or a member runs, is of the release that is tested."""
    karmada = [image for image in catalogue().images.values() if "/karmada/" in image]
    assert karmada
    versions = {image.rpartition(":")[2] for image in (*karmada, *entry("karmada-operator").images)}
    assert versions == {entry("karmada-operator").version}


@pytest.mark.parametrize("found", ENTRIES, ids=lambda found: found.name)
def test_every_image_can_come_from_a_mirror(found: Entry) -> None:
    """Each image of a chart is reached by a value that the catalogue sets for a mirror.

    One value for all of a chart's images reaches each; else there is a value for its repository, or
    for the part of it that the chart completes.
    """
    if found.install == "manifest" or found.registries:
        return
    for image in found.images:
        repository = image.rpartition(":")[0]
        assert any(repository.startswith(each) for each in found.repositories.values()), image


def test_no_two_images_meet_in_a_mirror() -> None:
    """A mirror leaves out the registry's name: no two images then have one name."""
    images = {image for each in ENTRIES for image in each.images} | set(catalogue().images.values())
    mirror = Mirror(charts=".", images="registry.example")
    assert len({mirrored(image, mirror) for image in images}) == len(images)


@pytest.mark.parametrize("found", CHARTS, ids=lambda found: found.name)
def test_values_of_a_mirror_are_published(found: Entry) -> None:
    """Where the catalogue sets a registry or a repository, the chart reads one.

    A repository is what the chart has there itself, so that nothing else is replaced.
    """
    values = _published(found.name, "values.yaml")
    subcharts = {"ceph-csi-operator", "node-feature-discovery"}
    for path in (*found.registries, *found.repositories):
        keys = path.split(".")
        if keys[0] in subcharts:
            continue  # its values are a chart's of its own
        value = values
        for key in keys:
            value = value[key]
        assert isinstance(value, str), path
        if path in found.repositories:
            assert value == found.repositories[path]
