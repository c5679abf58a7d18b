"""``python -m placement check``: what Karmada would say of the objects in a file.

Owns the command's options and what it prints. The rules stand in ``advice`` and ``update``.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from placement.document import Document
from placement.faults import BadInputError, ExitCode
from placement.karmada.admission import schema_errors
from placement.karmada.advice import refusals
from placement.karmada.kinds import KINDS
from placement.karmada.update import update_errors


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--stored",
    type=click.Path(path_type=Path),
    help="The same objects as they are on the Karmada API (kubectl get -o yaml): what a change may "
    "not do is then said too.",
)
def check(file: Path, stored: Path | None) -> int:
    """Check objects of Karmada's kinds: what its API refuses, and what it accepts and does not do.

    FILE may hold several YAML documents. An object without a kind is a PropagationPolicy.
    """
    present = {_name(old): old for old in _objects(stored)} if stored else {}
    found = [
        line
        for manifest in _objects(file)
        for line in (*refusals(manifest), *_changed(present.get(_name(manifest)), manifest))
    ]
    for line in found:
        click.echo(f"{file}: {line}", err=True)
    if not found:
        click.echo(f"{file}: accepted")
    return ExitCode.INFEASIBLE if found else ExitCode.DONE


def _objects(file: Path) -> Iterator[dict[str, Any]]:
    """The objects in *file*, in wire form.

    Raises:
        BadInputError: the file cannot be read, or holds an object of another kind.
    """
    for document in Document.each(file):
        kind = document.plain.get("kind", "PropagationPolicy")
        served = next((known for known in KINDS if known.kind == kind), None)
        if served is None:
            message = f"read {kind!r}; allowed {', '.join(sorted(k.kind for k in KINDS))}"
            raise BadInputError(document.fault(("kind",), message))
        version = document.plain.get("apiVersion", served.api_version)
        if version != served.api_version:
            message = f"read {version!r}; allowed {served.api_version} for {kind}"
            raise BadInputError(document.fault(("apiVersion",), message))
        metadata = document.plain.get("metadata")
        if metadata is not None and not isinstance(metadata, dict):
            message = "read no mapping; allowed a mapping of keys"
            raise BadInputError(document.fault(("metadata",), message))
        # Through JSON, in which a date is text as Kubernetes reads it.
        yield json.loads(json.dumps(document.plain, default=str))


def _name(manifest: Mapping[str, Any]) -> tuple[str, str, str]:
    metadata = manifest.get("metadata") or {}
    kind = manifest.get("kind", "PropagationPolicy")
    return kind, metadata.get("namespace") or "", metadata.get("name") or ""


def _changed(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> Iterator[str]:
    """What the webhook says of the change from *old*: labels that are not written stay."""
    if old is None or schema_errors(old) or schema_errors(new):
        return
    labels = {
        **((old.get("metadata") or {}).get("labels") or {}),
        **((new.get("metadata") or {}).get("labels") or {}),
    }
    stored = {**new, "metadata": {**(new.get("metadata") or {}), "labels": labels}}
    for error in update_errors(old, stored):
        known = error.message.startswith(error.field)
        yield error.message if known else f"{error.field}: {error.message}"
