"""The folder of the real Karmada: whole and of the release that the engine predicts, or refused."""

from pathlib import Path

import pytest

from lab.karmada import installation
from lab.karmada.installation import PROGRAMS, VARIABLE, Installation
from placement.faults import FederationError


def _folder(root: Path, **versions: str) -> Path:
    """A folder whose programs say that they are of *versions*, or of 1.18.2."""
    (root / "bin").mkdir()
    (root / "crds").mkdir()
    (root / "crds" / "one.yaml").write_text("kind: One\n---\nkind: Two\n", "utf-8")
    (root / "webhook-configuration.yaml").write_text(
        "kind: ValidatingWebhookConfiguration\n"
        "url: https://karmada-webhook.karmada-system.svc:443/validate\n"
        "caBundle: {{caBundle}}\n",
        "utf-8",
    )
    for name in PROGRAMS:
        version = versions.get(name.replace("-", "_"), "1.18.2")
        program = root / "bin" / name
        program.write_text(
            "#!/bin/sh\n"
            f'echo \'{name} version: version.Info{{GitVersion:"v{version}", GitCommit:"x"}}\'\n',
            "utf-8",
        )
        program.chmod(0o755)
    return root


def test_without_the_variable_there_is_no_karmada() -> None:
    """A lab then serves the project's own kinds, and that is no error."""
    assert installation.find({}) is None
    assert installation.find({VARIABLE: ""}) is None


def test_a_whole_folder_is_taken(tmp_path: Path) -> None:
    """Its version, its kinds and its webhooks, which then lead to this machine."""
    found = installation.find({VARIABLE: str(_folder(tmp_path))})
    assert found is not None
    assert found.version == "1.18.2"
    assert [kind["kind"] for kind in found.kinds()] == ["One", "Two"]
    ca = tmp_path / "ca.crt"
    ca.write_bytes(b"certificate")
    (webhook,) = found.webhooks("https://127.0.0.1:8443", ca)
    assert webhook["url"] == "https://127.0.0.1:8443/validate"
    assert webhook["caBundle"] == "Y2VydGlmaWNhdGU="


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    """A folder without a program or the kinds says which, and what belongs there."""
    _folder(tmp_path)
    (tmp_path / "bin" / "karmada-webhook").unlink()
    (tmp_path / "webhook-configuration.yaml").unlink()
    with pytest.raises(
        FederationError, match=r"lacks bin/karmada-webhook, webhook-configuration\.yaml; allowed"
    ):
        installation.find({VARIABLE: str(tmp_path)})


@pytest.mark.parametrize("version", ["1.17.5", "1.19.0-rc.0", "1.180.0", "0.0.0"])
def test_another_release_is_refused(tmp_path: Path, version: str) -> None:
    """Its scheduler has other rules: what was read and what is allowed are named."""
    folder = _folder(tmp_path, **{name.replace("-", "_"): version for name in PROGRAMS})
    with pytest.raises(FederationError, match=rf"karmada-scheduler {version}.*allowed 1\.18\.x"):
        installation.find({VARIABLE: str(folder)})


def test_programs_of_two_releases_are_refused(tmp_path: Path) -> None:
    """A folder that was half replaced is no Karmada."""
    folder = _folder(tmp_path, karmada_webhook="1.18.1")
    with pytest.raises(FederationError, match=r"karmada-webhook 1\.18\.1"):
        installation.find({VARIABLE: str(folder)})


def test_a_program_that_says_nothing_is_refused(tmp_path: Path) -> None:
    """Something else under the name of a program is found out before it runs as a server."""
    folder = _folder(tmp_path)
    (folder / "bin" / "karmada-scheduler").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    with pytest.raises(FederationError, match="karmada-scheduler unknown"):
        installation.find({VARIABLE: str(folder)})


def test_a_part_beyond_the_least_is_asked_for_by_name(tmp_path: Path) -> None:
    """What is missing or of another release is named with what needs it."""
    found = installation.find({VARIABLE: str(_folder(tmp_path))})
    assert found is not None
    found.need(["karmada-scheduler"], "this")
    with pytest.raises(FederationError, match="read karmada-descheduler missing; this needs"):
        found.need(["karmada-scheduler", "karmada-descheduler"], "this")
    other = Installation(tmp_path, "1.18.3")
    with pytest.raises(FederationError, match=r"read karmada-scheduler 1\.18\.2; this needs"):
        other.need(["karmada-scheduler"], "this")
