"""A carrier on Hetzner Cloud, made and filled by one stack, as its preview shows it."""

from pathlib import Path

import yaml

from tests.charts import fixture_charts
from tests.doubles import cloud
from tests.engine.carried import SECRETS, whole
from tests.engine.hetzner import STACK, Made

WITHOUT = ("postgres", "keycloak", "rancher")
"""What needs providers that the doubles of a cloud do not serve."""


def test_a_carrier_is_previewed_before_its_cluster_exists(tmp_path: Path) -> None:
    """Servers, what runs on them, and the price of both, while nothing can be reached."""
    parts = {k: v for k, v in whole("https://karmada.example.com:5443").items() if k not in WITHOUT}
    parts["monitoring"] = {}
    charts = ("longhorn", "cert-manager", "karmada-operator", "kube-prometheus-stack")
    mirror = fixture_charts(tmp_path / "charts", *charts)
    with cloud() as sky:
        made = Made(tmp_path / "workspace", sky)
        content = yaml.safe_load(made.file.read_text("utf-8"))
        content["config"]["federation:mirror"] = {"charts": mirror.charts}
        content["config"]["federation:carrier"]["software"] = parts
        made.file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")
        made.workspace.set_secret(STACK, "federation:backup", yaml.safe_dump(SECRETS))
        shown = made.stack.preview().stdout
    for part in ("Server", "Karmada", "StatefulSet", "CronJob", "NoUserWorkloads"):
        assert part in shown
    assert "EUR a month net" in shown
    assert SECRETS["secretKey"] not in shown
