"""The order of stacks, from their files."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from placement.faults import BadInputError
from stacks.graph import chosen, load


def _write(folder: Path, name: str, environment: str | None = None, **reads: Any) -> None:
    config = {"federation:plane": name, "federation:stacks": reads}
    if environment is not None:
        config["federation:environment"] = environment
    (folder / f"Pulumi.{name}.yaml").write_text(yaml.safe_dump({"config": config}), "utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of four stacks whose names sort against their order."""
    (tmp_path / "Pulumi.yaml").write_text("name: federation\n", "utf-8")
    _write(tmp_path, "a-federation", carrier="z-tokyo", compute=["newyork", "b-nuremberg"])
    _write(tmp_path, "b-nuremberg", carrier="z-tokyo")
    _write(tmp_path, "newyork", carrier="z-tokyo")
    _write(tmp_path, "z-tokyo")
    return tmp_path


def _names(project: Path, *names: str, environment: str | None = None) -> list[str]:
    return [stack.name for stack in chosen(load(project), names, environment)]


def test_each_comes_after_what_it_reads(project: Path) -> None:
    """The carrier is first and the federation last, whatever their names."""
    assert _names(project) == ["z-tokyo", "b-nuremberg", "newyork", "a-federation"]


def test_names_are_taken_alone_and_in_order(project: Path) -> None:
    """Stacks that are named run alone, in the order of what they read and not of the words."""
    assert _names(project, "a-federation", "newyork") == ["newyork", "a-federation"]


def test_environments_never_mix(project: Path) -> None:
    """With two environments one must be chosen; the other's stacks are left alone."""
    _write(project, "staging-tokyo", "staging")
    with pytest.raises(BadInputError, match="allowed one of production, staging"):
        _names(project)
    assert _names(project, environment="staging") == ["staging-tokyo"]
    assert "staging-tokyo" not in _names(project, environment="production")


@pytest.mark.parametrize(
    ("names", "environment", "said"),
    [
        (("tokio",), None, "read 'tokio'; allowed a-federation, b-nuremberg, newyork, z-tokyo"),
        ((), "test", "read 'test'; allowed production"),
    ],
)
def test_unknown_names_are_said(
    project: Path, names: tuple[str, ...], environment: str | None, said: str
) -> None:
    """A word that is no stack or environment is named, with what is allowed."""
    with pytest.raises(BadInputError, match=said):
        _names(project, *names, environment=environment)


def test_circle_is_named(project: Path) -> None:
    """Stacks that read each other have no order: the circle is said."""
    _write(project, "z-tokyo", carrier="newyork")
    with pytest.raises(
        BadInputError,
        match=r"newyork reads z-tokyo reads newyork|z-tokyo reads newyork reads z-tokyo",
    ):
        _names(project)


def test_stack_without_a_file_is_read_all_the_same(project: Path) -> None:
    """What a stack reads may lie elsewhere: it is no part of the order, and no error."""
    _write(project, "newyork", carrier="elsewhere")
    assert _names(project, "newyork") == ["newyork"]


@pytest.mark.parametrize("config", [["a"], {"federation:stacks": ["tokyo"]}])
def test_a_list_in_the_place_of_keys_is_named(tmp_path: Path, config: Any) -> None:
    """A stack file whose configuration, or whose other stacks, are no mapping is a fault of it."""
    (tmp_path / "Pulumi.x.yaml").write_text(yaml.safe_dump({"config": config}), "utf-8")
    with pytest.raises(BadInputError, match=r"Pulumi\.x\.yaml:1 config: read no mapping"):
        load(tmp_path)


def test_folder_without_stacks_is_no_project(tmp_path: Path) -> None:
    """The folder is named where it holds no stack."""
    with pytest.raises(BadInputError, match=tmp_path.name):
        load(tmp_path)
