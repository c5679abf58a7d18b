"""The tools: pinned, built whole or not at all, and taken from the PATH only where they will do."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.tools import __main__ as command
from lab.tools import build as builder
from lab.tools import catalogue, find
from lab.tools.catalogue import TOOLS, Tool
from placement.faults import FederationError

ETCD = catalogue.tool("etcd")
BUILDS = 'while [ $# -gt 0 ]; do [ "$1" != -o ] || cp /bin/true "$2"; shift; done'
"""A Go command, in shell, that builds at once."""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the pins, free to be changed."""
    copy = tmp_path / "modules"
    for name in {tool.module for tool in TOOLS}:
        shutil.copytree(catalogue.MODULES / name, copy / name)
    monkeypatch.setattr(catalogue, "MODULES", copy)
    return copy


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH, but for the shell's own."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return folder


def program(file: Path, text: str) -> None:
    """Put a shell script at *file*."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)


def put(root: Path, tool: Tool, pin: str) -> None:
    """Put a binary of *tool* with its *pin* where built ones are."""
    program(root / "bin" / tool.name, "exit 0")
    find.pin_file(tool, root).write_text(pin + "\n", "utf-8")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_pinned_with_all_its_sums(tool: Tool) -> None:
    """Each tool has a version, a Go release and checksums in its folder, and stamps for them."""
    assert (tool.folder / "go.sum").stat().st_size > 0
    assert tool.version[0].isdigit()
    assert tool.go.startswith("1.")
    assert "-mod=readonly" in tool.flags
    assert not any("{" in flag for flag in tool.flags)


def test_the_command_line_of_pulumi_is_stamped() -> None:
    """The Automation API refuses a command line that does not know its version."""
    pulumi = catalogue.tool("pulumi")
    assert f"sdk/v3/go/common/version.Version=v{pulumi.version}" in pulumi.flags[-1]


@pytest.mark.parametrize("file", ["go.mod", "go.sum"])
def test_a_changed_pin_asks_for_a_new_build(modules: Path, tmp_path: Path, file: str) -> None:
    """A binary counts as built only while the files that pin it are those it was built from."""
    put(tmp_path, ETCD, find.pin(ETCD))
    assert find.built(ETCD, tmp_path) is not None
    with (modules / "etcd" / file).open("a", encoding="utf-8") as pinned:
        pinned.write("\n")
    assert find.built(ETCD, tmp_path) is None


def test_a_changed_source_asks_for_a_new_build(modules: Path) -> None:
    """The provider's own main.go is part of its pin."""
    provider = catalogue.tool("pulumi-resource-kubernetes")
    before = find.pin(provider)
    with (modules / "provider" / "main.go").open("a", encoding="utf-8") as source:
        source.write("\n")
    assert find.pin(provider) != before


def test_tools_of_one_module_have_pins_of_their_own() -> None:
    """Two binaries from one module are not taken for each other."""
    pins = {find.pin(tool) for tool in TOOLS}
    assert len(pins) == len(TOOLS)


def test_a_binary_without_a_pin_is_not_built(tmp_path: Path) -> None:
    """A binary whose origin is unknown, as after a crash between two renames, is built again."""
    program(tmp_path / "bin" / "etcd", "exit 0")
    assert find.built(ETCD, tmp_path) is None


@pytest.mark.parametrize(
    ("version", "will_do"),
    [
        ("3.6.13", True),
        ("3.6.0", True),
        ("3.7.1", True),
        ("3.5.21", False),
        ("4.0.0", False),
        ("unknown", False),
    ],
)
def test_the_path_serves_the_same_or_a_newer_minor_release(
    programs: Path, tmp_path: Path, version: str, will_do: bool
) -> None:
    """A tool on the PATH is taken if its major is the pinned one and its minor is not older."""
    program(programs / "etcd", f"echo etcd Version: {version}; echo Go Version: go1.99.0")
    found = find.on_path(ETCD, tmp_path)
    assert (found is not None) is will_do
    if found is not None:
        assert (found.version, found.source) == (version, "path")


