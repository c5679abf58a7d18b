"""The pack through the real engine and on stored state: what is stopped, what is said, what passes.

Nothing here needs a cluster: the provider is real, and a preview asks no server.
"""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest

from components.resource import KubernetesObject
from lab.engine import Workspace
from tests.policies.analyzed import PACK, Run, analyze, needs_pack, stack, with_pack
from tests.policies.cases import (
    CASES,
    CONFIG_MAP,
    EVEN,
    FACTS,
    FEDERATION,
    NOWHERE,
    PLANTED,
    PROVIDER,
    config_map,
    inputs,
    policy,
)

pytestmark = needs_pack

STACK = "policies-test"
BROKEN = sorted(
    [
        *((case.policy, f"bad-{case.policy}") for case in CASES),
        ("FED006-secret-output", STACK),
    ]
)
"""What must fire: each rule once, on its own bad resource, and that of outputs on the stack."""

SECRET = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    "plaintext": json.dumps(PLANTED),
}
"""A secret as ``pulumi stack export --show-secrets`` writes it."""


def program() -> None:
    """Every case, bad and good, beside values that are secret or not known yet."""
    plane = pulumi.ComponentResource(FEDERATION, "plane", FACTS)
    known = {"clusterIdentifier": "nowhere", "kubeconfig": pulumi.Output.secret(NOWHERE)}
    provider = pulumi.ProviderResource("kubernetes", "nowhere", known)
    options = pulumi.ResourceOptions(parent=plane, provider=provider)
    first = KubernetesObject("first", config_map({}), options)
    for case in CASES:
        for name, bad in ((f"bad-{case.policy}", True), (f"good-{case.policy}", False)):
            props = inputs(case, bad=bad)
            if case.type == PROVIDER:
                pulumi.ProviderResource("kubernetes", name, props)
            else:
                KubernetesObject(name, props, options)
    late = pulumi.Output.all(pulumi.Output.secret(""), first.id).apply(lambda both: both[1])
    marked = {"PASSWORD": pulumi.Output.secret(PLANTED), "TOKEN": late}
    KubernetesObject("marked", config_map(marked), options)
    KubernetesObject("late-text", config_map({"a": first.id}), options)
    KubernetesObject("late-spec", {**policy(EVEN, EVEN), "spec": {"placement": first.id}}, options)
    pulumi.ProviderResource("kubernetes", "late", {"clusterIdentifier": first.id})
    pulumi.export("token", PLANTED)
    pulumi.export("marked", pulumi.Output.secret(PLANTED))
    pulumi.export("late", first.id)


@pytest.fixture(scope="module")
def previewed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A preview of ``program`` with the pack."""
    return with_pack(stack(tmp_path_factory.mktemp("preview"), program).preview)


def test_at_a_preview_each_rule_fires_once_and_stays_quiet_once(previewed: Run) -> None:
    """The engine shows every violation, of the bad resources alone, and ends with an error."""
    assert previewed.fired == BROKEN
    assert previewed.failed
    advisory = {v.policy for v in previewed.verdicts if v.evaluated and v.level == "advisory"}
    assert advisory == {"FED008-single-continent"}


def test_at_a_preview_the_user_reads_what_is_wrong_and_where_it_is_explained(
    previewed: Run,
) -> None:
    """The text of the command holds each message with the page of its rule."""
    for case in CASES:
        assert case.said in previewed.text
        assert f"See docs/policies/{case.policy[:6]}.md" in previewed.text


def test_at_a_preview_what_is_not_known_yet_is_said_to_be_so(previewed: Run) -> None:
    """Unknown values are advisories of their own, never a pass; marked secrets are in order."""
    rules = ("FED001-carrier", "FED002-spread", "FED003-max-groups", "FED004-tolerations")
    assert previewed.doubted == sorted(
        [
            *((rule, "late-spec") for rule in (*rules, "FED006-secret", "FED007-division")),
            ("FED005-provider", "late"),
            ("FED006-secret", "late"),
            ("FED006-secret", "late-text"),
            ("FED006-secret-output", STACK),
        ]
    )
    assert {v.level for v in previewed.verdicts if not v.evaluated} == {"advisory"}


def test_no_message_holds_the_secret(previewed: Run) -> None:
    """Neither a rule's message nor what Pulumi makes of it says a value that was found."""
    policies = previewed.text.partition("Policies:")[2].partition("Outputs:")[0]
    assert policies
    assert PLANTED not in policies
    assert PLANTED not in "".join(verdict.message for verdict in previewed.verdicts)


