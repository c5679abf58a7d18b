"""What the catalogue installs, through the real engine and the real provider's Helm.

Each way of installing has one entry: a release, a chart and a manifest, from a mirror with fixture
charts, on a member of a lab that runs pods.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pytest

from components.catalogue import Entry, Installer, entry
from components.catalogue import installer as installing
from components.settings import Mirror
from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import Api
from placement.faults import FederationError
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts
from tests.engine.case import cluster, refused, workload, write_federation

HOST = "east"
IMAGES = "registry.example:5000/copies"
RELEASE, CHART, MANIFEST = "cert-manager", "descheduler", "snapshot-controller"


@dataclass
class Installation:
    """A stack that installs entries on the lab's member.

    Attributes:
        kubeconfig: of the member.
        mirror: where the entries come from.
        names: of the entries, each into a namespace of the stack's name and its own.
        values: by entry.
    """

    kubeconfig: str
    mirror: Mirror | None
    name: str
    names: tuple[str, ...] = (RELEASE, CHART, MANIFEST)
    values: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def __call__(self) -> None:
        """The program, whose faults leave it as those of the project's own do."""
        try:
            self._install()
        except FederationError as error:
            raise pulumi.RunError(str(error)) from None

    def _install(self) -> None:
        provider = kubernetes.Provider(
            self.name, kubeconfig=self.kubeconfig, cluster_identifier=self.name
        )
        installer = Installer(provider, self.mirror)
        for name in self.names:
            namespace = kubernetes.core.v1.Namespace(
                name,
                metadata={"name": self.namespace(name)},
                opts=pulumi.ResourceOptions(provider=provider),
            )
            installer.install(
                name,
                namespace=self.namespace(name),
                values=self.values.get(name),
                opts=pulumi.ResourceOptions(depends_on=[namespace]),
            )

    def namespace(self, name: str) -> str:
        """Where the entry *name* goes."""
        return f"{self.name}-{name}"


@dataclass(frozen=True)
class Case:
    """The lab's member, and a folder for each test.

    Attributes:
        api: of the member.
    """

    lab: Lab
    folder: Path

    @property
    def api(self) -> Api:
        """The member's API."""
        return self.lab.api(HOST)

    def installation(self, name: str, mirror: Mirror | None) -> Installation:
        """A program that installs, and installs nothing yet."""
        return Installation(self.lab.kubeconfig(HOST).read_text("utf-8"), mirror, name)

    def get(self, version: str, kind: str, name: str, namespace: str) -> dict[str, Any]:
        """An object that must be there."""
        found = self.api.get(version, kind, name, namespace)
        assert found is not None
        return found


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A member that runs pods."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("catalogue")
    write_federation(root / "federation.yaml", [cluster(HOST)], workload("web", weights={HOST: 1}))
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "catalogue") as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # none of its parts act in a member
        lab.up(root / "federation.yaml", members=HOST)
        yield Case(lab, root)


