"""What is kept out of every text."""

import base64
import json
from datetime import date
from pathlib import Path

import pytest
import yaml

from placement.faults import BadInputError, FederationError
from review.changes import read
from review.digest import digest
from review.engine import Run
from review.markdown import markdown
from review.record import NOWHERE, SCHEMA, recorded, without_secrets
from review.secrets import Secrets
from tests.unit.review.made import said

TOKEN = "planted-token-3f9c1e"
KEY = "-----BEGIN PRIVATE KEY-----\nplanted-line-one\nplanted-line-two\n-----END PRIVATE KEY-----"
ENCODED = base64.b64encode(KEY.encode()).decode()
KUBECONFIG = yaml.safe_dump(
    {
        "current-context": "kubernetes",
        "users": [{"user": {"token": TOKEN, "client-key-data": ENCODED}}],
    }
)


@pytest.mark.parametrize("value", [TOKEN, KUBECONFIG, {"kubeconfigs": {"karmada": KUBECONFIG}}])
def test_a_secret_is_replaced_wherever_it_stands(value: object) -> None:
    """A text, a credential inside a kubeconfig, one inside an object: the token is not seen."""
    secrets = Secrets()
    secrets.learn(value)
    assert secrets.without(f"refused {TOKEN}!") == "refused [secret]!"


def test_the_lines_of_a_secret_are_secret() -> None:
    """A message may quote a line of a key, which stands in base64 in a kubeconfig."""
    secrets = Secrets()
    secrets.learn(KUBECONFIG)
    assert "planted-line" not in secrets.without("bad PEM near planted-line-two")


def test_words_of_a_kubeconfig_that_open_nothing_stay() -> None:
    """A message stays readable: names of contexts and clusters are no secrets."""
    secrets = Secrets()
    secrets.learn(KUBECONFIG)
    text = "the kubernetes provider answers 404"
    assert secrets.without(text) == text


@pytest.mark.parametrize("cause", [None, FederationError(f"bad kubeconfig: {TOKEN}")])
def test_no_error_in_a_digest_holds_a_secret(cause: FederationError | None) -> None:
    """Whether the engine or the program says it, text and JSON have the mark in its place."""
    run = Run(events=[said(f"provider: cannot use {TOKEN}")], failed="preview failed", cause=cause)
    run.secrets.learn(TOKEN)
    found = digest("federation", run, read(run.events), date(2026, 11, 30))
    assert found.outcome == "failure"
    for text in (markdown(found), found.json()):
        assert TOKEN not in text
        assert "[secret]" in text


def test_a_record_keeps_the_shape_of_a_secret_and_nothing_else() -> None:
    """Keys, schemas and numbers of items stay; every text becomes a kubeconfig of nowhere."""
    mark = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
    inner = {"schema": "federation/access/v1", "kubeconfigs": {"karmada": KUBECONFIG}, "n": 5}
    state = {
        "secrets_providers": {"state": {"salt": TOKEN}},
        "resources": [{"outputs": {"access": {**mark, "plaintext": json.dumps(inner)}}}],
    }
    kept = without_secrets(state)
    assert "planted" not in json.dumps(kept)
    plain = json.loads(kept["resources"][0]["outputs"]["access"]["plaintext"])
    assert plain == {
        "schema": "federation/access/v1",
        "kubeconfigs": {"karmada": NOWHERE},
        "n": 0,
    }


@pytest.mark.parametrize("layout", ["{secure: v1:x}", "\n    secure: v1:x", '{"secure": "v1:x"}'])
def test_a_secret_setting_is_found_in_any_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str
) -> None:
    """A stack file that holds a secret cannot be reviewed on a record, however it is written."""
    monkeypatch.chdir(tmp_path)
    record = tmp_path / "recorded.json"
    record.write_text(json.dumps({"schema": SCHEMA, "stacks": {"x": {}}}), "utf-8")
    Path("Pulumi.x.yaml").write_text(f"config:\n  federation:kubeconfig: {layout}\n", "utf-8")
    with (
        pytest.raises(BadInputError, match=r"Pulumi\.x\.yaml:[23] .*secure: read a secret"),
        recorded("x", record),
    ):
        pass
