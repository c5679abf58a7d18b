"""The rehearsal of the carrier on the real Karmada: each of its API servers killed in turn."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from drill.__main__ import main
from lab.karmada import installation
from placement.faults import ExitCode
from tests.built import skip_without

pytestmark = pytest.mark.prove


def test_no_call_fails_while_an_api_server_is_gone(tmp_path: Path) -> None:
    """No call fails and no write is lost; some calls do meet the server that is gone."""
    if installation.find() is None:
        pytest.skip("KARMADA_DIR is not set: no real Karmada to rehearse on")
    skip_without("etcd", "kube-apiserver", "kube-controller-manager")
    file = tmp_path / "carrier-ha.json"
    done = CliRunner().invoke(
        main,
        ["carrier", "--part", "karmada-apiserver", "--output", str(file)],
        standalone_mode=False,
    )
    assert done.return_value is ExitCode.DONE, done.output
    before, *kills = json.loads(file.read_text("utf-8"))["kills"]["kills"]
    assert before["killed"] == "nothing"
    assert [kill["killed"] for kill in kills] == [f"karmada-apiserver-{n}" for n in range(3)]
    assert all(kill["calls"] > 400 for kill in kills)
    assert all(kill["movedOn"] > 0 for kill in kills)
    assert not before["movedOn"]
