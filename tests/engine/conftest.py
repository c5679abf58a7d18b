"""The labs of the engine tests, and a project for each test."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import Lab
from lab.engine import Workspace
from tests.built import skip_without
from tests.engine.case import CLUSTERS, Case, Server, cluster, copied, workload, write_federation

NEEDED = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "pulumi",
    "pulumi-resource-kubernetes",
)


def _lab(root: Path, name: str) -> Iterator[Server]:
    """An API server; where the engine, its provider or the server are not there, a skip."""
    skip_without(*NEEDED)
    file = root / f"{name}.yaml"
    write_federation(file, [cluster(each) for each in CLUSTERS], workload("any"))
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", name) as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # members that answer take longer than a test
        lab.up(file)
        yield Server(lab, root / f"{name}.discovery")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An API server with the members east, west and late; each test has its own namespace."""
    yield from _lab(tmp_path_factory.mktemp("lab"), "engine")


@pytest.fixture(scope="session")
def fresh_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A second API server, into which nothing has been written."""
    yield from _lab(tmp_path_factory.mktemp("lab"), "fresh")


@pytest.fixture(scope="session")
def base(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose stack ``tokyo`` is up; to be copied, not used."""
    folder = tmp_path_factory.mktemp("base") / "workspace"
    workspace = Workspace(folder)
    tokyo = workspace.stack("tokyo")
    workspace.set_secret("tokyo", "federation:kubeconfig", server.kubeconfig)
    tokyo.up()
    return folder


@pytest.fixture
def case(base: Path, server: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Case:
    """A project with a federation stack that has never been up, and a namespace of its own."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.removeprefix("test_").lower())
    made = Case(copied(base, tmp_path / "workspace"), server, name[:50].strip("-"))
    server.make_namespace(made.namespace)
    made.configure()
    made.write(workload("web"))
    return made
