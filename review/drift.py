"""How the real objects differ from the state, sorted by whose the difference is.

Owns the sorting. A difference is *ours* where it touches what the program wrote, *expected* where
Karmada, an autoscaler or a cloud writes it as it should, else *foreign*. A cluster that joined
since the last decision is *never placed*: nothing drifted, and the next decision may use it.

Source: ``metadata.managedFields`` says who wrote a field last (server-side apply).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from pulumi import automation as auto
from pulumi.automation.events import StepEventMetadata

from components.federation.api import KarmadaApi
from components.outputs import KARMADA
from placement.decision import read as read_decision
from placement.faults import ExitCode
from review.decisions import known_clusters
from review.engine import Run, UserStack, carrier_of

SCHEMA: Final = "federation/drift/v1"
Owner = Literal["ours", "foreign", "expected", "never placed"]

_DEFECTS: Final[Sequence[Owner]] = ("ours", "foreign")
"""The differences that change the exit code."""

_KUBERNETES: Final = "kubernetes:"
_OBJECT: Final = "(object)"
_KARMADA: Final = "karmada"
_BOOKS: Final = frozenset(
    f"metadata.{key}"
    for key in ("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid")
)
"""What the API server writes with every change: it says nothing by itself."""

_AUTOSCALERS: Final = ("FederatedHPA", "CronFederatedHPA")
_CONTROLLED: Final = {"Cluster": ("spec.taints", "spec.id", "spec.resourceModels")}
"""Fields of our objects that Karmada's controllers rewrite, by kind."""


@dataclass(frozen=True, order=True)
class Difference:
    """One difference between an object and the state.

    Attributes:
        owner: whose it is.
        type: the resource's type token.
        name: the resource's name; of a cluster that is never placed, the cluster's.
        path: the property; ``(object)`` where the object is gone.
        writers: who wrote it last, as the API server knows them.
    """

    owner: Owner
    type: str
    name: str
    path: str
    writers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drift:
    """All differences of a stack.

    Attributes:
        differences: in a stable order.
        errors: why the objects could not be read, without secrets.
    """

    stack: str
    differences: tuple[Difference, ...]
    errors: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command."""
        if self.errors:
            return ExitCode.FAILURE
        defects = any(d.owner in _DEFECTS for d in self.differences)
        return ExitCode.CHANGES if defects else ExitCode.DONE

    def of(self, owner: Owner) -> tuple[Difference, ...]:
        """The differences of *owner*."""
        return tuple(d for d in self.differences if d.owner == owner)

    def json(self) -> str:
        """The JSON form as text, with a newline at the end."""
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=2, sort_keys=True) + "\n"


def drift(name: str, stack: UserStack) -> Drift:
    """Refresh *stack* without writing anything, and sort what differs.

    Raises:
        FederationError: the Karmada API does not answer.
    """
    run = stack.refresh()
    if run.failed:
        said = [e.diagnostic_event for e in run.events if e.diagnostic_event]
        errors = (run.secrets.without(d.message.strip()) for d in said if d.severity == "error")
        return Drift(name, (), tuple(dict.fromkeys(errors)) or (run.failed,))
    found = [*differences(_refreshed(run.events)), *_never_placed(run, stack)]
    return Drift(name, tuple(sorted(found)))


def differences(steps: Sequence[StepEventMetadata]) -> Iterator[Difference]:
    """The differences that refresh steps show, each with its owner."""
    scaled = set(_scaled(steps))
    for step in steps:
        name = step.urn.rpartition("::")[2]
        if step.op.value == "delete":
            yield Difference("ours", step.type, name, _OBJECT)
        elif step.old is not None and step.new is not None:
            old, new = dict(step.old.outputs or {}), dict(step.new.outputs or {})
            for path in _changed(old, new):
                writers = tuple(sorted(_writers(new, path)))
                owner = _owner(step, path, new, writers, scaled)
                yield Difference(owner, step.type, name, ".".join(path), writers)


def _refreshed(events: Iterable[auto.EngineEvent]) -> list[StepEventMetadata]:
    steps = [e.res_outputs_event.metadata for e in events if e.res_outputs_event]
    return [step for step in steps if not step.type.startswith("pulumi:")]


def _owner(
    step: StepEventMetadata,
    path: tuple[str, ...],
    live: Mapping[str, Any],
    writers: Sequence[str],
    scaled: set[tuple[str, ...]],
) -> Owner:
    inputs = dict(step.old.inputs or {}) if step.old else {}
    is_object = step.type.startswith(_KUBERNETES)
    kind = step.type.rpartition(":")[2]
    full = ".".join(path)
    if path[0] == "status" or full.startswith(_CONTROLLED.get(kind, ())):
        return "expected"
    if full == "spec.replicas" and _identity(kind, live) in scaled:
        return "expected"
    if _at(inputs, path) is not None:
        return "ours"
    if not is_object or _is_karmadas(path, live):
        return "expected"
    if writers and all(writer.startswith(_KARMADA) for writer in writers):
        return "expected"
    return "foreign"


def _is_karmadas(path: Sequence[str], live: Mapping[str, Any]) -> bool:
    """Whether a label, an annotation or the finalizers are Karmada's by their names."""
    if path[:2] == ("metadata", "finalizers"):
        return all(_of_karmada(str(name)) for name in _at(live, path) or ())
    return len(path) == 3 and path[1] in ("labels", "annotations") and _of_karmada(path[2])


