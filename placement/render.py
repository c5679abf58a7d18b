"""The objects of a decision as YAML files, for Argo CD, Flux or ``kubectl apply``.

One file an object, named after namespace, kind and name; the same decision gives the same bytes.
"""

from pathlib import Path
from typing import Any

import yaml

from placement.decision import Decision
from placement.emit import objects
from placement.federation import Federation


def render(federation: Federation, decision: Decision, directory: Path, out: Path) -> list[Path]:
    """Write the objects of *decision* below *out*, and return the files.

    Files that an earlier rendering left and this one does not write are removed, so that what is
    applied from the folder is what was decided.

    Args:
        federation: what was decided on.
        decision: a decision with a placement.
        directory: where the federation file is.
        out: a folder of its own; made if absent.
    """
    contents = {
        out / _name(content): to_yaml(content) for content in objects(federation, decision, directory)
    }
    out.mkdir(parents=True, exist_ok=True)
    for stale in set(out.glob("*.yaml")) - set(contents):
        stale.unlink()
    for path, text in contents.items():
        path.write_text(text, encoding="utf-8")
    return sorted(contents)


def to_yaml(content: dict[str, Any]) -> str:
    """One object as a YAML document, keys in their own order."""
    # No folding: a diff shows a changed value as one changed line.
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)


def _name(content: dict[str, Any]) -> str:
    metadata = content["metadata"]
    return f"{metadata['namespace']}-{content['kind'].lower()}-{metadata['name']}.yaml"
