"""A lab's life, with the real programs: up, hurt, mended, down; nothing is left over."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import yaml
from click.testing import CliRunner

from lab import Lab
from lab.__main__ import main
from lab.kubernetes import control_plane
from lab.plan import Plan, ports
from lab.processes import control, state
from lab.processes.state import Running, State
from lab.shape import Shape
from placement import federation
from placement.faults import BadInputError, FederationError
from tests.built import missing

FEDERATION = Path(__file__).parents[2] / "examples" / "global.yaml"
MISSING = missing("etcd", "kube-apiserver", "kube-controller-manager")
needs_tools = pytest.mark.skipif(
    bool(MISSING), reason=f"not built: {', '.join(MISSING)} (run `make tools`)"
)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A lab without Karmada that is not up yet, and is down in the end."""
    monkeypatch.delenv("KARMADA_DIR", raising=False)
    with Lab(tmp_path, "life") as lab:
        yield lab


def remembered(root: Path, name: str = "life") -> State:
    """What the lab *name* remembers."""
    known = state.load(root / name / "state.json")
    assert known is not None
    return known


def running(root: Path) -> dict[str, Running]:
    """Each process of the lab, by name."""
    return {process.name: process for process in remembered(root).processes}


def living(*known: Running) -> list[str]:
    """The names of those that still live; pids alone would not do, the system gives them away."""
    return [process.name for process in known if control.find(process) is not None]


def clusters(lab: Lab) -> list[str]:
    """The names of the ready clusters on the lab's Karmada API."""
    return [
        item["metadata"]["name"]
        for item in lab.api().list("cluster.karmada.io/v1alpha1", "Cluster")
        if any(c["type"] == "Ready" and c["status"] == "True" for c in item["status"]["conditions"])
    ]


@needs_tools
def test_up_serves_mends_and_down_leaves_nothing(lab: Lab, tmp_path: Path) -> None:
    """A lab serves its clusters; `up` replaces a dead process alone; `down` leaves no process."""
    lab.up(FEDERATION)
    assert [row.alive for row in lab.status()] == [True, True, True]
    wanted = [cluster.name for cluster in federation.load(FEDERATION).clusters]
    assert clusters(lab) == sorted(wanted)
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
    assert clusters(lab) == sorted(wanted)

    assert lab.down()
    assert living(*first.values(), *second.values()) == []
    assert not (tmp_path / "life").exists()


@needs_tools
def test_three_of_each_part_outlive_one(lab: Lab, tmp_path: Path) -> None:
    """Without one etcd member, API server and balancer the API goes on; `up` mends them.

    A later `up` needs no option: a lab stays what it is.
    """
    lab.up(FEDERATION, high_availability=True)
    wanted = clusters(lab)
    gone = ["etcd-1", "karmada-apiserver-1", "load-balancer-1"]
    before = running(tmp_path)
    for name in gone:
        killed = psutil.Process(before[name].pid)
        killed.kill()
        killed.wait(10)
    assert [row.name for row in lab.status() if not row.alive] == gone
    assert clusters(lab) == wanted
    metadata = {"name": "goes-on", "namespace": "default"}
    lab.api().apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    lab.up(FEDERATION)
    assert [row.name for row in lab.status() if not row.alive] == []
    mended = lab.api("karmada-1").get("v1", "ConfigMap", *metadata.values())
    assert mended is not None


def test_members_that_the_file_no_longer_has_are_named(lab: Lab, tmp_path: Path) -> None:
    """A lab keeps its members: a federation file without them is refused before any process."""
    folder = tmp_path / "life"
    folder.mkdir()
    state.save(State("life", shape=Shape(members=("gone",))), folder / "state.json")
    with pytest.raises(BadInputError, match="read gone; allowed all, none or of destroyer-newyork"):
        lab.up(FEDERATION)


@needs_tools
def test_two_labs_do_not_meet(
    lab: Lab, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Labs side by side share no port and no data; the end of one leaves the other as it is."""
    file = tmp_path_factory.mktemp("other") / "federation.yaml"
    cluster = yaml.safe_load(FEDERATION.read_text("utf-8"))["clusters"][0]
    file.write_text(
        yaml.safe_dump(
            {"apiVersion": "federation/v1alpha1", "clusters": [cluster], "workloads": []}
        ),
        "utf-8",
    )
    lab.up(FEDERATION)
    with Lab(tmp_path, "other") as other:
        other.up(file)
        ports, others = (set(remembered(tmp_path, n).ports.values()) for n in ("life", "other"))
        assert ports.isdisjoint(others)
        assert len(clusters(lab)) > 1
        assert clusters(other) == [cluster["name"]]
    assert [row.alive for row in lab.status()] == [True, True, True]
    assert len(clusters(lab)) > 1


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
        patch.setattr(Plan, "_apply_clusters", interrupted)
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
    # As if it could clean up nothing.
    monkeypatch.setattr("lab.lifecycle.stop", lambda *_, **__: None)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.processes.control.wait_ready", killed)
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
        base = port - len(ports(Shape())) + 1
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
