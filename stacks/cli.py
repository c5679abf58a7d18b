"""The Pulumi CLI, run for one stack as a user would.

Owns the call: the CLI keeps the terminal, so that it shows its preview, asks, draws progress and
ends by itself on Ctrl-C.
"""

import json
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Literal

from placement.faults import FederationError

Action = Literal["up", "destroy"]
_UNCHANGED = ("same", "read")
"""What the engine counts of a run and is no change: a stack reads others every time."""


def run(project: Path, action: Action, stack: str, *, yes: bool) -> bool:
    """Run *action* on *stack*; whether it changed anything.

    Raises:
        FederationError: no CLI, or the run failed; its own output says why.
        KeyboardInterrupt: the user interrupted it, and it has ended.
    """
    arguments = [_command(), action, "--stack", stack, *(["--yes"] if yes else [])]
    # The CLI is in our process group, so Ctrl-C reaches it; it then unlocks the stack and ends.
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    try:
        code = subprocess.call(arguments, cwd=project)
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted.is_set():
        raise KeyboardInterrupt
    if code:
        raise FederationError(f"pulumi {action} --stack {stack}: exit code {code}")
    return _changed(project, stack)


def listed(project: Path) -> dict[str, dict[str, Any]]:
    """What the backend says of each stack of the project, by name.

    Raises:
        FederationError: no CLI, or the backend does not answer.
    """
    return {entry["name"]: entry for entry in _json(project, "stack", "ls", "--json")}


def resources(project: Path, stack: str) -> list[dict[str, Any]]:
    """What the state of *stack* knows, secrets still encrypted.

    Raises:
        FederationError: no CLI, or the backend does not answer.
    """
    exported = _json(project, "stack", "export", "--stack", stack)
    return (exported.get("deployment") or {}).get("resources") or []


def _changed(project: Path, stack: str) -> bool:
    history = _json(project, "stack", "history", "--stack", stack, "--json", "--page-size", "1")
    changes: dict[str, int] = history[0].get("resourceChanges") or {} if history else {}
    return any(count for kind, count in changes.items() if kind not in _UNCHANGED)


def _json(project: Path, *arguments: str) -> Any:
    done = subprocess.run(
        [_command(), *arguments], cwd=project, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise FederationError(f"pulumi {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def _command() -> str:
    found = shutil.which("pulumi")
    if found is None:
        raise FederationError("there is no pulumi on the PATH; install the CLI")
    return found
