"""The Karmada API takes sound objects of each kind, and each type of error has its words."""

import pytest

from placement.karmada.admission import admission_errors
from tests.unit.karmada.edits import Edit, append, put
from tests.unit.karmada.sound_kinds import KINDS, sound

_ANNOTATIONS = "spec.overrideRules.0.overriders.annotationsOverrider.0.value"


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_object_is_taken(kind: str) -> None:
    """Nothing is said of an object without a fault."""
    assert admission_errors(sound(kind)) == []


def test_a_null_is_no_value() -> None:
    """The API server drops nulls before it looks: an optional list may be null."""
    policy = sound("PropagationPolicy")
    policy["spec"]["placement"]["spreadConstraints"] = None
    assert admission_errors(policy) == []
    policy["spec"]["resourceSelectors"] = None
    assert [error.type for error in admission_errors(policy)] == ["FieldValueRequired"]


@pytest.mark.parametrize(
    ("kind", "edit", "type_", "starts"),
    [
        (
            "Cluster",
            put("spec.region", "a b"),
            "FieldValueInvalid",
            'spec.region: Invalid value: "a b": ',
        ),
        (
            "Cluster",
            put("spec.zone", "a"),
            "FieldValueTypeInvalid",
            'spec.spec: Invalid value: {"id":"9e1c","SyncMode":"Push",',
        ),
        (
            "Cluster",
            put("spec.secretRef.name", ""),
            "FieldValueRequired",
            "spec.secretRef.name: Required value",
        ),
        (
            "Cluster",
            put("spec.zonal", "x"),
            "FieldValueForbidden",
            "spec.zonal: Forbidden: ",
        ),
        (
            "CronFederatedHPA",
            append("spec.rules", {"name": "night", "schedule": "@daily", "targetReplicas": 1}),
            "FieldValueDuplicate",
            'spec.rules[1].name: Duplicate value: "night"',
        ),
        (
            "FederatedHPA",
            put("spec.behavior.scaleUp.selectPolicy", "<"),
            "FieldValueNotSupported",
            r'spec.behavior.scaleUp.selectPolicy: Unsupported value: "\u003c": supported values: ',
        ),
        (
            "OverridePolicy",
            put(_ANNOTATIONS, {"a": "x" * 2**18}),
            "FieldValueTooLong",
            "spec.overrideRules[0].overriders.annotationsOverrider[0].value: Too long: ",
        ),
    ],
)
def test_a_type_of_error_has_its_words(kind: str, edit: Edit, type_: str, starts: str) -> None:
    """Type and wording belong together, as in Kubernetes."""
    manifest = sound(kind)
    edit(manifest)
    (error,) = admission_errors(manifest)
    assert error.type == type_
    assert error.message.startswith(starts)
