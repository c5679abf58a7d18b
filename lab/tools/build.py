"""Builds one tool from its pinned Go module.

Owns the call of ``go build``: the Go release that it needs, the log, and the rule that a binary is
there whole or not at all. What is built, and whether it has to be, is for the caller to say.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from lab.tools.catalogue import Tool
from lab.tools.find import Found, pin, pin_file
from placement.faults import FederationError

_TICK_SECONDS = 0.5
"""How often a running build reports that it still runs."""
_LOG_LINES = 15
"""How many of a failed build's last lines are shown."""


def check_go(tools: Iterable[Tool]) -> None:
    """See that there is a Go release that builds all of *tools*.

    Raises:
        FederationError: Go is missing or too old.
    """
    needed = max((tool.go for tool in tools), key=_release)
    way_out = (
        f"the tools need Go {needed} or newer: install it from Go's own release page and put its "
        "bin folder first on the PATH (Debian 12's package golang is too old)"
    )
    if shutil.which("go") is None:
        raise FederationError(f"go is not on the PATH; {way_out}")
    said = _go("env", "GOVERSION").removeprefix("go")
    if _release(said) < _release(needed):
        raise FederationError(f"go on the PATH is release {said}; {way_out}")


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def build(wanted: Tool, root: Path, tick: Callable[[], None]) -> Found:
    """Build *wanted* into ``bin`` under *root*.

    Args:
        wanted: the tool.
        root: the ``.tools`` folder.
        tick: called twice a second while the build runs.

    Raises:
        FederationError: the build failed; the message has the end of the log and its path.
    """
    binary = root / "bin" / wanted.name
    partial = binary.with_name(f".{wanted.name}.partial")
    log = root / "logs" / f"{wanted.name}.log"
    for folder in (binary.parent, log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        overlay = _overlay(wanted, root)
        command = ["go", "build", *wanted.flags, *overlay, "-o", str(partial), wanted.package]
        code = _run(command, wanted.folder, log, tick)
        if code != 0:
            end = "\n".join(log.read_text("utf-8", "replace").splitlines()[-_LOG_LINES:])
            raise FederationError(
                f"{wanted.name} {wanted.version} was not built: go build ended with {code}\n"
                f"{end}\nthe whole log: {log}"
            )
        # Between the two renames there is a binary without a pin: it would be built again.
        pin_file(wanted, root).unlink(missing_ok=True)
        partial.replace(binary)
        partial.write_text(pin(wanted) + "\n", "utf-8")
        partial.replace(pin_file(wanted, root))
    finally:
        partial.unlink(missing_ok=True)
    return Found(wanted.name, binary, wanted.version, "built")


def _environment() -> dict[str, str]:
    """The environment of every call of Go: this module, this toolchain, no C compiler."""
    return {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}


def _go(*arguments: str, folder: Path | None = None) -> str:
    """What ``go ARGUMENTS`` prints.

    Raises:
        FederationError: it failed; the message is Go's.
    """
    done = subprocess.run(
        ["go", *arguments],  # noqa: S607 - the user's own Go, wherever it is installed
        cwd=folder,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise FederationError(f"go {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def _overlay(wanted: Tool, root: Path) -> list[str]:
    """The flags that lay files of the pinned module over the tool's folder, if it needs any.

    Go embeds files only from below the folder of the source that names them, and these are too
    large to keep a copy of in this repository.
    """
    if not wanted.overlay:
        return []
    _go("mod", "download", wanted.pinned, folder=wanted.folder)
    module = Path(_go("list", "-m", "-f", "{{.Dir}}", wanted.pinned, folder=wanted.folder))
    replace = {str(wanted.folder / at): str(module / of) for at, of in wanted.overlay.items()}
    file = root / f"{wanted.name}.overlay.json"
    file.write_text(json.dumps({"Replace": replace}, indent=2), "utf-8")
    return ["-overlay", str(file)]


def _run(command: list[str], folder: Path, log: Path, tick: Callable[[], None]) -> int:
    """Run *command* with its output in *log*; its exit code. It never outlives this call."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=_environment(), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(_TICK_SECONDS)
                tick()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
