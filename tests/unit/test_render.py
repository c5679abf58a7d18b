"""Rendered files: the same bytes each time, and nothing else in the folder touched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from placement.decision import Decision
from placement.emit import objects
from placement.faults import BadInputError
from placement.federation import Federation
from placement.plan import plan
from placement.render import MARK, render
from tests.unit.federations import cluster, federation, plain, workload, write

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def decided() -> tuple[Federation, Decision]:
    """Two workloads on one cluster."""
    given = federation([cluster("a")], [workload("w", 2), workload("v", 1)])
    return given, plan(given)


def test_the_files_are_the_objects(decided: tuple[Federation, Decision], tmp_path: Path) -> None:
    """One file an object, named after it, with the object as its content."""
    given, decision = decided
    paths = render(given, decision, tmp_path, tmp_path / "out")
    contents = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths]
    expected = list(objects(given, decision, tmp_path))
    assert sorted(map(str, contents)) == sorted(map(str, expected))
    assert [path.name for path in paths] == sorted(path.name for path in paths)


def test_stale_files_go_and_others_stay(
    decided: tuple[Federation, Decision], tmp_path: Path
) -> None:
    """A file of an earlier rendering goes; a user's own YAML and other files stay as they were."""
    given, decision = decided
    (tmp_path / "kustomization.yaml").write_text("resources: []\n")
    (tmp_path / "notes.txt").write_text("mine\n")
    stale = tmp_path / "default-propagationpolicy-gone.yaml"
    stale.write_text(f"{MARK}\nkind: PropagationPolicy\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "x.yaml").write_text(f"{MARK}\n")
    paths = render(given, decision, tmp_path, tmp_path)
    assert not stale.exists()
    assert (tmp_path / "kustomization.yaml").read_text() == "resources: []\n"
    assert {p.name for p in tmp_path.iterdir()} == {
        "kustomization.yaml",
        "notes.txt",
        "deeper",
        *(path.name for path in paths),
    }
    assert (tmp_path / "deeper" / "x.yaml").exists()


def test_a_file_of_someone_else_is_not_overwritten(
    decided: tuple[Federation, Decision], tmp_path: Path
) -> None:
    """A file of the name that is not ours is named, and nothing is written."""
    given, decision = decided
    first = render(given, decision, tmp_path, tmp_path / "out")[0]
    theirs = tmp_path / "mine" / first.name
    theirs.parent.mkdir()
    theirs.write_text("kind: Mine\n")
    with pytest.raises(BadInputError, match="not written by this program"):
        render(given, decision, tmp_path, theirs.parent)
    assert [p.name for p in theirs.parent.iterdir()] == [first.name]
    assert theirs.read_text() == "kind: Mine\n"


def test_a_file_in_the_place_of_the_folder(
    decided: tuple[Federation, Decision], tmp_path: Path
) -> None:
    """``--out`` that is a file is said so."""
    given, decision = decided
    (tmp_path / "out").write_text("x")
    with pytest.raises(BadInputError, match="--out: cannot be written: File exists"):
        render(given, decision, tmp_path, tmp_path / "out")


def test_same_bytes_in_any_process(tmp_path: Path) -> None:
    """Two processes with other hash seeds write the same bytes."""
    file = write(tmp_path / "f.yaml", plain([cluster("a")], [workload("w", 2), workload("v")]))
    contents = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        subprocess.run(
            [sys.executable, "-m", "placement", "render", str(file), "--out", str(out)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        contents.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert contents[0] == contents[1]
    policies = [name for name in contents[0] if name.startswith("default-propagationpolicy-")]
    assert len(policies) == 2