def test_our_own_folder_on_the_path_does_not_count(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A binary of an old pin does not come back through the PATH."""
    program(tmp_path / "bin" / "etcd", "echo etcd Version: 3.6.13")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{programs}{os.pathsep}/bin")
    assert find.on_path(ETCD, tmp_path) is None


def test_a_missing_tool_says_what_to_run(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for a tool that is not there is told the command that makes it."""
    assert not list(programs.iterdir())
    monkeypatch.setattr(find, "built", lambda *_: None)
    with pytest.raises(FederationError, match=r"etcd 3\.\d+\.\d+ is not there: run `make tools`"):
        find.path("etcd")
    assert not (tmp_path / "bin").exists()


def test_a_build_puts_binary_and_pin(programs: Path, tmp_path: Path) -> None:
    """A build leaves an executable with the present pin, and nothing else."""
    program(programs / "go", BUILDS)
    found = builder.build(ETCD, tmp_path, lambda: None)
    assert found == find.built(ETCD, tmp_path)
    assert found.path.stat().st_mode & stat.S_IXUSR
    assert {file.name for file in (tmp_path / "bin").iterdir()} == {"etcd", "etcd.pin"}


def test_a_failed_build_shows_the_end_of_its_log(programs: Path, tmp_path: Path) -> None:
    """A build that fails leaves the old binary, and tells the reason and where the log is."""
    put(tmp_path, ETCD, "old")
    program(programs / "go", "echo no space left on device; exit 2")
    with pytest.raises(FederationError, match="no space left on device") as told:
        builder.build(ETCD, tmp_path, lambda: None)
    assert str(tmp_path / "logs" / "etcd.log") in str(told.value)
    assert {file.name for file in (tmp_path / "bin").iterdir()} == {"etcd", "etcd.pin"}


def test_an_interrupted_build_leaves_nothing(programs: Path, tmp_path: Path) -> None:
    """A Ctrl-C ends the build and leaves no half binary."""
    program(
        programs / "go",
        f'echo $$ > {tmp_path}/pid; while [ "$1" != -o ]; do shift; done; : > "$2"; exec sleep 60',
    )

    def interrupted() -> None:
        if list((tmp_path / "bin").iterdir()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        builder.build(ETCD, tmp_path, interrupted)
    assert not list((tmp_path / "bin").iterdir())
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text('utf-8').strip()}").exists()


def test_an_old_go_is_told_with_the_one_that_is_needed(programs: Path) -> None:
    """A Go release that cannot build is named beside the oldest that can, before any build."""
    program(programs / "go", "echo go1.19.8")
    needed = catalogue.tool("pulumi").go
    with pytest.raises(FederationError, match=rf"release 1\.19\.8; .*need Go {needed} or newer"):
        builder.check_go(TOOLS)


def test_a_newer_go_will_do(programs: Path) -> None:
    """Releases are compared by number: 1.100 is newer than 1.26."""
    program(programs / "go", "echo go1.100.0")
    builder.check_go(TOOLS)


def test_a_missing_go_is_told(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Go the message says what to install."""
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(FederationError, match="go is not on the PATH; the tools need Go"):
        builder.check_go(TOOLS)


def test_the_command_builds_once_and_tells_what_is_where(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run tells estimate and time of each build, the second builds nothing."""
    program(programs / "go", f"{BUILDS}; echo go1.100.0")
    monkeypatch.setattr(command, "TOOLS", (ETCD,))
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "find", lambda tool: find.find(tool, tmp_path))

    first = CliRunner().invoke(command.main, ["--json"], catch_exceptions=False)
    assert json.loads(first.stdout) == [
        {
            "tool": "etcd",
            "path": str(tmp_path / "bin" / "etcd"),
            "version": ETCD.version,
            "source": "built",
        }
    ]
    assert f"building etcd {ETCD.version}: about {ETCD.seconds} s" in first.stderr
    assert f"built etcd {ETCD.version} in 0 s" in first.stderr

    (programs / "go").unlink()
    second = CliRunner().invoke(command.main, ["--json"], catch_exceptions=False)
    assert second.stdout == first.stdout
    assert second.stderr == ""
