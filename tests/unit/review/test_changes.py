"""What is taken of the engine's events."""

import pytest
from pulumi import automation as auto

from placement.decision import Decision
from policies.rules import RULES
from review.changes import Change, Division, read
from tests.unit.review.made import POLICY, STACK, decided, judged, placed, said, step

SERVER = "hcloud:index/server:Server"


def published(before: Decision | None, after: Decision | None) -> list[auto.EngineEvent]:
    """The stack's two events: as it was, and with the outputs of this run."""
    old = {"outputs": {"decision": before.document()} if before else {}}
    new = {"outputs": {"decision": after.document()} if after else {}}
    return [
        step("same", STACK, "it", old=old, new=old),
        step("same", STACK, "it", old=old, new=new),
    ]


def test_the_steps_of_a_replacement_are_one_change_with_its_reason() -> None:
    """Create, replace and delete of one resource are a replacement, because of what forces it."""
    diff = {
        "image": {"diffKind": "update-replace", "inputDiff": True},
        "labels.a": {"diffKind": "add", "inputDiff": True},
    }
    events = [
        step("create-replacement", SERVER, "one", detailedDiff=diff),
        step("replace", SERVER, "one", detailedDiff=diff),
        step("delete-replaced", SERVER, "one"),
    ]
    assert read(events).resources == (
        Change("replace", SERVER, "one", ("image", "labels.a"), ("image",)),
    )


def test_what_stays_or_is_read_is_no_change_and_what_is_unknown_is_one() -> None:
    """Quiet steps count for nothing; a step that nobody has foreseen is shown."""
    quiet = [step(op, POLICY, op) for op in ("same", "read", "refresh", "discard")]
    assert read(quiet).resources == ()
    (change,) = read([step("import", POLICY, "one")]).resources
    assert change.operation == "other"


def test_what_is_destroyed_stands_first() -> None:
    """Order is that of gravity, then type and name."""
    events = [step(op, POLICY, op) for op in ("create", "update", "delete", "replace")]
    order = [change.operation for change in read(events).resources]
    assert order == ["delete", "replace", "update", "create"]


@pytest.mark.parametrize(
    ("op", "paths", "repriced"),
    [
        ("create", (), True),
        ("replace", ("image",), True),
        ("update", ("serverType",), True),
        ("update", ("labels.a",), False),
        ("delete", (), False),
    ],
)
def test_request_14_a_server_is_bought_anew(
    op: str, paths: tuple[str, ...], repriced: bool
) -> None:
    """A server that is created, replaced or rescaled is charged at the tariff of the day."""
    diff = {path: {"diffKind": "update", "inputDiff": True} for path in paths}
    (change,) = read([step(op, SERVER, "one", detailedDiff=diff)]).resources
    assert change.reprices == repriced
    (other,) = read([step(op, POLICY, "one", detailedDiff=diff)]).resources
    assert not other.reprices


def test_decisions_are_the_last_and_the_new_one() -> None:
    """The old outputs hold the last decision, and the new ones the new one."""
    before, after = decided(placed("web", {"east": 1})), decided(placed("web", {"west": 1}))
    found = read(published(before, after))
    assert (found.before, found.after) == (before, after)


def test_a_run_that_ends_early_has_no_new_decision() -> None:
    """The engine then shows the outputs of the last run: they are not new. A policy ends no run."""
    before = decided(placed("web", {"east": 1}))
    shown = published(before, before)
    found = read([*shown, said("cannot go on"), said("preview failed")])
    assert (found.before, found.after) == (before, None)
    assert read([*shown, said("preview failed")]).after == before


def policy(workload: str, **placement: object) -> dict[str, object]:
    """The inputs of a workload's policy."""
    labels = {"federation/workload": workload}
    metadata = {"name": workload, "namespace": "shop", "labels": labels}
    return {"inputs": {"metadata": metadata, "spec": {"placement": placement}}}


def lost(*seconds: int | None) -> list[dict[str, object]]:
    """Tolerations of a lost cluster; None for ever."""
    key = "cluster.karmada.io/not-ready"
    return [{"key": key, **({} if s is None else {"tolerationSeconds": s})} for s in seconds]


@pytest.mark.parametrize(
    ("placement", "division"),
    [
        ({"clusterTolerations": lost(270, 90)}, Division(90)),
        ({"clusterTolerations": lost(None)}, Division(None)),
        ({}, Division(0)),
        (
            {"replicaScheduling": {"replicaDivisionPreference": "Aggregated"}},
            Division(0, "aggregated on as few clusters as have room"),
        ),
        (
            {"replicaScheduling": {"weightPreference": {"dynamicWeight": "AvailableReplicas"}}},
            Division(0, "weighted by the free capacity of the moment"),
        ),
    ],
    ids=["bounded", "for-ever", "at-once", "aggregated", "dynamic"],
)
def test_a_policy_says_how_long_it_bears_a_loss_and_how_it_divides(
    placement: dict[str, object], division: Division
) -> None:
    """The shortest toleration counts, none is none, and free capacity makes an estimate."""
    event = step("same", POLICY, "web", new=policy("web", **placement))
    assert read([event]).divisions == {"shop/web": division}


def test_a_stack_without_taint_policies_fails_over_nothing() -> None:
    """A ClusterTaintPolicy that stays, or comes, is one; one that goes is none."""
    taint = "kubernetes:policy.karmada.io/v1alpha1:ClusterTaintPolicy"
    assert read([step("same", taint, "not-ready", new={})]).failover
    assert not read([step("delete", taint, "not-ready", old={})]).failover
    assert not read([]).failover


def test_request_15_what_is_not_evaluable_is_told_apart() -> None:
    """What could not be evaluated is told apart; a rule of another pack has neither."""
    rule = next(rule for rule in RULES if rule.name == "FED002-spread")
    message = f"{rule.description}\ntoo few. See {rule.page}"
    found = read(
        [
            judged("FED002-spread", "b", message),
            judged("FED002-spread", "b", message),
            judged("theirs", "a", "no", "advisory"),
            judged("FED001-carrier", "a", "can't run: not evaluable yet: secret", "advisory"),
        ]
    )
    ours, theirs = found.violations
    assert (ours.code, ours.severity, ours.mandatory) == ("FED002", "high", True)
    assert (ours.message, ours.page) == ("too few", "docs/policies/FED002.md")
    assert (theirs.code, theirs.severity, theirs.page) == ("theirs", "", "")
    assert [doubt.code for doubt in found.doubts] == ["FED001"]


def test_errors_are_those_of_severity_error() -> None:
    """Debug messages, of which the engine sends many, are none."""
    assert read([said("noise", "debug"), said("broken")]).errors == ("broken",)
