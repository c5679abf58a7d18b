"""A change of a federation file: another value at a key, or the key gone.

Owns the edit of the frozen models by the keys of the file, and its form as JSON Patch (RFC 6902).
It does not validate: a federation without a requirement need not be one that a user could write.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from placement.faults import Location
from placement.federation.federation import Federation

GONE = object()
"""As a value: the item of a list or mapping is removed, the key of a model is at its default."""


_WHOLE = 2
"""The keys to a workload, cluster or budget as a whole."""


@dataclass(frozen=True)
class Change:
    """Another value at a key.

    Attributes:
        location: keys as the file spells them, and indices.
        value: the value, as the models hold it; ``GONE``; or, where it depends on what else is
            changed, a function of the federation in which all else is changed.
    """

    location: Location
    value: object


def changed(federation: Federation, changes: Iterable[Change]) -> Federation:
    """*federation* with all of *changes*: plain ones, then functions, then whole workloads gone."""
    given = list(changes)
    # The last item of a list goes first, so that the indices of the others stay right.
    gone = sorted({c.location for c in given if c.value is GONE}, reverse=True)
    whole = {location for location in gone if len(location) <= _WHOLE}
    given = [c for c in given if c.location[:_WHOLE] not in whole]
    inside = [location for location in gone if location[:_WHOLE] not in whole]
    result: Any = federation
    for change in given:
        if change.value is not GONE and not callable(change.value):
            result = _set(result, change.location, change.value)
    for location in inside:
        result = _set(result, location, GONE)
    for change in given:
        if callable(change.value):
            result = _set(result, change.location, change.value(result))
    for location in sorted(whole, reverse=True):
        result = _set(result, location, GONE)
    return _without_lost_neighbours(result) if whole else result


def patch(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """*changes* of plain values as JSON Patch, for the file as it is written."""
    operations: list[dict[str, Any]] = []
    for change in changes:
        escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in change.location)
        path = "".join(f"/{part}" for part in escaped)
        if change.value is GONE:
            operations.append({"op": "remove", "path": path})
        else:
            value = to_jsonable_python(change.value, by_alias=True)
            operations.append({"op": "add", "path": path, "value": value})
    return operations


def _set(node: Any, location: Sequence[str | int], value: object) -> Any:
    """*node* with *value* at *location*; unchanged where the location is already gone."""
    if not location:
        return value
    key, rest = location[0], location[1:]
    if isinstance(node, BaseModel):
        name = _attribute(node, str(key))
        if value is GONE and not rest:
            default = type(node).model_fields[name].get_default(call_default_factory=True)
            return node.model_copy(update={name: default})
        return node.model_copy(update={name: _set(getattr(node, name), rest, value)})
    if isinstance(node, Mapping):
        if value is GONE and not rest:
            return {k: v for k, v in node.items() if k != key}
        return {**node, key: _set(node.get(key), rest, value)}
    if isinstance(node, tuple) and isinstance(key, int):
        if value is GONE and not rest:
            return (*node[:key], *node[key + 1 :])
        return (*node[:key], _set(node[key], rest, value), *node[key + 1 :])
    raise KeyError(key)


def _attribute(model: BaseModel, key: str) -> str:
    """The Python name of a key of the file."""
    for name, field in type(model).model_fields.items():
        if key == (field.alias or name):
            return name
    raise KeyError(key)


def _without_lost_neighbours(federation: Federation) -> Federation:
    """No workload asks to be near or apart from one that is gone."""
    known = {workload.id for workload in federation.workloads}
    workloads = tuple(
        workload.model_copy(
            update={
                "workload_affinity": tuple(
                    n for n in workload.workload_affinity if n.workload in known
                ),
                "workload_anti_affinity": tuple(
                    n for n in workload.workload_anti_affinity if n.workload in known
                ),
            }
        )
        for workload in federation.workloads
    )
    return federation.model_copy(update={"workloads": workloads})
