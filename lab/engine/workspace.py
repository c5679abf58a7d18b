"""The real Pulumi engine on a project of its own: what the demo and the engine tests run.

Owns a workspace (a copy of the project's Pulumi files, since the CLI writes into them), a backend
of files and a home for the CLI, all in one folder. The program is this checkout's own
``__main__.py``, run inline: no language host is needed. The Kubernetes provider is the real one.
"""

import asyncio
import contextlib
import importlib.metadata
import os
import runpy
import secrets
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from pulumi import automation as auto
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS

from components.federation.once import LOOK
from lab import tools
from placement.faults import FederationError

CHECKOUT = Path(__file__).parents[2]
_PROVIDER = "pulumi-resource-kubernetes"
_COPIED = ("Pulumi.yaml", "Pulumi.tokyo.yaml", "Pulumi.federation.yaml")

_OWN_CONNECTIONS = ("grpc.use_local_subchannel_pool", 1)
# Programs run inline, one after the other in this process. gRPC remembers of an address that it
# refused, also for a new channel: an engine that gets the port of an earlier one would be away.
if _OWN_CONNECTIONS not in _GRPC_CHANNEL_OPTIONS:
    _GRPC_CHANNEL_OPTIONS.append(_OWN_CONNECTIONS)


class Workspace:
    """A project folder with a backend and a CLI of its own.

    Args:
        folder: made if absent; everything that the engine writes is in it.
    """

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.environment = {
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{folder / 'backend'}",
            "PULUMI_CONFIG_PASSPHRASE": _passphrase(folder / "passphrase"),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            # A provider that is missing is an error at once, neither a download nor another one.
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_IGNORE_AMBIENT_PLUGINS": "true",
        }
        self._plugins = folder / "home" / "plugins"
        self._loop: asyncio.AbstractEventLoop | None = None
        for name in ("project", "home", "backend"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for name in _COPIED:
            if not (self.project / name).exists():
                shutil.copy(CHECKOUT / name, self.project / name)
        for name in ("examples", "__main__.py"):
            with contextlib.suppress(FileExistsError):
                (self.project / name).symlink_to(CHECKOUT / name)

    @property
    def shell(self) -> dict[str, str]:
        """The environment of a command in the project: it finds this engine and this checkout."""
        path = os.pathsep.join([str(tools.path("pulumi").parent), os.environ["PATH"]])
        return {**os.environ, **self.environment, "PATH": path, "PYTHONPATH": str(CHECKOUT)}

    def stack(self, name: str, program: auto.PulumiFn | None = None) -> auto.Stack:
        """The stack *name*, made if absent, ready for preview, up, refresh and destroy.

        Args:
            name: the stack's name.
            program: what it runs; by default this checkout's own program.

        Raises:
            FederationError: the CLI or the provider has not been built.
        """
        self._install_provider()
        command = _Command(root=str(tools.path("pulumi").parent.parent))
        command.interrupt = self._interrupt
        return auto.create_or_select_stack(
            name,
            project_name="federation",
            program=program or self._program,
            opts=auto.LocalWorkspaceOptions(
                work_dir=str(self.project),
                env_vars=self.environment,
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
            env={**os.environ, **self.environment},
            input=value,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise FederationError(f"pulumi config set {key}: {done.stderr.strip()}")

    def _install_provider(self) -> None:
        """Put the Kubernetes provider where the CLI looks for the version that is wanted."""
        version = importlib.metadata.version("pulumi-kubernetes")
        plugin = self._plugins / f"resource-kubernetes-v{version}" / _PROVIDER
        plugin.parent.mkdir(parents=True, exist_ok=True)
        plugin.unlink(missing_ok=True)
        plugin.symlink_to(tools.path(_PROVIDER))

    def _interrupt(self) -> None:
        """End what the program waits for: the engine itself waits for it, also when cancelled."""
        loop = self._loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(_cancel_looks, loop)

    def _program(self) -> None:
        """Run ``__main__.py`` in the project's folder, as the language host would.

        What it hands to ``pulumi.run`` runs later, in the same task: the folder is left when that
        task is done.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("the engine runs an inline program in a task")
        task.add_done_callback(partial(_return_to, Path.cwd()))
        self._loop = asyncio.get_running_loop()
        os.chdir(self.project)
        runpy.run_path(str(CHECKOUT / "__main__.py"), run_name="__main__")


class _Command(auto.PulumiCommand):
    """The CLI, which is left to end by itself when the user interrupts: it then unlocks the stack.

    Ctrl-C reaches the CLI too, since it is in our process group. Were the interrupt raised here at
    once, its output would be closed and it would die of that.

    Attributes:
        interrupt: called on an interrupt, to make the program end as well.
    """

    interrupt: Callable[[], None]

    def run(
        self,
        args: list[str],
        cwd: str,
        additional_env: Mapping[str, str],
        on_output: auto.OnOutput | None = None,
        on_error: auto.OnOutput | None = None,
    ) -> auto.CommandResult:
        """Run the CLI; an interrupt is raised once it has ended."""
        if threading.current_thread() is not threading.main_thread():
            return super().run(args, cwd, additional_env, on_output, on_error)
        interrupted = threading.Event()

        def note(*_: object) -> None:
            interrupted.set()
            self.interrupt()

        before = signal.signal(signal.SIGINT, note)
        try:
            return super().run(args, cwd, additional_env, on_output, on_error)
        finally:
            signal.signal(signal.SIGINT, before)
            if interrupted.is_set():
                raise KeyboardInterrupt


def _cancel_looks(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        if task.get_name() == LOOK:
            task.cancel()


def _return_to(folder: Path, _: asyncio.Task[None]) -> None:
    os.chdir(folder)


def _passphrase(file: Path) -> str:
    """The passphrase of the workspace's secrets; made on first use, for its owner alone."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(32))
    return file.read_text()
