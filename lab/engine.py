"""The real Pulumi engine on a project of its own: what the demo and the engine tests run.

Owns a workspace (a copy of the project's Pulumi files, since the CLI writes into them), a backend
of files and a home for the CLI, all in one folder. The program is this checkout's own
``__main__.py``, run inline: no language host is needed. The Kubernetes provider is the real one.
"""

import contextlib
import os
import runpy
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from pulumi import automation as auto

from lab import tools
from placement.faults import FederationError

CHECKOUT = Path(__file__).parent.parent
_COPIED = ("Pulumi.yaml", "Pulumi.tokyo.yaml", "Pulumi.federation.yaml")


class Workspace:
    """A project folder with a backend and a CLI of its own.

    Args:
        folder: made if absent; everything that the engine writes is in it.
    """

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self._environment = {
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{folder / 'backend'}",
            "PULUMI_CONFIG_PASSPHRASE": _passphrase(folder / "passphrase"),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            # A provider that is missing is an error at once, not a download.
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PATH": os.pathsep.join([str(tools.ROOT / "bin"), os.environ.get("PATH", "")]),
        }
        for name in ("project", "home", "backend"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for name in _COPIED:
            if not (self.project / name).exists():
                shutil.copy(CHECKOUT / name, self.project / name)
        for name in ("examples", "__main__.py"):
            with contextlib.suppress(FileExistsError):
                (self.project / name).symlink_to(CHECKOUT / name)

    def stack(self, name: str) -> auto.Stack:
        """The stack *name*, made if absent, ready for preview, up, refresh and destroy.

        Raises:
            FederationError: the CLI has not been built.
        """
        command = auto.PulumiCommand(root=str(tools.path("pulumi").parent.parent))
        return auto.create_or_select_stack(
            name,
            project_name="federation",
            program=self._program,
            opts=auto.LocalWorkspaceOptions(
                work_dir=str(self.project),
                env_vars=self._environment,
                pulumi_command=command,
                secrets_provider="passphrase",
            ),
        )

    def set_secret(self, stack: str, key: str, value: str) -> None:
        """Set a secret of *stack*: through standard input, since arguments are seen by everybody.

        Raises:
            FederationError: the CLI refuses; its message holds no value.
        """
        done = subprocess.run(
            [tools.path("pulumi"), "config", "set", "--secret", "--stack", stack, key],
            cwd=self.project,
            env={**os.environ, **self._environment},
            input=value,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise FederationError(f"pulumi config set {key}: {done.stderr.strip()}")

    def _program(self) -> None:
        with _in(self.project):
            runpy.run_path(str(CHECKOUT / "__main__.py"), run_name="__main__")


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    """In *folder*, as the language host would be."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _passphrase(file: Path) -> str:
    """The passphrase of the workspace's secrets; made on first use, for its owner alone."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(32))
    return file.read_text()
