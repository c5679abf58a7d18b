"""Stacks for the tests of the policy pack: an inline program, the real engine, and its verdicts.

Owns a Pulumi project in a folder of its own with a backend of files, and what the engine says of
policies. No cluster is needed: what runs is a preview, or an analysis of a state that is made here.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pulumi import automation as auto

from lab.tools import find
from tests.built import missing

CHECKOUT = Path(__file__).parents[2]
PACK = CHECKOUT / "policies" / "pack"
PYTHON = CHECKOUT / ".venv-policies" / "bin" / "python"

_TOOLS = ("pulumi", "pulumi-resource-kubernetes")
_MISSING = missing(*_TOOLS)
if not PYTHON.exists():
    _MISSING.append(".venv-policies")

needs_pack = pytest.mark.skipif(
    bool(_MISSING), reason=f"not there: {', '.join(_MISSING)} (run `make tools policies`)"
)


@dataclass(frozen=True)
class Verdict:
    """What a policy said of a resource.

    Attributes:
        policy: its name, such as ``FED001-carrier``.
        resource: the resource's name.
        level: ``mandatory`` or ``advisory``.
        message: what the user reads.
    """

    policy: str
    resource: str
    level: str
    message: str

    @property
    def evaluated(self) -> bool:
        """Whether the policy could be evaluated, and found something wrong."""
        return "not evaluable yet" not in self.message

    @property
    def what(self) -> tuple[str, str]:
        """Policy and resource."""
        return (self.policy, self.resource)


@dataclass(frozen=True)
class Run:
    """What came of a command.

    Attributes:
        verdicts: in the engine's order.
        text: what the user read.
        failed: whether the command ended with an error.
    """

    verdicts: tuple[Verdict, ...]
    text: str
    failed: bool

    @property
    def fired(self) -> list[tuple[str, str]]:
        """The violations, sorted: policy and resource."""
        return sorted(verdict.what for verdict in self.verdicts if verdict.evaluated)

    @property
    def doubted(self) -> list[tuple[str, str]]:
        """What could not be evaluated, sorted: policy and resource."""
        return sorted(verdict.what for verdict in self.verdicts if not verdict.evaluated)


def environment(folder: Path) -> dict[str, str]:
    """The environment of a CLI that writes into *folder* alone."""
    return {
        "PULUMI_HOME": str(folder / "home"),
        "PULUMI_BACKEND_URL": f"file://{folder / 'backend'}",
        "PULUMI_CONFIG_PASSPHRASE": "of a test",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PATH": os.pathsep.join([str(find.ROOT / "bin"), os.environ.get("PATH", "")]),
    }


def stack(folder: Path, program: Callable[[], None]) -> auto.Stack:
    """A stack of *program* whose every file is below *folder*."""
    for name in ("home", "backend", "project"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return auto.create_or_select_stack(
        "test",
        project_name="policies",
        program=program,
        opts=auto.LocalWorkspaceOptions(
            work_dir=str(folder / "project"),
            env_vars=environment(folder),
            pulumi_command=auto.PulumiCommand(root=str(find.path("pulumi").parent.parent)),
            secrets_provider="passphrase",
            project_settings=auto.ProjectSettings(name="policies", runtime="python"),
        ),
    )


def with_pack(command: Callable[..., Any]) -> Run:
    """Run *command*, such as ``stack.preview``, with the policy pack."""
    found: list[Verdict] = []

    def listen(event: auto.events.EngineEvent) -> None:
        if policy := event.policy_event:
            found.append(
                Verdict(
                    policy.policy_name,
                    _name(policy.resource_urn),
                    policy.enforcement_level,
                    policy.message,
                )
            )

    try:
        text, failed = command(policy_packs=[str(PACK)], on_event=listen).stdout, False
    except auto.CommandError as error:
        text, failed = str(error), True
    return Run(tuple(found), text, failed)


def analyze(folder: Path, resources: Iterable[Mapping[str, Any]]) -> Run:
    """What ``pulumi policy analyze`` says of a stored state."""
    state = folder / "state.json"
    deployment = {"manifest": {"time": "2026-11-30T00:00:00Z"}, "resources": list(resources)}
    state.write_text(json.dumps({"version": 3, "deployment": deployment}), "utf-8")
    done = subprocess.run(
        [
            *(find.path("pulumi"), "policy", "analyze", "--json"),
            *("--policy-pack", PACK, "--file", state),
        ],
        env={**os.environ, **environment(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    policies = [event["policyEvent"] for event in events if "policyEvent" in event]
    found = [
        Verdict(p["policyName"], _name(p["resourceUrn"]), p["enforcementLevel"], p["message"])
        for p in policies
    ]
    return Run(tuple(found), done.stdout + done.stderr, done.returncode != 0)


def _name(urn: str | None) -> str:
    return (urn or "").rpartition("::")[2]
