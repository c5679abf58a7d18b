"""Manifests: their files read, checked, and put into a namespace."""

import hashlib
from pathlib import Path

import pytest
import yaml

from components.catalogue import Entry, entry
from components.catalogue.manifest import documents
from components.settings import Mirror
from placement.faults import FederationError
from tests.unit.catalogue.publisher import Publisher

TEXT = """\
kind: ClusterRoleBinding
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: reads}
subjects:
- {kind: ServiceAccount, name: controller}
- {kind: ServiceAccount, name: other, namespace: elsewhere}
- {kind: Group, name: people}
---
---
kind: ServiceAccount
apiVersion: v1
metadata: {name: controller}
---
kind: Role
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: reads, namespace: kube-system}
"""


def _manifest(publisher: Publisher, text: str = TEXT) -> Entry:
    """An entry of one published file, pinned as ``TEXT``."""
    publisher.answers["/all.yaml"] = text
    changes = {
        "repository": publisher.address,
        "files": {"all.yaml": hashlib.sha256(TEXT.encode()).hexdigest()},
    }
    return entry("snapshot-controller").model_copy(update=changes)


def test_objects_without_a_namespace_get_one(publisher: Publisher) -> None:
    """So do the accounts that are bound; kinds of the cluster have none, others keep their own."""
    binding, account, role = documents(_manifest(publisher), "storage", None)
    assert "namespace" not in binding["metadata"]
    assert [each.get("namespace") for each in binding["subjects"]] == ["storage", "elsewhere", None]
    assert account["metadata"] == {"name": "controller", "namespace": "storage"}
    assert role["metadata"]["namespace"] == "kube-system"


def test_other_bytes_under_a_version_are_refused(publisher: Publisher) -> None:
    """What comes over the network has the digest of the catalogue, or is not taken."""
    with pytest.raises(FederationError, match="published under this version has changed"):
        documents(_manifest(publisher, f"{TEXT}# one byte more"), "storage", None)


def test_a_mirror_is_read_in_place_of_the_network(publisher: Publisher, tmp_path: Path) -> None:
    """A folder under the entry's name and version has its files; nothing is asked of the maker."""
    wanted = _manifest(publisher)
    del publisher.answers["/all.yaml"]
    folder = tmp_path / f"{wanted.name}-{wanted.version}"
    folder.mkdir()
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "own"}}
    (folder / "all.yaml").write_text(yaml.safe_dump(account), "utf-8")
    for mirror in (
        Mirror(charts=str(tmp_path)),
        Mirror(charts="oci://registry.example/charts", manifests=str(tmp_path)),
    ):
        (found,) = documents(wanted, "storage", mirror)
        assert found["metadata"]["name"] == "own"


def test_a_file_that_cannot_be_read_is_named(publisher: Publisher, tmp_path: Path) -> None:
    """Missing with its maker, missing in the mirror: each names the file and the way out."""
    wanted = _manifest(publisher)
    del publisher.answers["/all.yaml"]
    with pytest.raises(FederationError, match=r"/all.yaml: cannot be read .* federation:mirror"):
        documents(wanted, "storage", None)
    with pytest.raises(FederationError, match=r"all.yaml: cannot be read .* copy http://127"):
        documents(wanted, "storage", Mirror(charts=str(tmp_path)))