def _of_karmada(name: str) -> bool:
    return name.partition("/")[0].endswith("karmada.io")


def _scaled(steps: Iterable[StepEventMetadata]) -> Iterator[tuple[str, ...]]:
    """The templates whose replicas an autoscaler of this stack sets."""
    for step in steps:
        inputs = step.old.inputs if step.old else None
        if step.type.rpartition(":")[2] in _AUTOSCALERS and inputs:
            target = (inputs.get("spec") or {}).get("scaleTargetRef") or {}
            namespace = (inputs.get("metadata") or {}).get("namespace", "")
            yield str(target.get("kind")), str(namespace), str(target.get("name"))


def _identity(kind: str, content: Mapping[str, Any]) -> tuple[str, ...]:
    metadata = content.get("metadata") or {}
    return kind, str(metadata.get("namespace", "")), str(metadata.get("name"))


def _changed(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths at which two states differ; a list counts as a whole."""
    if old == new or ".".join(path) in _BOOKS or (path and path[0].startswith("__")):
        return
    if isinstance(old or {}, Mapping) and isinstance(new or {}, Mapping):
        was, is_ = old or {}, new or {}
        for key in sorted(was.keys() | is_.keys()):
            yield from _changed(was.get(key), is_.get(key), (*path, key))
    else:
        yield path


def _at(content: Any, path: Sequence[str]) -> Any:
    for key in path:
        content = content.get(key) if isinstance(content, Mapping) else None
    return content


def _writers(live: Mapping[str, Any], path: Sequence[str]) -> Iterator[str]:
    """Who wrote the field at *path* last."""
    for entry in _at(live, ("metadata", "managedFields")) or ():
        fields = entry.get("fieldsV1") or {}
        if _at(fields, [f"f:{key}" for key in path]) is not None:
            yield str(entry.get("manager"))


def _never_placed(run: Run, stack: UserStack) -> Iterator[Difference]:
    """The clusters on the Karmada API that the last decision did not know."""
    exports = [
        e.res_outputs_event.metadata.old.outputs or {}
        for e in run.events
        if e.res_outputs_event
        and e.res_outputs_event.metadata.type == "pulumi:pulumi:Stack"
        and e.res_outputs_event.metadata.old
    ]
    carrier = carrier_of(run.events)
    if not carrier or not exports or "decision" not in exports[-1]:
        return
    decision = read_decision(exports[-1]["decision"])
    known = known_clusters(decision)
    access = stack.published(carrier).get("access")
    kubeconfig = access.value["kubeconfigs"][KARMADA] if access else None
    for name in sorted(set(KarmadaApi(kubeconfig).clusters()) - known) if kubeconfig else ():
        yield Difference("never placed", "cluster.karmada.io/v1alpha1:Cluster", name, _OBJECT)
