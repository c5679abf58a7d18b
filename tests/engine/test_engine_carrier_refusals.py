"""What a carrier stack refuses, before anything is made: with the place, and the way out.

No cluster is asked: the kubeconfig leads nowhere, as on a machine that reviews.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab.engine import Workspace
from tests.built import skip_without
from tests.charts import fixture_charts
from tests.doubles import Served, software
from tests.engine.carried import CHARTS, SECRETS, whole
from tests.engine.case import refused

Plain = dict[str, Any]
AWAY = """\
apiVersion: v1
kind: Config
current-context: away
contexts: [{name: away, context: {cluster: away, user: away}}]
clusters: [{name: away, cluster: {server: "https://192.0.2.1:6443"}}]
users: [{name: away, user: {token: planted-token}}]
"""
ENDPOINT = "https://karmada.example.com:5443"


class Away:
    """The stack ``tokyo`` on a cluster that does not answer."""

    def __init__(self, folder: Path, charts: str, doubles: Served) -> None:
        self.workspace = Workspace(folder)
        self.workspace.environment["PULUMI_DEBUG_PROVIDERS"] = doubles.attach
        self.file = self.workspace.project / "Pulumi.tokyo.yaml"
        self._charts = charts
        self.stack = self.workspace.stack("tokyo")
        self.workspace.set_secret("tokyo", "federation:kubeconfig", AWAY)

    def write(self, settings: Plain, *, charts: str | None = None) -> None:
        """Write the software's settings into the stack's file."""
        content = yaml.safe_load(self.file.read_text("utf-8"))
        content["config"]["federation:mirror"] = {"charts": charts or self._charts}
        content["config"]["federation:carrier"]["software"] = settings
        self.file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def refusal(self) -> str:
        """What a preview says, on one line."""
        return re.sub(r"\s+", " ", refused(self.stack.preview))


@pytest.fixture
def away(tmp_path: Path) -> Any:
    """The stack, with keys for its backups."""
    skip_without("pulumi", "pulumi-resource-kubernetes")
    mirror = fixture_charts(tmp_path / "charts", *CHARTS)
    with software() as doubles:
        made = Away(tmp_path / "workspace", mirror.charts, doubles)
        made.workspace.set_secret("tokyo", "federation:backup", yaml.safe_dump(SECRETS))
        yield made


def test_a_preview_asks_no_cluster(away: Away) -> None:
    """The whole plane is previewed while its cluster is away, and nothing secret is printed."""
    away.write(whole(ENDPOINT))
    shown = away.stack.preview().stdout
    assert "federation:carrier:Karmada" in shown
    assert not [text for text in (*SECRETS.values(), "planted-token") if text in shown]


def _without(key: str) -> Callable[[], Plain]:
    def settings() -> Plain:
        found = whole(ENDPOINT)
        del found[key]
        return found

    return settings


WRONG: dict[str, tuple[Callable[[], Plain], str]] = {
    "no-longhorn": (
        _without("longhorn"),
        "software: read etcd without storageClass and no longhorn; allowed one of them",
    ),
    "no-postgres": (_without("postgres"), "software: read keycloak without postgres"),
    "no-karmada": (_without("karmada"), "software.karmada: missing"),
    "endpoint": (
        lambda: whole("http://karmada.example.com"),
        "software.karmada.endpoint: read 'http://karmada.example.com'; allowed https://HOST:PORT",
    ),
    "key": (
        lambda: {**whole(ENDPOINT), "longhron": {}},
        "software.longhron: unknown key",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_is_refused_at_its_line(away: Away, name: str) -> None:
    """With file, line and key, and what would be allowed."""
    settings, words = WRONG[name]
    away.write(settings())
    text = away.refusal()
    assert re.search(r"Pulumi\.tokyo\.yaml:\d+ config\.federation:carrier\.software", text)
    assert words in text


def test_backups_need_their_keys(away: Away) -> None:
    """Keys that are missing or lie in clear are refused with the command that sets them."""
    away.write(whole(ENDPOINT))
    away.stack.remove_config("federation:backup")
    command = "pulumi config set --secret --stack tokyo federation:backup < FILE"
    text = away.refusal()
    assert "config.federation:backup: missing" in text
    assert command in text
    content = yaml.safe_load(away.file.read_text("utf-8"))
    content["config"]["federation:backup"] = yaml.safe_dump(SECRETS)
    away.file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")
    text = away.refusal()
    assert "config.federation:backup: read in clear" in text
    assert SECRETS["secretKey"] not in text
    away.workspace.set_secret("tokyo", "federation:backup", "accessKey: planted-access-key\n")
    text = away.refusal()
    assert "allowed a mapping with accessKey and secretKey" in text
    assert SECRETS["accessKey"] not in text


def test_a_chart_that_is_not_there_is_named(away: Away, tmp_path: Path) -> None:
    """With the file that is looked for, and where it is to be put."""
    (tmp_path / "empty").mkdir()
    away.write(whole(ENDPOINT), charts=str(tmp_path / "empty"))
    text = away.refusal()
    assert "longhorn-1.12.1.tgz: not there; federation:mirror says that it holds the charts" in text
