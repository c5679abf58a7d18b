"""The kubeconfig: asked for, checked, and never seen again."""

import base64
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from pulumi import automation as auto

from tests.engine.case import Case, refused, workload

TOKEN = "planted-token-3f9c1e"


def kubeconfig(case: Case, **user: str) -> str:
    """The kubeconfig of the API server, its user changed."""
    content = yaml.safe_load(case.server.kubeconfig)
    content["users"][0]["user"].update(user)
    return yaml.safe_dump(content)


def planted(text: str) -> list[str]:
    """What must never be seen of a kubeconfig: the key as it stands there, its lines, the token."""
    key = yaml.safe_load(text)["users"][0]["user"]["client-key-data"]
    lines = base64.b64decode(key).decode().splitlines()
    return [TOKEN, key[200:260], *(line for line in lines if len(line) == 64)]


def files_with(folder: Path, secrets: list[str]) -> list[str]:
    """The files below *folder* that hold one of *secrets*, in clear."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    wanted = [secret.encode() for secret in secrets]
    return [str(path) for path in found if any(s in path.read_bytes() for s in wanted)]


def test_nothing_of_the_kubeconfig_is_ever_in_clear(case: Case) -> None:
    """Neither output, events nor errors hold the key or the token.

    No file of the project or of the backend does either: what is stored is ciphertext.
    """
    text = kubeconfig(case, token=TOKEN)
    secrets = planted(text)
    assert len(secrets) > 3
    said: list[str] = []

    def event(happened: auto.EngineEvent) -> None:
        said.append(repr(vars(happened)))
        if happened.res_outputs_event is not None:
            metadata: Any = happened.res_outputs_event.metadata
            said.append(repr([vars(state) for state in (metadata.old, metadata.new) if state]))

    case.workspace.set_secret("tokyo", "federation:kubeconfig", text)
    for stack in (case.stack("tokyo"), case.stack()):
        for result in (
            stack.preview(on_event=event, diff=True),
            stack.up(on_event=event, diff=True),
        ):
            said += [result.stdout, result.stderr]
    said.append(repr(case.stack().outputs()))
    case.write(workload("web"), workload("elsewhere", namespace="nowhere"))
    said.append(refused(case.stack().up))
    assert any("kubeconfig" in each for each in said)
    assert [each for each in said if any(secret in each for secret in secrets)] == []
    assert files_with(case.folder, secrets) == []


BROKEN = {
    "no-yaml": "{planted-token-3f9c1e: [",
    "no-kubeconfig": "planted-token-3f9c1e",
    "no-context": "contexts: []\ncurrent-context: planted-token-3f9c1e\n",
    "no-base64": "client-key-data: planted-token-3f9c1e",
    "http": "http://planted-token-3f9c1e",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_kubeconfig_that_is_broken(case: Case, name: str) -> None:
    """A kubeconfig that cannot be used is refused with the command that sets it.

    Its text is not shown, and the present state stays.
    """
    text = BROKEN[name]
    if name == "no-base64":
        text = kubeconfig(case, **{"client-key-data": TOKEN})
    if name == "http":
        text = case.server.kubeconfig.replace("https://127.0.0.1", text)
    case.workspace.set_secret("tokyo", "federation:kubeconfig", text)
    tokyo = case.stack("tokyo")
    said = refused(tokyo.up)
    assert "config.federation:kubeconfig" in said
    assert TOKEN not in said
    case.workspace.set_secret("tokyo", "federation:kubeconfig", case.server.kubeconfig)
    tokyo.preview(expect_no_changes=True)


@pytest.mark.parametrize("clear", [False, True], ids=["missing", "in-clear"])
def test_a_kubeconfig_that_is_no_secret(case: Case, clear: bool) -> None:
    """A stack without a kubeconfig, or with one in clear, is refused with the right command."""
    path = case.workspace.project / "Pulumi.tokyo.yaml"
    content = yaml.safe_load(path.read_text("utf-8"))
    del content["config"]["federation:kubeconfig"]
    if clear:
        content["config"]["federation:kubeconfig"] = kubeconfig(case, token=TOKEN)
    path.write_text(yaml.safe_dump(content), "utf-8")
    said = refused(case.stack("tokyo").preview)
    assert ("read in clear" if clear else "missing; allowed a kubeconfig, as a secret") in said
    assert "pulumi config set --secret --stack tokyo federation:kubeconfig < FILE" in said
    assert TOKEN not in said


def test_a_key_that_the_client_cannot_use(case: Case) -> None:
    """A kubeconfig whose key is none is found out on `up`, without its text."""
    key = base64.b64encode(TOKEN.encode()).decode()
    text = kubeconfig(case, **{"client-key-data": key})
    case.workspace.set_secret("tokyo", "federation:kubeconfig", text)
    case.stack("tokyo").up()
    said = refused(case.stack().up)
    assert "federation:kubeconfig" in said
    assert TOKEN not in said
    assert key not in said


def test_the_secret_is_never_an_argument(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests and the demo set secrets through standard input, as the message tells users to."""
    seen: list[object] = []
    run: Any = subprocess.run

    def noted(command: list[object], **options: Any) -> Any:
        seen.append(command)
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", noted)
    case.workspace.set_secret("tokyo", "federation:kubeconfig", TOKEN)
    assert len(seen) == 1
    assert TOKEN not in repr(seen)
