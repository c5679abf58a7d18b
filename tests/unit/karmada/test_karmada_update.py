"""A change to an object is judged as Karmada's webhooks judge it."""

import copy
from typing import Any

import pytest

from placement.karmada.update import PERMANENT_ID, update_errors
from tests.unit.karmada.sound_kinds import KINDS, sound


def _stored(kind: str) -> dict[str, Any]:
    manifest = sound(kind)
    if kind in PERMANENT_ID:
        manifest["metadata"]["labels"] = {PERMANENT_ID[kind]: "4711"}
    return manifest


@pytest.mark.parametrize("kind", KINDS)
def test_no_change_is_in_order(kind: str) -> None:
    """An object may be replaced by itself, with defaults written out or not."""
    assert update_errors(_stored(kind), _stored(kind)) == []


@pytest.mark.parametrize("kind", PERMANENT_ID)
def test_the_scheduler_stays(kind: str) -> None:
    """The scheduler's name is immutable; writing its default out is no change."""
    old, new = _stored(kind), _stored(kind)
    new["spec"]["schedulerName"] = "default-scheduler"
    assert update_errors(old, new) == []
    new["spec"]["schedulerName"] = "mine"
    (error,) = update_errors(old, new)
    assert error.field == "spec.schedulerName"
    assert error.message == "the schedulerName should not be updated"


@pytest.mark.parametrize("kind", PERMANENT_ID)
@pytest.mark.parametrize("changed", [{}, {"other": "4711"}, None])
def test_the_permanent_id_stays(kind: str, changed: dict[str, str] | None) -> None:
    """A label that is lost or changed is refused: bindings know their policy by it."""
    old, new = _stored(kind), _stored(kind)
    new["metadata"]["labels"] = changed
    (error,) = update_errors(old, new)
    label = PERMANENT_ID[kind]
    assert error.field == f"metadata.labels[{label}]"
    assert error.message == (
        f"label {label} is immutable, it can only be set by the system during creation"
    )


@pytest.mark.parametrize("kind", PERMANENT_ID)
def test_the_permanent_id_is_required(kind: str) -> None:
    """A policy that was created without the mutating webhook cannot be changed."""
    (error,) = update_errors(sound(kind), sound(kind))
    assert error.type == "FieldValueRequired"
    assert error.message.endswith("set by the mutating admission webhook during creation")


def test_the_types_of_a_service_stay() -> None:
    """Karmada quotes the old types."""
    old = sound("MultiClusterService")
    new = copy.deepcopy(old)
    new["spec"]["types"] = ["LoadBalancer"]
    assert [error.message for error in update_errors(old, new)] == [
        'spec.types: Invalid value: ["CrossCluster"]: MultiClusterService types are immutable'
    ]
