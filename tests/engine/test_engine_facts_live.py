"""``python -m placement facts --live`` against an API server that answers."""

import json
from pathlib import Path

import yaml
from click.testing import CliRunner, Result

from placement.__main__ import placement
from placement.faults import BadInputError, FederationError
from tests.engine.case import CLUSTERS, Server, cluster, workload, write_federation


def _file(folder: Path) -> Path:
    """The federation that the lab of the engine tests was made from."""
    return write_federation(
        folder / "federation.yaml", [cluster(each) for each in CLUSTERS], workload("any")
    )


def _run(kubeconfig: Path, file: Path, *more: str) -> Result:
    arguments = ["facts", "--live", str(kubeconfig), "--for", str(file), *more]
    return CliRunner().invoke(placement, arguments, standalone_mode=False)


def test_live_members_are_held_against_the_file(server: Server, tmp_path: Path) -> None:
    """As declared: exit code 0, with the server's time; a lost member and a taint: 2, and both."""
    kubeconfig = tmp_path / "kubeconfig.yaml"
    kubeconfig.write_text(server.kubeconfig, "utf-8")
    file = _file(tmp_path)
    same = _run(kubeconfig, file)
    assert same.return_value == 0, same.output
    assert "as declared" in same.output
    server.set_ready("late", ready=False)
    server.taint("late", {"key": "maintenance", "effect": "NoSchedule"})
    try:
        differs = _run(kubeconfig, file, "--json")
    finally:
        server.taint("late")
        server.set_ready("late", ready=True)
    assert differs.return_value == 2
    found = json.loads(differs.output)
    assert found["time"].endswith("Z")
    assert found["source"].startswith("https://127.0.0.1")
    assert [(d["cluster"], d["fact"]) for d in found["differences"]] == [
        ("late", "ready"),
        ("late", "taints"),
    ]


def test_an_api_that_does_not_answer_is_a_failure(server: Server, tmp_path: Path) -> None:
    """The address is named, and nothing of the credentials is."""
    content = yaml.safe_load(server.kubeconfig)
    content["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:1"
    kubeconfig = tmp_path / "kubeconfig.yaml"
    kubeconfig.write_text(yaml.safe_dump(content), "utf-8")
    gone = _run(kubeconfig, _file(tmp_path))
    assert isinstance(gone.exception, FederationError)
    assert str(gone.exception).startswith("https://127.0.0.1:1 does not answer")


def test_a_file_that_is_no_kubeconfig_is_bad_input(tmp_path: Path) -> None:
    """The file is named."""
    file = _file(tmp_path)
    wrong = _run(file, file)
    assert isinstance(wrong.exception, BadInputError)
    assert str(wrong.exception).startswith(f"{file} --live: cannot be used")
