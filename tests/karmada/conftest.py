"""One lab with the real Karmada and four bare members for most tests in this folder.

Each test has a namespace of its own; what needs another lab brings it up itself. Where
``KARMADA_DIR`` names no Karmada, or the lab's tools are not built, every test is skipped with that
reason.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from lab import Lab
from lab.karmada import installation
from tests.built import skip_without
from tests.karmada.federated import FEDERATION, Federated

_TOOLS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "pulumi",
    "pulumi-resource-kubernetes",
)
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def federation_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The federation file of the members ``m1`` to ``m4``."""
    file = tmp_path_factory.mktemp("federation") / "federation.yaml"
    file.write_text(yaml.safe_dump(FEDERATION), "utf-8")
    return file


@pytest.fixture(scope="session")
def real() -> installation.Installation:
    """The real Karmada; a skip where it or the lab's tools are missing."""
    found = installation.find()
    if found is None:
        pytest.skip("KARMADA_DIR is not set: no real Karmada to compare with")
    skip_without(*_TOOLS)
    return found


@pytest.fixture(scope="session")
def lab(
    tmp_path_factory: pytest.TempPathFactory,
    federation_file: Path,
    real: installation.Installation,  # noqa: ARG001 - no lab without it
) -> Iterator[Lab]:
    """The lab, up; it is taken down after the last test."""
    with Lab(tmp_path_factory.mktemp("lab"), "karmada") as lab:
        lab.up(federation_file, members="all", bare=True)
        yield lab


@pytest.fixture
def federated(lab: Lab) -> Iterator[Federated]:
    """The federation as a user of one namespace sees it; its clusters are untouched at the end."""
    federated = Federated(lab.api(), f"test-{next(_numbers)}")
    federated.make_namespace()
    yield federated
    federated.clean()
