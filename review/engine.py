"""The engine on the user's own stack: a preview with the policy pack, or a refresh, only shown.

Owns the run and how its end is told: the events, and why it failed. The project is that of the
present folder, backend and passphrase are those of the environment. The program runs inline, as
``__main__.py`` would: no process and no language host has to start for it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import pulumi
from pulumi import automation as auto

from components.planes import build
from placement.faults import BadInputError, Fault, FederationError
from review.secrets import Secrets

PACK: Final = Path(__file__).resolve().parent.parent / "policies" / "pack"
T = TypeVar("T")
_PROJECT: Final = Path("Pulumi.yaml")


@dataclass
class Run:
    """What came of a run.

    Attributes:
        events: in the engine's order.
        failed: how the command ended, in its last words; empty where it did not fail.
        cause: what the program found wrong, where that ended it.
        secrets: what the program was given as secret, to be kept out of every text.
    """

    events: list[auto.EngineEvent] = field(default_factory=list)
    failed: str = ""
    cause: FederationError | None = None
    secrets: Secrets = field(default_factory=Secrets)


_NO_CHECKPOINTS = {"PULUMI_SKIP_CHECKPOINTS": "true"}
"""The engine serialises the whole state after every step, also where nothing is written, as here:
time that grows with the square of the resources (``bench.previews``)."""


class UserStack:
    """A stack of the project in the present folder.

    Args:
        name: the stack's name.
        environment: what the CLI's environment has besides that of this process.

    Raises:
        BadInputError: there is no project here.
        FederationError: the CLI is not there, or too old.
    """

    def __init__(self, name: str, environment: Mapping[str, str] | None = None) -> None:
        if not _PROJECT.exists():
            fault = Fault(str(_PROJECT), 0, "(file)", "not found; allowed a Pulumi project here")
            raise BadInputError(fault)
        self._name = name
        self._run = Run()
        try:
            self._workspace = _Workspace(
                work_dir=str(Path.cwd()),
                program=self._program,
                env_vars={**_NO_CHECKPOINTS, **(environment or {})},
            )
        except (OSError, auto.InvalidVersionError) as error:
            raise FederationError(f"pulumi, from the PATH, cannot be used: {error}") from None
        self._stack = auto.Stack.select(name, self._workspace)

    def preview(self, *, plan: Path | None = None) -> Run:
        """Preview the stack with the policy pack.

        Args:
            plan: where to save the update plan, if anywhere.

        Raises:
            BadInputError: there is no such stack.
            FederationError: another update holds the stack.
        """
        saved = None if plan is None else str(plan.absolute())
        return self._told(
            lambda on_event: self._stack.preview(
                policy_packs=[str(PACK)], plan=saved, on_event=on_event
            )
        )

    def refresh(self) -> Run:
        """See how the resources differ from the state; changes neither.

        Raises:
            BadInputError: there is no such stack.
            FederationError: another update holds the stack.
        """
        return self._told(lambda on_event: self._stack.preview_refresh(on_event=on_event))

    def _told(self, command: Callable[[auto.OnEvent], object]) -> Run:
        def run() -> None:
            try:
                command(self._run.events.append)
            except auto.CommandError as error:
                events = self._run.events
                if not any(event.prelude_event for event in events):
                    _refuse_unbegun(events)
                    raise
                self._run.failed = _last_words(error)

        self._asked(run)
        if self._run.failed:
            # A provider's error may hold what another stack published as secret.
            for stack in _named(setting(self._run.events, "stacks")):
                self.published(stack)
        return self._run

    def _asked(self, question: Callable[[], T]) -> T:
        """The answer of the CLI, or what a user can do about there being none."""
        try:
            return question()
        except auto.StackNotFoundError:
            message = f"read {self._name!r}; allowed a stack of this project (pulumi stack ls)"
            raise BadInputError(Fault("--stack", 0, "(name)", message)) from None
        except auto.ConcurrentUpdateError:
            raise FederationError(
                f"another update holds the stack {self._name}; wait for it, or, where it was "
                f"killed: pulumi cancel --stack {self._name}"
            ) from None
        except auto.CommandError as error:
            raise FederationError(f"pulumi: {_last_words(error)}") from None

    def referenced(self) -> tuple[str, ...]:
        """The stacks that this one reads, by its settings.

        Raises:
            BadInputError: there is no such stack.
        """
        settings = self._asked(lambda: self._workspace.get_all_config(self._name))
        stacks = settings.get("federation:stacks")
        return _named(stacks.value if stacks else None)

    def state(self, stack: str) -> auto.Deployment:
        """The state of *stack*, with its secrets in clear.

        Raises:
            BadInputError: there is no such stack.
            FederationError: it cannot be read.
        """
        return self._asked(lambda: self._workspace.export_stack(stack))

    def published(self, stack: str) -> Mapping[str, auto.OutputValue]:
        """What *stack* published, with its secrets, which a review leaves out from now on.

        Empty where it cannot be read.
        """
        try:
            outputs = self._workspace.stack_outputs(stack)
        except auto.CommandError:
            return {}
        for output in outputs.values():
            if output.secret:
                self._run.secrets.learn(output.value)
        return outputs

    async def _program(self) -> None:
        """Do what ``__main__.py`` does, and keep what it found wrong."""
        self._run.secrets.learn_settings()
        try:
            exports = await build()
        except pulumi.RunError as error:
            if isinstance(error.__context__, FederationError):
                self._run.cause = error.__context__
            raise
        for name, value in exports.items():
            pulumi.export(name, value)


class _Workspace(auto.LocalWorkspace):
    """A workspace that leaves the stack selected that the user has selected."""

    def select_stack(self, stack_name: str) -> None:
        """Nothing: every command names its stack."""


def _refuse_unbegun(events: Sequence[auto.EngineEvent]) -> None:
    """Say why a run never began, where a plugin has said it, such as the policy pack.

    Raises:
        FederationError: with what was said.
    """
    diagnostics = [event.diagnostic_event for event in events if event.diagnostic_event]
    said = [d.message.strip() for d in diagnostics if d.severity == "info#err"]
    if said:
        raise FederationError("\n".join(said))


def _last_words(error: auto.CommandError) -> str:
    """What the CLI said at last, such as that the passphrase is wrong."""
    text = str(error)
    said: list[str] = [line.strip() for line in text.splitlines() if "error:" in line]
    return said[-1].removeprefix("error:").strip() if said else "failed without a word"


def setting(events: Sequence[auto.EngineEvent], key: str) -> str | None:
    """A setting of the project as *events* begin with it; None where there is none.

    The engine masks those that are secret.
    """
    configs = (event.prelude_event.config for event in events if event.prelude_event)
    return next(configs, {}).get(f"federation:{key}")


def carrier_of(events: Sequence[auto.EngineEvent]) -> str | None:
    """The stack of the carrier that a run's stack reads; None where it reads none."""
    return next(iter(_named(setting(events, "stacks"))), None)


def _named(stacks: str | None) -> tuple[str, ...]:
    """The stacks that the setting ``federation:stacks`` names, the carrier first."""
    named = json.loads(stacks or "{}")
    return tuple(filter(None, (named.get("carrier"), *named.get("compute", ()))))
