"""How a test asks for a review of its project, and what came of it."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lab import tools
from placement.faults import FederationError
from review.__main__ import review
from tests.engine.case import Case
from tests.policies.analyzed import needs_pack

NOW = "2026-11-30"

__all__ = ["NOW", "Reviewed", "needs_pack", "reviewed"]


@dataclass(frozen=True)
class Reviewed:
    """What came of a command.

    Attributes:
        code: its exit code.
        text: what it printed.
        log: what it said beside.
        document: its JSON form; empty where it wrote none.
    """

    code: int
    text: str
    log: str
    document: dict[str, Any]


def reviewed(case: Case, patch: pytest.MonkeyPatch, *arguments: str) -> Reviewed:
    """Run ``python -m review`` in the project of *case*, as a user in its environment does."""
    file = case.folder / "review.json"
    file.unlink(missing_ok=True)
    if arguments[:1] != ("record",):
        arguments = (*arguments, "--json", str(file))
    with patch.context() as here:
        here.chdir(case.workspace.project)
        for name, value in case.workspace.environment.items():
            here.setenv(name, value)
        folder = str(tools.path("pulumi").parent)
        here.setenv("PATH", os.pathsep.join([folder, os.environ["PATH"]]))
        done = CliRunner().invoke(review, arguments, standalone_mode=False)
    document = json.loads(file.read_text("utf-8")) if file.exists() else {}
    match done.exception:
        case None:
            return Reviewed(int(done.return_value), done.stdout, done.stderr, document)
        case FederationError() as error:
            return Reviewed(error.exit_code, done.stdout, f"{done.stderr}{error}", document)
        case other:
            raise other


def golden(name: str) -> Path:
    """A golden file of the reviews."""
    return Path(__file__).parent / "golden" / name
