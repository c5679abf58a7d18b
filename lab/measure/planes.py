"""The stacks of a user on a lab: a project of their own, its files, and ``python -m stacks``.

Owns how settings are changed, as a user does it in a file or by ``pulumi config set``, and how the
command is run. What is changed, and what must come of it, is said elsewhere.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from lab.engine import CHECKOUT, Workspace
from lab.engine.language_host import install
from lab.lifecycle import Lab
from placement.faults import ExitCode, FederationError

_SECONDS = 600
"""How long a command may take that runs several stacks."""


class Planes:
    """A project with the stacks *compute*, beside the carrier ``tokyo`` and ``federation``.

    Args:
        folder: of the workspace.
        lab: whose Karmada API is the carrier's.
        compute: the names of the compute stacks, whose files this checkout ships.
    """

    def __init__(self, folder: Path, lab: Lab, compute: Sequence[str]) -> None:
        self._workspace = Workspace(folder)
        self.project = self._workspace.project
        for name in compute:
            shutil.copy(CHECKOUT / f"Pulumi.{name}.yaml", self.project)
        for name in ("tokyo", *compute, "federation"):
            self._workspace.stack(name)
        install()
        karmada = lab.kubeconfig().read_text("utf-8")
        self._workspace.set_secret("tokyo", "federation:kubeconfig", karmada)

    def give_kubeconfig(self, stack: str, cluster: str, file: Path) -> None:
        """Set the kubeconfig of the one cluster of a compute stack."""
        content = yaml.safe_dump({cluster: yaml.safe_load(file.read_text("utf-8"))})
        self._workspace.set_secret(stack, "federation:kubeconfigs", content)

    def write(self, stack: str, change: Callable[[dict[str, Any]], None]) -> None:
        """Change the settings of *stack* in its file."""
        file = self.project / f"Pulumi.{stack}.yaml"
        content = yaml.safe_load(file.read_text("utf-8"))
        change(content["config"])
        file.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def run(self, action: str, *names: str) -> float:
        """Run ``python -m stacks`` on *names*; the seconds that it took.

        Raises:
            FederationError: it failed; the message has the end of what it printed.
        """
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "stacks", action, *names, "--yes"],
            cwd=self.project,
            env=self._workspace.shell,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        if done.returncode not in (ExitCode.DONE, ExitCode.CHANGES):
            raise FederationError(
                f"python -m stacks {action} {' '.join(names)}: exit code {done.returncode}\n"
                f"{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
            )
        return round(time.monotonic() - begun, 1)