def test_each_way_of_installing_comes_up_once_and_goes(case: Case, tmp_path: Path) -> None:
    """A release runs its hook, every Deployment is ready, images and values are as told.

    A second preview is empty, and a destroy leaves nothing of it behind.
    """
    mirror = fixture_charts(tmp_path / "charts", RELEASE, CHART, MANIFEST, images=IMAGES)
    told = case.installation("one", mirror)
    told.values = {RELEASE: {"replicaCount": 2}, CHART: {"replicas": 2}}
    stack = Workspace(tmp_path / "workspace").stack("tokyo", told)
    stack.up()
    stack.preview(expect_no_changes=True)

    for name in told.names:
        deployment = case.get("apps/v1", "Deployment", name, told.namespace(name))
        assert deployment["status"]["readyReplicas"] == 1
    hook = case.get("batch/v1", "Job", f"{RELEASE}-hook", told.namespace(RELEASE))
    assert hook["status"]["succeeded"] == 1
    assert case.api.get("batch/v1", "Job", f"{CHART}-hook", told.namespace(CHART)) is None

    release = _values(case, told, RELEASE)
    assert (release["replicaCount"], release["imageRegistry"]) == (2, IMAGES)
    chart = _values(case, told, CHART)
    assert chart["replicas"] == 2
    assert chart["image"]["repository"] == f"{IMAGES}/descheduler/descheduler"
    (container,) = case.get("apps/v1", "Deployment", MANIFEST, told.namespace(MANIFEST))["spec"][
        "template"
    ]["spec"]["containers"]
    assert container["image"] == f"{IMAGES}/sig-storage/snapshot-controller:v8.6.0"

    stack.destroy()
    for name in told.names:
        assert case.api.get("apps/v1", "Deployment", name, told.namespace(name)) is None
    kinds = case.api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    groups = {each["spec"]["group"] for each in kinds}
    assert not groups & {"snapshot.storage.k8s.io", "cert-manager.io"}


def _values(case: Case, told: Installation, name: str) -> dict[str, Any]:
    stored = case.get("v1", "ConfigMap", f"{name}-values", told.namespace(name))
    found: dict[str, Any] = json.loads(stored["data"]["values.json"])
    return found


def test_a_mirror_lies_relative_to_the_project(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is found from where the project is, so that no machine's path gets into a state."""
    workspace = Workspace(tmp_path / "workspace")
    fixture_charts(workspace.project / "charts", RELEASE, CHART, MANIFEST)
    monkeypatch.chdir(workspace.project)  # where the engine runs the project's own program
    told = case.installation("relative", Mirror(charts="charts"))
    workspace.stack("tokyo", told).preview()


@pytest.mark.parametrize(("name", "kind"), [(RELEASE, "charts"), (MANIFEST, "manifests")])
def test_what_a_mirror_lacks_is_named(case: Case, tmp_path: Path, name: str, kind: str) -> None:
    """The file that is not there is named before anything is made; once it is there, it goes on."""
    told = case.installation(f"lacking-{kind}", fixture_charts(tmp_path / "charts", CHART))
    told.names = (name,)
    stack = Workspace(tmp_path / "workspace").stack("tokyo", told)
    text = refused(stack.up)
    file = entry(name).file if kind == "charts" else next(iter(entry(name).files))
    assert file in text
    assert f"federation:mirror says that it holds the {kind}" in " ".join(text.split())
    fixture_charts(tmp_path / "charts", name)
    stack.up()
    stack.destroy()


@pytest.mark.parametrize(("name", "value"), [(RELEASE, "replicaCount"), ("hcloud-csi", "node")])
def test_values_that_the_maker_refuses_are_not_installed(
    case: Case, tmp_path: Path, name: str, value: str
) -> None:
    """Helm judges values by the chart's own schema: of a chart in the preview, of a release in up.

    A release that was refused leaves no name behind that the next run would stumble over.
    """
    told = case.installation(f"refused-{name}", fixture_charts(tmp_path / "charts", name))
    told.names, told.values = (name,), {name: {value: "two"}}
    stack = Workspace(tmp_path / "workspace").stack("tokyo", told)
    assert value in refused(stack.up if name == RELEASE else stack.preview)
    told.values = {}
    stack.up()
    stack.destroy()


@pytest.mark.parametrize("name", [RELEASE, CHART, MANIFEST])
def test_a_repository_that_is_away_is_named(
    case: Case, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an entry cannot be read from its makers, the preview says from where it wanted to."""
    away = "http://127.0.0.1:9/charts"

    def moved(wanted: str) -> Entry:
        return entry(wanted).model_copy(update={"repository": away})

    monkeypatch.setattr(installing, "entry", moved)
    told = case.installation("away", None)
    told.names = (name,)
    assert away in refused(Workspace(tmp_path / "workspace").stack("tokyo", told).preview)
