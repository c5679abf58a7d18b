"""From the engine's events to what changes: resources, decisions, and the verdicts of policies.

Owns what is taken of an event: names, paths, counts, and the ``decision`` that a federation stack
publishes. Property values stay behind, with the few exceptions that a review is about: how a policy
divides, and how long it tolerates a lost cluster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pulumi import automation as auto
from pulumi.automation.events import StepEventMetadata

from placement.decision import Decision
from placement.decision import read as read_decision
from placement.emit import WORKLOAD_LABEL
from placement.emit.tolerations import LOST_KEYS
from policies.rules import RULES

Operation = Literal["create", "update", "replace", "delete", "other"]
"""What happens to a resource; ``other`` is one of the engine's rarer steps, such as an import."""

_OPERATIONS: Final[Mapping[str, Operation]] = {
    "create": "create",
    "update": "update",
    "delete": "delete",
    "replace": "replace",
    "create-replacement": "replace",
    "delete-replaced": "replace",
}
_ORDER: Final[Sequence[Operation]] = ("delete", "replace", "update", "create", "other")
_QUIET: Final = ("same", "read", "refresh", "discard", "discard-replaced", "read-discard")
_STACK: Final = "pulumi:pulumi:Stack"
_PLANE: Final = "federation:federation:Federation"
_SERVER: Final = "hcloud:index/server:Server"
_POLICIES: Final = ("PropagationPolicy", "ClusterPropagationPolicy")
_TAINTING: Final = ":ClusterTaintPolicy"
_HOLLOW: Final = ("preview failed", "Resource monitor has terminated, shutting down")
"""What the engine says of every preview that failed, also of one that a policy fails."""

_DOUBT: Final = "not evaluable yet: "


@dataclass(frozen=True, order=True)
class Change:
    """A resource that does not stay as it is.

    Attributes:
        operation: what happens to it.
        type: its type token.
        name: its name in the program.
        paths: the properties that change.
        reasons: of a replacement, the properties that force it.
    """

    operation: Operation
    type: str
    name: str
    paths: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def reprices(self) -> bool:
        """Whether it is a server that is bought anew, at the tariff of the day."""
        if self.type != _SERVER:
            return False
        return self.operation in ("create", "replace") or "serverType" in self.paths


@dataclass(frozen=True, order=True)
class Verdict:
    """What a policy says of a resource.

    Attributes:
        code: of the rule, such as ``FED001``; the policy's name where it is of another pack.
        severity: of the rule; empty where it is of another pack.
        mandatory: whether it stops the change.
        resource: the resource's name.
        message: what is wrong, and the way out.
        page: where the rule is explained; empty where it is of another pack.
    """

    code: str
    severity: str
    mandatory: bool
    resource: str
    message: str
    page: str


@dataclass(frozen=True)
class Division:
    """What the policy of a workload says beside its clusters.

    Attributes:
        tolerated: seconds that it bears a lost cluster; None: for ever.
        estimate: how it divides, where free capacity decides and no preview can know.
    """

    tolerated: int | None
    estimate: str | None = None


@dataclass(frozen=True)
class Changes:
    """What a preview shows.

    Attributes:
        resources: those that change, in a stable order.
        violations: what policies found wrong.
        doubts: what policies could not evaluate.
        before: the decision that the stack published last.
        after: the decision that it would publish.
        divisions: by workload id.
        regions: of each cluster that the plane knew or knows.
        failover: whether the stack has lost clusters tainted, without which nothing is evicted.
        errors: why the preview did not come to its end; none where a policy fails it.
    """

    resources: tuple[Change, ...]
    violations: tuple[Verdict, ...]
    doubts: tuple[Verdict, ...]
    before: Decision | None
    after: Decision | None
    divisions: Mapping[str, Division]
    regions: Mapping[str, str]
    failover: bool
    errors: tuple[str, ...]


def read(events: Sequence[auto.EngineEvent]) -> Changes:
    """What *events* show."""
    steps = list(_steps(events))
    verdicts = [_verdict(event.policy_event) for event in events if event.policy_event]
    stacks = [s for s in steps if s.type == _STACK]
    errors = tuple(_errors(events))
    return Changes(
        resources=tuple(sorted(_changes(steps), key=_gravity)),
        violations=tuple(sorted({v for v in verdicts if _DOUBT not in v.message})),
        doubts=tuple(sorted({v for v in verdicts if _DOUBT in v.message})),
        before=next((d for s in stacks if s.old and (d := _decision(s.old.outputs))), None),
        # Of a program that did not come to its end, the engine shows the outputs of the last run.
        after=_decision(stacks[0].new.outputs) if stacks and stacks[0].new and not errors else None,
        divisions=dict(_divisions(steps)),
        regions=_regions(steps),
        failover=any(s.new and s.type.endswith(_TAINTING) for s in steps),
        errors=errors,
    )


