"""``python -m placement facts --live`` on what the real Karmada collects from its members."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from lab import Lab
from lab.kubernetes import nodes
from placement import federation
from placement.__main__ import placement
from tests.karmada.federated import until


def test_members_are_as_declared_until_one_changes(lab: Lab, federation_file: Path) -> None:
    """The lab's own members differ in nothing; a node more in one is told with what it brings."""

    def told() -> list[dict[str, Any]]:
        arguments = ["facts", "--live", str(lab.kubeconfig()), "--for", str(federation_file)]
        done = CliRunner().invoke(placement, [*arguments, "--json"], standalone_mode=False)
        assert done.exception is None, done.output
        found: list[dict[str, Any]] = json.loads(done.output)["differences"]
        assert done.return_value == (2 if found else 0)
        return found

    assert until(lambda: told() == [])
    (first, *_) = nodes.nodes(federation.load(federation_file).cluster("m1"))
    first["metadata"]["name"] = "added"
    lab.api("m1").create(first)
    try:
        assert until(lambda: "nodes" in {each["fact"] for each in told()})
        changed = told()
    finally:
        lab.api("m1").delete("v1", "Node", "added")
    assert {each["cluster"] for each in changed} == {"m1"}
    assert {"nodes", "allocatable cpu"} <= {each["fact"] for each in changed}
    assert until(lambda: told() == [])
