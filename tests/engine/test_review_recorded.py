"""A review where no secret may be: on a record, without backend, passphrase and cluster."""

import pytest

from placement.faults import ExitCode
from tests.engine.case import Case, workload
from tests.engine.reviewing import needs_pack, reviewed
from tests.engine.test_engine_secrets import planted

pytestmark = needs_pack


def test_request_16_a_record_previews_as_the_stack_does(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same change on the record has the same digest, and the project is left as it was."""
    case.write(workload("web"), workload("cache", 8))
    case.stack().up()
    record = case.folder / "recorded.json"
    text = reviewed(case, monkeypatch, "record", "--stack", "federation").text
    assert not any(secret in text for secret in planted(case.server.kubeconfig))
    record.write_text(text, "utf-8")
    case.write(workload("web", 8), workload("new"))
    real = reviewed(case, monkeypatch, "--stack", "federation")
    files = {p.name: p.read_bytes() for p in case.workspace.project.glob("*.yaml")}

    for name in ("PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"):
        case.workspace.environment[name] = "file:///nowhere"
    found = reviewed(case, monkeypatch, "--stack", "federation", "--recorded", str(record))
    assert found.code == ExitCode.CHANGES
    assert found.document == real.document
    assert found.text == real.text
    assert {p.name: p.read_bytes() for p in case.workspace.project.glob("*.yaml")} == files


def test_a_stack_with_secret_settings_is_refused(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its passphrase opens them: that is said, with the line."""
    record = case.folder / "recorded.json"
    record.write_text('{"schema": "federation/recorded/v1", "stacks": {"tokyo": {}}}', "utf-8")
    found = reviewed(case, monkeypatch, "--stack", "tokyo", "--recorded", str(record))
    assert found.code == ExitCode.BAD_INPUT
    assert "Pulumi.tokyo.yaml:" in found.log
    assert "secure: read a secret; allowed settings in clear" in found.log
    found = reviewed(case, monkeypatch, "--stack", "federation", "--recorded", str(record))
    assert "stacks: read no federation; allowed tokyo" in found.log
