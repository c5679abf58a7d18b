"""A lab's life, with the real programs: up, hurt, mended, down; nothing is left over."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from lab import Lab, access, control_plane, objects, pki, processes, state
from lab.__main__ import main
from lab.state import Running
from lab.tools import catalogue, find
from placement.faults import BadInputError, FederationError

FEDERATION = Path(__file__).parents[2] / "examples" / "global.yaml"
CLUSTERS = "/apis/cluster.karmada.io/v1alpha1/clusters"
MISSING = [
    name
    for name in ("etcd", "kube-apiserver", "kube-controller-manager")
    if find.find(catalogue.tool(name)) is None
]
needs_tools = pytest.mark.skipif(
    bool(MISSING), reason=f"not built: {', '.join(MISSING)} (run `make tools`)"
)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A lab that is not up yet, and is down in the end."""
    with Lab(tmp_path, "life") as lab:
        yield lab


def remembered(root: Path, name: str = "life") -> state.State:
    """What the lab *name* remembers."""
    known = state.load(root / name / "state.json")
    assert known is not None
    return known


def running(root: Path) -> dict[str, Running]:
    """Each process of the lab, by name."""
    return {process.name: process for process in remembered(root).processes}


def living(*known: Running) -> list[str]:
    """The names of those that still live; pids alone would not do, the system gives them away."""
    return [process.name for process in known if processes.find(process) is not None]


def clusters(root: Path) -> list[str]:
    """The names of the ready clusters on the lab's Karmada API."""
    tls = access.context(pki.Pki(root / "life" / "pki"))
    api = access.Api(control_plane.server(remembered(root).ports), tls)
    return [
        item["metadata"]["name"]
        for item in api.get(CLUSTERS)["items"]
        if any(c["type"] == "Ready" and c["status"] == "True" for c in item["status"]["conditions"])
    ]


@needs_tools
def test_up_serves_mends_and_down_leaves_nothing(lab: Lab, tmp_path: Path) -> None:
    """A lab serves its clusters; `up` replaces a dead process alone; `down` leaves no process."""
    lab.up(FEDERATION)
    assert [row.alive for row in lab.status()] == [True, True, True]
    wanted = [
        member.manifest["metadata"]["name"] for member in objects.of_federation(FEDERATION).members
    ]
    assert clusters(tmp_path) == sorted(wanted)
    first, ports = running(tmp_path), remembered(tmp_path).ports

    killed = psutil.Process(first["karmada-apiserver"].pid)
    killed.kill()
    killed.wait(10)
    assert [row.name for row in lab.status() if not row.alive] == ["karmada-apiserver"]
    shown = CliRunner().invoke(
        main, ["status", "--root", str(tmp_path), "--name", "life", "--json"]
    )
    assert [row["alive"] for row in json.loads(shown.output)] == [True, False, True]

    lab.up(FEDERATION)
    second = running(tmp_path)
    assert second["karmada-apiserver"] != first["karmada-apiserver"]
    assert second["etcd"] == first["etcd"]
    assert remembered(tmp_path).ports == ports
    assert clusters(tmp_path) == sorted(wanted)

    assert lab.down()
    assert living(*first.values(), *second.values()) == []
    assert not (tmp_path / "life").exists()


@needs_tools
def test_an_interrupted_up_ends_what_it_started(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Ctrl-C in the middle leaves no process, and the next `up` begins from there."""
    seen: dict[str, Running] = {}

    def interrupted(*_: object) -> None:
        seen.update(running(tmp_path))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(objects, "apply", interrupted)
        with pytest.raises(KeyboardInterrupt):
            lab.up(FEDERATION)
    assert set(seen) == set(control_plane.PROCESSES)
    assert living(*seen.values()) == []
    assert running(tmp_path) == {}


@needs_tools
def test_a_crashed_up_is_cleaned_by_down(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Had `up` been killed while it waited, `down` still knows and ends what it had started."""
    monkeypatch.setattr(Lab, "_stop", lambda *_: None)  # as if it could clean up nothing

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.processes.wait_ready", killed)
    with pytest.raises(KeyboardInterrupt):
        lab.up(FEDERATION)
    (etcd,) = running(tmp_path).values()
    assert living(etcd) == ["etcd"]
    monkeypatch.undo()
    lab.down()
    assert living(etcd) == []


@needs_tools
def test_a_taken_port_leaves_nothing_half_started(lab: Lab, tmp_path: Path) -> None:
    """With a fixed port in use, `up` names it and starts nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        base = port - len(control_plane.PORTS) + 1
        with pytest.raises(FederationError, match=f"port {port} is in use"):
            lab.up(FEDERATION, port_base=base)
    assert not (tmp_path / "life").exists()


def test_a_wrong_federation_file_starts_nothing(lab: Lab, tmp_path: Path) -> None:
    """A federation file that is wrong is refused before the first process."""
    file = tmp_path / "wrong.yaml"
    file.write_text("apiVersion: federation/v1alpha1\nclusters: []\n", "utf-8")
    with pytest.raises(BadInputError):
        lab.up(file)
    assert not (tmp_path / "life").exists()


@pytest.mark.parametrize("name", ["", "..", "../x", "Upper", "-x", "a/b", "a" * 64])
def test_a_name_that_is_no_folder_is_refused(tmp_path: Path, name: str) -> None:
    """A lab's name can never lead out of the folder of labs."""
    with pytest.raises(BadInputError, match="lab name: read"):
        Lab(tmp_path, name)


def test_a_lab_that_never_was(lab: Lab) -> None:
    """`status` says how to make one; `down` has nothing to do, and that is no error."""
    with pytest.raises(FederationError, match="there is no lab 'life'"):
        lab.status()
    assert not lab.down()
