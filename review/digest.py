"""The digest of a preview: all that a reviewer is told, before it is text.

Owns the verdict with its exit code, and the JSON form ``federation/review/v1``: sorted keys, stable
order, no property value.
"""

import json
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

from placement.faults import BadInputError, ExitCode, InfeasibleError
from review.changes import Change, Changes, Verdict
from review.decisions import Comparison, compare
from review.engine import Run, setting
from review.facts import DoubtfulFacts, doubtful
from review.losses import Loss, losses

SCHEMA: Final = "federation/review/v1"
Outcome = Literal["no change", "changes", "violation", "infeasible", "bad input", "failure"]
_CODES: Final[dict[Outcome, ExitCode]] = {
    "no change": ExitCode.DONE,
    "changes": ExitCode.CHANGES,
    "violation": ExitCode.INFEASIBLE,
    "infeasible": ExitCode.INFEASIBLE,
    "bad input": ExitCode.BAD_INPUT,
    "failure": ExitCode.FAILURE,
}


@dataclass(frozen=True)
class Estimate:
    """What the digest says and nobody can be sure of."""

    subject: str
    detail: str


@dataclass(frozen=True)
class Digest:
    """What a reviewer is told of a stack's preview.

    Attributes:
        outcome: the verdict.
        changes: of resources.
        comparison: of the last decision with the new one; None where there is no new one.
        losses: what each loss of a cluster or region brings.
        failover: whether the stack has lost clusters tainted; else nothing moves by itself.
        estimates: what only free capacity or a better bound will tell.
        facts: those to doubt.
        violations: of policies.
        doubts: what policies could not evaluate.
        errors: why the preview failed, without secrets.
    """

    stack: str
    outcome: Outcome
    changes: tuple[Change, ...]
    comparison: Comparison | None
    losses: tuple[Loss, ...]
    failover: bool
    estimates: tuple[Estimate, ...]
    facts: DoubtfulFacts
    violations: tuple[Verdict, ...]
    doubts: tuple[Verdict, ...]
    errors: tuple[str, ...]

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command."""
        return _CODES[self.outcome]

    @property
    def repriced(self) -> tuple[str, ...]:
        """The servers that are bought anew."""
        return tuple(change.name for change in self.changes if change.reprices)

    def count(self, operation: str) -> int:
        """How many resources *operation* happens to."""
        return sum(change.operation == operation for change in self.changes)

    def json(self) -> str:
        """The JSON form as text, with a newline at the end."""
        document = {"schema": SCHEMA, "repriced": self.repriced, **asdict(self)}
        plain = json.loads(json.dumps(document), object_hook=_camel_keys)
        return json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def digest(stack: str, run: Run, changes: Changes, now: date) -> Digest:
    """The digest of a preview of *stack* in the present folder.

    Args:
        stack: its name.
        run: the preview.
        changes: what its events show.
        now: the day for which facts are judged.
    """
    after = changes.after
    file = setting(run.events, "file")
    return Digest(
        stack=stack,
        outcome=_outcome(run, changes),
        changes=changes.resources,
        comparison=None if after is None else compare(changes.before, after, changes.regions),
        losses=(
            ()
            if after is None
            else losses(changes.before, after, changes.divisions, changes.regions)
        ),
        failover=changes.failover,
        estimates=tuple(_estimates(changes)),
        facts=doubtful(Path(file), now) if after is not None and file else DoubtfulFacts(),
        violations=changes.violations,
        doubts=changes.doubts,
        errors=_errors(run, changes),
    )


def _outcome(run: Run, changes: Changes) -> Outcome:
    if isinstance(run.cause, InfeasibleError):
        return "infeasible"
    if isinstance(run.cause, BadInputError):
        return "bad input"
    if any(verdict.mandatory for verdict in changes.violations):
        return "violation"
    if run.failed:
        return "failure"
    return "changes" if changes.resources else "no change"


def _errors(run: Run, changes: Changes) -> tuple[str, ...]:
    """Why the preview failed, once, and without secrets."""
    said = changes.errors if run.cause is None else (str(run.cause),)
    if not said and run.failed and not any(verdict.mandatory for verdict in changes.violations):
        said = (run.failed,)
    # The engine says some errors twice, in more words.
    short = [text for text in said if not any(o in text and o != text for o in said)]
    return tuple(dict.fromkeys(run.secrets.without(text) for text in short))


def _estimates(changes: Changes) -> list[Estimate]:
    found = [
        Estimate(workload, f"Karmada divides it {division.estimate}")
        for workload, division in sorted(changes.divisions.items())
        if division.estimate
    ]
    if changes.after is not None and changes.after.status == "gap":
        found.append(
            Estimate("the placement", "good, and not proven the best: each bound says by how much")
        )
    return found


def _camel_keys(document: dict[str, Any]) -> dict[str, Any]:
    return {_camel(key): value for key, value in document.items()}


def _camel(name: str) -> str:
    """A field's name as JSON has it; what is no field's name, such as a workload's id, stays."""
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest) if name.isidentifier() else name