def test_an_update_is_stopped_before_the_resource_is_written(tmp_path: Path) -> None:
    """A resource that breaks a mandatory rule never comes to be; what came before it stays."""

    def leaking() -> None:
        before = pulumi.ComponentResource("test:unit:Fine", "before", {"a": "b"})
        options = pulumi.ResourceOptions(parent=before)
        pulumi.ComponentResource("test:unit:Leak", "leak", {"token": PLANTED}, options)

    leaky = stack(tmp_path, leaking)
    run = with_pack(leaky.up)
    assert run.failed
    assert run.fired == [("FED006-secret", "leak")]
    stored = leaky.export_stack().deployment or {}
    names = {item["urn"].rpartition("::")[2] for item in stored["resources"]}
    assert "before" in names
    assert "leak" not in names
    assert PLANTED not in json.dumps(stored)


def state(*, bad: bool) -> Iterator[dict[str, Any]]:
    """The resources of a stored state: the cases, after the facts that they need."""
    outputs = {"token": PLANTED if bad else SECRET}
    yield {**_stored("pulumi:pulumi:Stack", STACK, {}), "outputs": outputs}
    yield _stored(FEDERATION, "plane", FACTS)
    for case in CASES:
        name = f"{'bad' if bad else 'good'}-{case.policy}"
        yield _stored(case.type, name, case.bad if bad else case.good)
    yield _stored(CONFIG_MAP, "marked", config_map({"PASSWORD": SECRET}))


def _stored(type_: str, name: str, props: Mapping[str, Any]) -> dict[str, Any]:
    custom = type_ not in (FEDERATION, "pulumi:pulumi:Stack")
    return {
        "urn": f"urn:pulumi:test::policies::{type_}::{name}",
        "custom": custom,
        **({"id": name} if custom else {}),
        "type": type_,
        "inputs": dict(props),
        "outputs": dict(props),
    }


def test_on_stored_state_each_rule_fires_once(tmp_path: Path) -> None:
    """The same resources as a state file: the same violations, and exit code 1."""
    run = analyze(tmp_path, state(bad=True))
    assert run.fired == BROKEN
    assert run.doubted == []
    assert run.failed
    assert PLANTED not in "".join(verdict.message for verdict in run.verdicts)


def test_on_stored_state_every_rule_stays_quiet(tmp_path: Path) -> None:
    """The good ones: no violation, nothing left open, exit code 0."""
    run = analyze(tmp_path, state(bad=False))
    assert run.verdicts == ()
    assert not run.failed


def test_the_example_passes(tmp_path: Path) -> None:
    """Both planes of this checkout, as a user brings them up, violate nothing.

    The ledger, critical and at home in one country, is told apart by the advisory.
    """
    workspace = Workspace(tmp_path)
    carrier = workspace.stack("tokyo")
    workspace.set_secret("tokyo", "federation:kubeconfig", NOWHERE)
    ledger = ("FED008-single-continent", "payments/ledger-statefulset-propagationpolicy")
    for run, advised in (
        (with_pack(carrier.up), []),
        (with_pack(workspace.stack("federation").preview), [ledger]),
    ):
        assert not run.failed, run.text
        assert run.fired == advised
        assert run.doubted == []


def test_without_its_environment_the_pack_says_what_to_run(tmp_path: Path) -> None:
    """A checkout without `.venv-policies` gets a sentence, not a stack trace."""
    copy = tmp_path / "policies" / "pack"
    copy.parent.mkdir()
    copy.write_bytes(PACK.read_bytes())
    copy.chmod(0o755)
    done = subprocess.run([copy, "address"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "the policy pack has no environment yet: run `make policies`\n"
