"""What an engine test of a cluster on Hetzner Cloud works with: a project, with doubles."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from lab.engine import CHECKOUT, Workspace
from tests.built import skip_without
from tests.doubles import Cloud
from tests.engine import effects
from tests.engine.effects import Step, previewed

Plain = dict[str, Any]
STACK = "singapore"
PAGE = CHECKOUT / "docs" / "hetzner.md"

SPEC: Plain = {
    "maker": "hetzner",
    "name": "singapore",
    "locations": ["sin"],
    "k3s": {"version": "v1.36.3+k3s1", "sha256": {"amd64": "a" * 64, "arm64": "b" * 64}},
    "administration": ["203.0.113.0/24"],
    "controlPlane": {"servers": 3, "serverTypes": ["cpx32", "ccx13"]},
    "pools": [{"name": "platform", "count": 2, "serverTypes": ["cpx32", "cpx22"]}],
}
"""A carrier's cluster: three servers and two agents."""


def skip_without_engine() -> None:
    """Skip where the engine's parts have not been built."""
    skip_without("pulumi", "pulumi-resource-kubernetes")


class Made:
    """A carrier stack of a project of its own, whose cluster is made by the doubles.

    Args:
        folder: of the workspace.
        cloud: the doubles.
    """

    def __init__(self, folder: Path, cloud: Cloud) -> None:
        skip_without_engine()
        self.workspace = Workspace(folder)
        self.workspace.environment["PULUMI_DEBUG_PROVIDERS"] = cloud.attach
        self.cloud = cloud
        self.file = self.workspace.project / f"Pulumi.{STACK}.yaml"
        self.write(SPEC)
        self.stack = self.workspace.stack(STACK)
        self.workspace.set_secret(STACK, "hcloud:token", "planted-hcloud-token")

    def write(self, spec: Plain, **keys: Any) -> None:
        """Write the stack's file; *keys* are others under ``federation:``."""
        content = yaml.safe_load(self.file.read_text("utf-8")) if self.file.exists() else {}
        ours = {"plane": "carrier", "carrier": {"cluster": spec}, **keys}
        kept = {
            key: value
            for key, value in content.get("config", {}).items()
            if not key.startswith("federation:")
        }
        content["config"] = kept | {f"federation:{key}": value for key, value in ours.items()}
        self.file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def preview(self) -> list[Step]:
        """What a preview would do."""
        return previewed(self.stack)


def changed(change: Callable[[Plain], object]) -> Plain:
    """The cluster's settings with one thing changed."""
    spec: Plain = yaml.safe_load(yaml.safe_dump(SPEC))
    change(spec)
    return spec


def shown(steps: Sequence[Step]) -> str:
    """Steps as the page says them."""
    return effects.shown(steps, "singapore-")
