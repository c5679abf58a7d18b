"""What a rule is: a code, a level, and a function from a resource to what is wrong with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from policies.known import Known
from policies.resources import Resource

Check: TypeAlias = Callable[[Resource, Known], Iterator[str]]
"""Yields what is wrong, a message each; raises ``NotEvaluableError`` for what cannot be told."""


@dataclass(frozen=True)
class Rule:
    """One rule of the pack.

    Attributes:
        code: stable, such as ``FED001``; the page in ``docs/policies`` has its name.
        title: a word or two, the rest of the policy's name.
        description: one sentence that says what is asked for.
        level: ``mandatory`` stops the update, ``advisory`` is only said.
        severity: how bad a violation is.
        check: the rule itself.
        outputs: whether it reads what resources have become, after the steps. By default it reads
            what they are to be, and so can stop them.
    """

    code: str
    title: str
    description: str
    level: Literal["mandatory", "advisory"]
    severity: Literal["medium", "high", "critical"]
    check: Check
    outputs: bool = False

    @property
    def name(self) -> str:
        """The name of the policy, such as ``FED001-carrier``."""
        return f"{self.code}-{self.title}"

    @property
    def page(self) -> str:
        """Where the rule is explained."""
        return f"docs/policies/{self.code}.md"