def _steps(events: Iterable[auto.EngineEvent]) -> Iterator[StepEventMetadata]:
    """What is said of each resource, the last word first: outputs come after the step."""
    for event in reversed(list(events)):
        happened = event.res_outputs_event or event.resource_pre_event
        if happened is not None:
            yield happened.metadata


def _changes(steps: Iterable[StepEventMetadata]) -> Iterator[Change]:
    """One change a resource: the steps of a replacement are one."""
    by_urn: dict[str, list[StepEventMetadata]] = {}
    for step in steps:
        if step.op.value not in _QUIET:
            by_urn.setdefault(step.urn, []).append(step)
    for urn, same in by_urn.items():
        operations = [_OPERATIONS.get(step.op.value, "other") for step in same]
        replaced = "replace" in operations
        yield Change(
            operation="replace" if replaced else operations[0],
            type=same[0].type,
            name=_name(urn),
            paths=tuple(sorted({path for step in same for path in _paths(step)})),
            reasons=tuple(sorted({r for s in same for r in _reasons(s)})) if replaced else (),
        )


def _paths(step: StepEventMetadata) -> Iterable[str]:
    """The properties that a step changes; the engine names none of a component."""
    if step.op.value == "update" and not step.detailed_diff and not step.diffs:
        old = step.old.inputs if step.old else None
        new = step.new.inputs if step.new else None
        was, is_ = dict(old or {}), dict(new or {})
        return [key for key in was.keys() | is_.keys() if was.get(key) != is_.get(key)]
    return step.detailed_diff or step.diffs or ()


def _gravity(change: Change) -> tuple[int, Change]:
    """What takes something away stands first."""
    return _ORDER.index(change.operation), change


def _reasons(step: StepEventMetadata) -> Iterable[str]:
    detailed = step.detailed_diff or {}
    forced = [path for path, diff in detailed.items() if diff.diff_kind.value.endswith("replace")]
    return forced or step.keys or ()


def _regions(steps: Iterable[StepEventMetadata]) -> dict[str, str]:
    """The region of each cluster that the plane knew or knows."""
    found: dict[str, str] = {}
    for state in (s for step in steps if step.type == _PLANE for s in (step.old, step.new) if s):
        clusters = (state.inputs or {}).get("clusters") or {}
        found.update({name: str(facts["region"]) for name, facts in clusters.items()})
    return found


def _verdict(event: auto.events.PolicyEvent) -> Verdict:
    """The verdict, without what the engine puts before a message and the rule after it."""
    name, resource = event.policy_name, _name(event.resource_urn or "")
    mandatory, message = event.enforcement_level == "mandatory", event.message.strip()
    rule = next((rule for rule in RULES if rule.name == name), None)
    if rule is None:
        return Verdict(name, "", mandatory, resource, message, "")
    message = message.removeprefix(rule.description).removesuffix(f". See {rule.page}").strip()
    return Verdict(rule.code, rule.severity, mandatory, resource, message, rule.page)


def _decision(outputs: Mapping[str, Any] | None) -> Decision | None:
    """The decision among a stack's outputs; None where there is none that can be read."""
    try:
        return read_decision((outputs or {})["decision"])
    except (KeyError, ValueError):
        return None


def _divisions(steps: Iterable[StepEventMetadata]) -> Iterator[tuple[str, Division]]:
    for step in steps:
        inputs = step.new.inputs if step.new else None
        if step.type.rpartition(":")[2] not in _POLICIES or not inputs:
            continue
        metadata = inputs.get("metadata") or {}
        workload = (metadata.get("labels") or {}).get(WORKLOAD_LABEL)
        placement = (inputs.get("spec") or {}).get("placement")
        if workload and isinstance(placement, dict):
            yield f"{metadata.get('namespace')}/{workload}", _division(placement)


def _division(placement: Mapping[str, Any]) -> Division:
    seconds = [
        given.get("tolerationSeconds")
        for given in placement.get("clusterTolerations") or ()
        if given.get("key") in LOST_KEYS
    ]
    bounded = [int(each) for each in seconds if each is not None]
    scheduling = placement.get("replicaScheduling") or {}
    estimate = None
    if scheduling.get("replicaDivisionPreference") == "Aggregated":
        estimate = "aggregated on as few clusters as have room"
    elif (scheduling.get("weightPreference") or {}).get("dynamicWeight"):
        estimate = "weighted by the free capacity of the moment"
    # Without a toleration Karmada evicts at once; with one and no seconds, never.
    tolerated = min(bounded) if bounded else (None if seconds else 0)
    return Division(tolerated, estimate)


def _errors(events: Iterable[auto.EngineEvent]) -> Iterator[str]:
    for event in events:
        said = event.diagnostic_event
        if said is not None and said.severity == "error" and said.message.strip() not in _HOLLOW:
            of_program = not said.urn or f"::{_STACK}::" in said.urn
            prefix = "" if of_program else f"{_name(said.urn or '')}: "
            yield f"{prefix}{said.message.strip()}"


def _name(urn: str) -> str:
    return urn.rpartition("::")[2]
