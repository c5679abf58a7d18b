"""Where a tool is: in ``.tools/bin``, built from the present pin, or on the PATH.

Owns the pin (what a binary was built from) and the rule that says which version on the PATH will
do. It builds nothing: ``build`` does.
"""

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab.tools.catalogue import MODULES, Tool, tool
from placement.faults import FederationError

ROOT = MODULES.parent.parent / ".tools"
"""Where tools are built to, in its folder ``bin``: a git-ignored folder of this checkout."""

_ASK_SECONDS = 30
"""How long a program on the PATH may take to print its version."""


@dataclass(frozen=True)
class Found:
    """A tool that is there.

    Attributes:
        tool: its name.
        path: its file.
        version: its version without a leading ``v``.
        source: ``built`` from the pin of this checkout, or found on the ``path``.
    """

    tool: str
    path: Path
    version: str
    source: Literal["built", "path"]


def pin(wanted: Tool) -> str:
    """A hash of everything in this checkout that shapes the tool's binary."""
    digest = hashlib.sha256()
    for name in ("go.mod", "go.sum", "main.go"):
        file = wanted.folder / name
        content = file.read_bytes() if file.exists() else b""
        digest.update(f"{name} {len(content)}\n".encode() + content)
    digest.update(repr((wanted.package, wanted.flags, sorted(wanted.overlay.items()))).encode())
    return digest.hexdigest()


def pin_file(wanted: Tool, root: Path = ROOT) -> Path:
    """Where the pin of the built binary is kept, beside the binary."""
    return root / "bin" / f"{wanted.name}.pin"


def built(wanted: Tool, root: Path = ROOT) -> Found | None:
    """The tool in ``.tools/bin``, unless it is missing or was built from another pin."""
    binary, stamp = root / "bin" / wanted.name, pin_file(wanted, root)
    if not (binary.exists() and stamp.exists() and stamp.read_text("utf-8").strip() == pin(wanted)):
        return None
    return Found(wanted.name, binary, wanted.version, "built")


def on_path(wanted: Tool, root: Path = ROOT) -> Found | None:
    """The tool on the PATH, if its version will do: same major, same or newer minor release.

    ``.tools/bin`` itself does not count where it is on the PATH: what lies there is judged by its
    pin.
    """
    if not wanted.ask:
        return None
    ours = (root / "bin").resolve()
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    others = os.pathsep.join(folder for folder in folders if Path(folder).resolve() != ours)
    binary = shutil.which(wanted.name, path=others)
    if binary is None:
        return None
    try:
        said = subprocess.run(
            [binary, *wanted.ask], capture_output=True, text=True, timeout=_ASK_SECONDS, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None  # a program that cannot say its version is not the one we look for
    version = re.search(r"\bv?(\d+\.\d+\.\d+\S*)", said)
    if version is None or not _will_do(version[1], wanted.version):
        return None
    return Found(wanted.name, Path(binary), version[1], "path")


def _will_do(version: str, wanted: str) -> bool:
    major, minor = (int(part) for part in version.split(".")[:2])
    wanted_major, wanted_minor = (int(part) for part in wanted.split(".")[:2])
    return major == wanted_major and minor >= wanted_minor


def find(wanted: Tool, root: Path = ROOT) -> Found | None:
    """The tool, built or on the PATH; None where it has to be built."""
    return built(wanted, root) or on_path(wanted, root)


def path(name: str) -> Path:
    """The file of the tool called *name*.

    Raises:
        FederationError: it is neither built from the present pin nor on the PATH.
    """
    wanted = tool(name)
    found = find(wanted)
    if found is None:
        command = "make tools" if wanted.group == "core" else "python -m lab.tools --all"
        raise FederationError(
            f"{name} {wanted.version} is not there: run `{command}` "
            f"(looked in {ROOT / 'bin'} and on the PATH)"
        )
    return found.path
