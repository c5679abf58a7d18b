"""Each rule for override policies, taint policies and quotas fires on its fault."""

import pytest

from placement.karmada.admission import admission_errors
from tests.unit.karmada.edits import Edit, append, assert_one_error, both, put
from tests.unit.karmada.sound_kinds import sound

_RULE = "spec.overrideRules.0.overriders"
_FIELD = f"{_RULE}.fieldOverrider.0"

_FAULTS: list[tuple[str, Edit, str, str]] = [
    (
        "OverridePolicy",
        put("spec.targetCluster", {"clusterNames": ["fsn"]}),
        "spec.targetCluster",
        "can't co-exist",
    ),
    (
        "OverridePolicy",
        put("spec.overriders", {"plaintext": [{"path": "/a", "operator": "remove"}]}),
        "spec.overriders",
        "can't co-exist",
    ),
    (
        "OverridePolicy",
        both(
            put("spec.overrideRules", None),
            put(
                "spec.targetCluster",
                {"fieldSelector": {"matchExpressions": [{"key": "x", "operator": "In"}]}},
            ),
        ),
        "spec.targetCluster.fieldSelector",
        "unsupported key",
    ),
    (
        "OverridePolicy",
        put(
            "spec.overrideRules.0.targetCluster",
            {"fieldSelector": {"matchExpressions": [{"key": "zone", "operator": "Gt"}]}},
        ),
        "spec.overrideRules[0].targetCluster.fieldSelector",
        "unsupported operator",
    ),
    (
        "OverridePolicy",
        put("spec.resourceSelectors.0.namespace", "other"),
        "spec.resourceSelectors[0].namespace",
        "must be the same as the namespace of the policy",
    ),
    (
        "ClusterOverridePolicy",
        put(f"{_RULE}.imageOverrider.0.predicate.path", "spec"),
        "spec.overrideRules[0].overriders.imageOverrider[0].predicate.path",
        'JSON pointer must be empty or start with a "/',
    ),
    (
        "OverridePolicy",
        put(f"{_RULE}.labelsOverrider.0.value", {"tier": "not a value"}),
        "spec.overrideRules[0].overriders.labelsOverrider[0].value",
        "a valid label must be",
    ),
    (
        "OverridePolicy",
        put(f"{_RULE}.labelsOverrider.0.value", {"-": "gold"}),
        "spec.overrideRules[0].overriders.labelsOverrider[0].value",
        "name part must consist",
    ),
    (
        "OverridePolicy",
        put(f"{_RULE}.annotationsOverrider.0.value", {"-": "x"}),
        "spec.overrideRules[0].overriders.annotationsOverrider[0].value",
        "name part must consist",
    ),
    (
        "OverridePolicy",
        put(f"{_RULE}.annotationsOverrider.0.value", {"a": "x" * 2**18}),
        "spec.overrideRules[0].overriders.annotationsOverrider[0].value",
        "Too long: may not be more than 262144 bytes",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.json", [{"subPath": "", "operator": "remove"}]),
        "spec.overrideRules[0].overriders.fieldOverrider[0]",
        "Only one is allowed",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.yaml", []),
        "spec.overrideRules[0].overriders.fieldOverrider[0]",
        "Required value: FieldOverrider must have either",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.fieldPath", "data"),
        "spec.overrideRules[0].overriders.fieldOverrider[0].fieldPath",
        "JSON pointer error",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.yaml.0.subPath", "a"),
        "spec.overrideRules[0].overriders.fieldOverrider[0].yaml[0].subPath",
        "JSON pointer error",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.yaml.0.value", None),
        "spec.overrideRules[0].overriders.fieldOverrider[0].yaml[0].value",
        "Invalid value: null: value is required for add or replace operation",
    ),
    (
        "OverridePolicy",
        put(f"{_FIELD}.yaml.0.operator", "remove"),
        "spec.overrideRules[0].overriders.fieldOverrider[0].yaml[0].value",
        "Invalid value: 1: value is not allowed for remove operation",
    ),
    (
        "ClusterTaintPolicy",
        put("spec.taints.0.effect", "NoExecute"),
        "spec.taints[0]",
        "Forbidden: Configuring taint with NoExecute",
    ),
    (
        "ClusterTaintPolicy",
        append("spec.taints", {"key": "example.com/down", "effect": "NoSchedule", "value": "x"}),
        "spec.taints[0]",
        "Duplicate taint with the same key(example.com/down) and effect(NoSchedule)",
    ),
    (
        "FederatedResourceQuota",
        put("spec.overall", {"requests.cpu": "3999m", "nvidia.com/gpu": "2"}),
        "spec.overall[requests.cpu]",
        'Invalid value: "3999m": overall is less than assignments',
    ),
    (
        "FederatedResourceQuota",
        put("spec.staticAssignments.0.hard", {"requests.memory": "1"}),
        "spec.staticAssignments[0].hard[requests.memory]",
        "assignment resourceName is not exist in overall",
    ),
    (
        "FederatedResourceQuota",
        put("spec.staticAssignments.0.clusterName", "A"),
        "spec.staticAssignments[0].clusterName",
        "a lowercase RFC 1123 label",
    ),
    (
        "FederatedResourceQuota",
        put("spec.overall.storage", "1"),
        "spec.overall[storage]",
        "must be a standard resource for quota",
    ),
    (
        "FederatedResourceQuota",
        put("spec.overall.pods", "1500m"),
        "spec.overall[pods]",
        "must be an integer",
    ),
    (
        "FederatedResourceQuota",
        put("spec.staticAssignments.0.hard", {"requests.cpu": "-1"}),
        "spec.staticAssignments[0].hard[requests.cpu]",
        "must be greater than or equal to 0",
    ),
    (
        "FederatedResourceQuota",
        put("metadata.name", "x" * 64),
        "metadata.name",
        "must be no more than 63 characters",
    ),
    ("FederatedResourceQuota", put("spec.overall.cpu", "two"), "spec.overall.cpu", "read 'two'"),
    ("OverridePolicy", put("spec.overideRules", []), "spec.overideRules", "unknown field"),
    (
        "OverridePolicy",
        put(f"{_RULE}.imageOverrider.0.component", "Digest"),
        "spec.overrideRules[0].overriders.imageOverrider[0].component",
        'supported values: "Registry", "Repository", "Tag"',
    ),
]


@pytest.mark.parametrize(("kind", "edit", "field", "says"), _FAULTS)
def test_a_fault_is_named(kind: str, edit: Edit, field: str, says: str) -> None:
    """One fault in a sound object gives one error, at its field, in Karmada's words."""
    assert_one_error(sound(kind), edit, field, says)


def test_no_execute_may_be_allowed() -> None:
    """A webhook that runs with the switch takes a NoExecute taint."""
    policy = sound("ClusterTaintPolicy")
    policy["spec"]["taints"][0]["effect"] = "NoExecute"
    assert admission_errors(policy, allow_no_execute=True) == []


def test_only_the_webhook_form_of_the_deprecated_overriders_is_seen() -> None:
    """Karmada forgets fieldOverrider when it looks for overriders beside the rules."""
    policy = sound("OverridePolicy")
    overriders = policy["spec"]["overrideRules"][0]["overriders"]
    policy["spec"]["overriders"] = {"fieldOverrider": overriders["fieldOverrider"]}
    assert admission_errors(policy) == []
