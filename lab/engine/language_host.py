"""A minimal Python language host for plain ``pulumi`` commands in the lab.

The official host, which comes with Pulumi's own release, is no Go module and so cannot be built
here. This one is a lab tool: it runs this project's program with the interpreter that runs the lab,
by the runner of Pulumi's own SDK, and serves nothing else (no conversion, no package generation, no
policy packs in folders). Where the official host is on the PATH, ``install`` steps aside.

Protocol: Pulumi starts ``pulumi-language-python ENGINE``, reads a port from its first line, and
speaks the LanguageRuntime service of ``proto/pulumi/language.proto`` to it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2
from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from lab import tools

NAME = "pulumi-language-python"
RUNNER = "pulumi-language-python-exec"
_CHECKOUT = Path(__file__).parents[2]
_SHOWN = 32
"""The runner's exit code for a failure that it has already shown to the user."""


class Host(LanguageServer):
    """Runs the program in a process of its own, as the official host does."""

    def __init__(self, engine: str) -> None:
        super().__init__(program=lambda: None)
        self._engine = engine
        self._child: subprocess.Popen[bytes] | None = None

    def Run(self, request: Any, _context: Any) -> Any:  # noqa: N802 - the service's name
        """Run the program to its end."""
        program = request.info.program_directory or request.pwd
        options = {
            "monitor": request.monitor_address,
            "engine": self._engine,
            "project": request.project,
            "stack": request.stack,
            "organization": request.organization or "organization",
            "root_directory": request.info.root_directory or program,
            "pwd": program,
            "dry_run": "true" if request.dryRun else "false",
            "parallel": str(request.parallel),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        environment = {
            **os.environ,
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }
        runner = Path(os.environ["FEDERATION_LANGUAGE_RUNNER"])
        self._child = subprocess.Popen(
            [sys.executable, "-u", runner, *arguments, request.info.entry_point or "."],
            env=environment,
            cwd=program,
        )
        code = self._child.wait()
        if code == _SHOWN:
            return language_pb2.RunResponse(bail=True)
        error = f"the program ended with exit code {code}" if code else ""
        return language_pb2.RunResponse(error=error)

    def Cancel(self, _request: Any, _context: Any) -> Any:  # noqa: N802 - the service's name
        """End the program: the engine was interrupted."""
        self.end()
        return empty_pb2.Empty()

    def end(self) -> None:
        """End the program if it still runs."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()


def serve(engine: str) -> None:
    """Serve until the engine ends this process."""
    stop = threading.Event()
    host = Host(engine)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    server = grpc.server(ThreadPoolExecutor(max_workers=4))
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    stop.wait()
    host.end()
    server.stop(grace=None)


def install() -> Path | None:
    """Put the host beside the lab's own ``pulumi``; None where the official one is on the PATH.

    Raises:
        FederationError: the lab's CLI has not been built.
    """
    folder = tools.ROOT / "bin"
    ours = folder / NAME
    outside = shutil.which(NAME, path=_path_without(folder))
    if outside is not None:
        ours.unlink(missing_ok=True)
        return None
    runner = folder / RUNNER
    shutil.copy(_runner(), runner)
    script = (
        "#!/bin/sh\n"
        "# A lab tool: see lab/engine/language_host.py.\n"
        f"export FEDERATION_LANGUAGE_RUNNER='{runner}'\n"
        f"export PYTHONPATH='{_CHECKOUT}'\n"
        f"exec '{sys.executable}' -u -m lab.engine.language_host \"$@\"\n"
    )
    ours.write_text(script)
    ours.chmod(0o755)
    return ours


def _path_without(folder: Path) -> str:
    parts = os.environ.get("PATH", "").split(os.pathsep)
    return os.pathsep.join(part for part in parts if Path(part) != folder)


def _runner() -> Path:
    """The runner in the SDK's module, which the CLI was built from."""
    module = subprocess.run(
        ["go", "list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"],  # noqa: S607 - Go is a prerequisite, wherever it is
        cwd=_CHECKOUT / "lab" / "tools" / "pulumi",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return Path(module) / "python" / "cmd" / RUNNER


if __name__ == "__main__":
    # Pulumi passes the engine's address last.
    serve(sys.argv[-1])
