"""What can be wrong with an input, and the exit codes of every command.

Owns the wording of a fault (``FILE:LINE key: read X; allowed Y``) and the exceptions that carry
faults to a command line or to a Pulumi program. It does not find faults: the models do.
"""

from dataclasses import dataclass
from enum import IntEnum

Location = tuple[str | int, ...]
"""Where a value stands: keys and indices from the top of the input."""


class ExitCode(IntEnum):
    """Exit codes, the same for every command of the project."""

    DONE = 0
    """Done, or nothing to change."""
    FAILURE = 1
    """Something outside the input failed: a server, a tool, the disk."""
    CHANGES = 2
    """Nothing failed, and there are changes to show."""
    INFEASIBLE = 3
    """No placement meets the requirements, or a policy is violated."""
    BAD_INPUT = 4
    """The input is wrong; every fault was named."""


@dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong, and where.

    Attributes:
        file: the file as the user named it.
        line: the line, from 1; 0 where the input has no lines (an environment variable, say).
        key: the path of keys to the value, such as ``clusters[2].name``.
        message: what was read and what is allowed, such as ``read -1; allowed 0 or more``.
    """

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where} {self.key}: {self.message}"


class FederationError(Exception):
    """An error that a user can act on: shown as its message alone, never as a traceback."""

    exit_code = ExitCode.FAILURE


class BadInputError(FederationError):
    """The input is wrong.

    Attributes:
        faults: every fault found, in file and line order; at least one.
    """

    exit_code = ExitCode.BAD_INPUT

    def __init__(self, *faults: Fault) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(str(fault) for fault in self.faults))


def shown(location: Location) -> str:
    """A location as a fault shows it: ``clusters[2].name``; ``(file)`` for the whole."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if part.isprintable() else ascii(part)
            text += f".{name}" if text else name
    return text or "(file)"


class InfeasibleError(FederationError):
    """No placement meets the requirements; the message names those that conflict."""

    exit_code = ExitCode.INFEASIBLE
