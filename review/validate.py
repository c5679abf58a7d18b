"""What the Karmada API says of specs and of files, before anybody asks it.

Owns both forms of the answer: a JSON object a line for programs, and ``FILE:LINE field: message``
for people. The rules stand in ``placement.karmada``: its errors are those of Karmada, in Karmada's
words, and its advice is ours, with a code of its own, on what Karmada accepts and does not do.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from placement.document import Document
from placement.faults import BadInputError, Fault
from placement.karmada.admission import admission_errors, schema_errors
from placement.karmada.advice import findings
from placement.karmada.kinds import KINDS
from placement.karmada.validation import policy_errors

_KINDS: Final = {(served.api_version, served.kind) for served in KINDS}


@dataclass(frozen=True)
class Report:
    """What there is to say of the objects of a file.

    Attributes:
        lines: what people read, in the order of the file.
        refused: whether the Karmada API would refuse any of them.
        advised: whether there is advice besides.
    """

    lines: tuple[str, ...]
    refused: bool
    advised: bool


def answers(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to each line: ``{"id", "errors", "advice"}``, compact, keys sorted.

    The spec of a PropagationPolicy in the namespace ``default`` is judged as it stands, as by the
    webhook: without the defaults that the server would fill in before.

    Args:
        lines: one JSON object a line, with ``id`` and ``spec``; empty lines are left out.

    Raises:
        BadInputError: a line is no such object; the fault names its number.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _answer(line, number)


def validate_file(path: Path, *, allow_no_execute: bool = False) -> Report:
    """Return what there is to say of the Karmada objects in a YAML file, a document each.

    Args:
        path: the file.
        allow_no_execute: whether the webhook runs with ``--allow-no-execute-taint-policy``.

    Raises:
        BadInputError: the file cannot be read, or holds no object of a kind that is known here.
    """
    reports = [_report(document, allow_no_execute) for document in Document.each(path)]
    return Report(
        tuple(line for report in reports for line in report.lines),
        refused=any(report.refused for report in reports),
        advised=any(report.advised for report in reports),
    )


def _report(document: Document, allow_no_execute: bool) -> Report:
    manifest = document.plain
    if (manifest.get("apiVersion"), manifest.get("kind")) not in _KINDS:
        allowed = ", ".join(f"{kind} of {version}" for version, kind in sorted(_KINDS))
        read = f"{manifest.get('kind')} of {manifest.get('apiVersion')}"
        raise BadInputError(document.fault(("kind",), f"read {read}; allowed {allowed}"))
    errors = admission_errors(manifest, allow_no_execute=allow_no_execute)
    advice = [] if schema_errors(manifest) else findings(manifest)
    said = [(error.field, error.message.removeprefix(f"{error.field}: ")) for error in errors]
    said += [(each.field, f"{each.code}: {each.message}") for each in advice]
    faults = sorted(
        Fault(document.file, _line(document, field), field, message) for field, message in said
    )
    return Report(tuple(map(str, faults)), refused=bool(errors), advised=bool(advice))


def _answer(line: str, number: int) -> str:
    try:
        case: Any = json.loads(line)
    except ValueError as error:
        raise _bad(number, f"{error}; allowed a JSON object") from None
    if not isinstance(case, dict) or not {"id", "spec"} <= case.keys():
        raise _bad(number, "allowed a JSON object with id and spec")
    spec = case["spec"]
    if schema := schema_errors({"spec": spec}):
        errors, advice = schema, []
    else:
        errors, advice = policy_errors(spec), findings({"spec": spec})
    answer = {
        "id": case["id"],
        "errors": [{"field": e.field, "type": e.type, "message": e.message} for e in errors],
        "advice": [{"code": a.code, "field": a.field, "message": a.message} for a in advice],
    }
    return json.dumps(answer, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _bad(number: int, message: str) -> BadInputError:
    return BadInputError(Fault("<stdin>", number, "(line)", message))


def _line(document: Document, field: str) -> int:
    """Return the line of a field, or of the nearest part around it that the file has."""
    location = tuple(
        int(part) if part.isdecimal() else part
        for part in (
            match[1] or match[2] for match in re.finditer(r"([^.\[\]]+)|\[([^\]]*)\]", field)
        )
    )
    return document.fault(location, "").line
