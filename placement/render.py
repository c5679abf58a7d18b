"""The objects of a decision as YAML files, for Argo CD, Flux or ``kubectl apply``.

One file an object, named after its namespace if it has one, its kind and its name; the same
decision gives the same bytes.
"""

from pathlib import Path
from typing import Any

import yaml

from placement.decision import Decision
from placement.emit import objects
from placement.faults import BadInputError, Fault
from placement.federation import Federation

MARK = "# Rendered by python -m placement render; changes are overwritten."
"""The first line of every file that is written, by which it is known again."""


def render(federation: Federation, decision: Decision, directory: Path, out: Path) -> list[Path]:
    """Write the objects of *decision* below *out*, and return the files.

    Files that an earlier rendering left and this one does not write are removed, so that what is
    applied from the folder is what was decided. They are known by their first line: nothing else
    in the folder is touched.

    Args:
        federation: what was decided on.
        decision: a decision with a placement.
        directory: where the federation file is.
        out: the folder; made if absent.

    Raises:
        BadInputError: *out* cannot be written, or holds a file of that name made by someone else.
    """
    contents = {
        out / _name(content): to_yaml(content)
        for content in objects(federation, decision, directory)
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        ours = {path for path in out.glob("*.yaml") if _is_ours(path)}
        foreign = sorted(path for path in contents if path.exists() and path not in ours)
        if foreign:
            message = f"not written by this program; allowed a file that begins with {MARK!r}"
            raise BadInputError(*(Fault(str(path), 1, "(file)", message) for path in foreign))
        for path, text in contents.items():
            path.write_text(f"{MARK}\n{text}", encoding="utf-8")
        for stale in sorted(ours - set(contents)):
            stale.unlink()
    except OSError as error:
        message = f"cannot be written: {error.strerror}; allowed a folder"
        raise BadInputError(Fault(error.filename or str(out), 0, "--out", message)) from None
    return sorted(contents)


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.readline().rstrip() == MARK.encode()


def to_yaml(content: dict[str, Any]) -> str:
    """One object as a YAML document, keys in their own order."""
    # No folding: a diff shows a changed value as one changed line.
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)


def _name(content: dict[str, Any]) -> str:
    metadata = content["metadata"]
    namespace = [metadata["namespace"]] if "namespace" in metadata else []
    return "-".join([*namespace, content["kind"].lower(), metadata["name"]]) + ".yaml"
