"""Each rule for autoscalers, by metrics and by the clock, fires on its fault."""

import pytest

from placement.karmada.admission import admission_errors
from tests.unit.karmada.edits import Edit, append, assert_one_error, both, put
from tests.unit.karmada.sound_kinds import sound

_AUTOSCALER = {"apiVersion": "autoscaling.karmada.io/v1alpha1", "kind": "FederatedHPA", "name": "x"}

_FAULTS: list[tuple[str, Edit, str, str]] = [
    ("FederatedHPA", put("spec.minReplicas", 0), "spec.minReplicas", "or equal to 1"),
    ("FederatedHPA", put("spec.minReplicas", 3), "spec.maxReplicas", "or equal to `minReplicas`"),
    (
        "FederatedHPA",
        put("spec.scaleTargetRef.name", "a/b"),
        "spec.scaleTargetRef.name",
        "may not contain '/'",
    ),
    (
        "FederatedHPA",
        put("spec.scaleTargetRef.kind", ""),
        "spec.scaleTargetRef.kind",
        "Required value",
    ),
    (
        "FederatedHPA",
        put(
            "spec.metrics.3.pods",
            {"metric": {"name": "x"}, "target": {"type": "AverageValue", "averageValue": 1}},
        ),
        "spec.metrics[3].pods",
        "Forbidden: must populate the given metric source only",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.3.resource.target", {"type": "Utilization"}),
        "spec.metrics[3].resource.target.averageUtilization",
        "must set either a target raw value or a target utilization",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.3.resource.target.averageValue", "1"),
        "spec.metrics[3].resource.target.averageValue",
        "may not set both",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.3.resource.target.averageUtilization", 0),
        "spec.metrics[3].resource.target.averageUtilization",
        "must be greater than 0",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.3.resource.target.type", "Mean"),
        "spec.metrics[3].resource.target.type",
        "must be either Utilization, Value, or AverageValue",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.3.resource.name", ""),
        "spec.metrics[3].resource.name",
        "must specify a resource name",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.2.pods.target", {"type": "Value"}),
        "spec.metrics[2].pods.target.averageValue",
        "must specify a positive target averageValue",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.2.pods.metric.name", "50%"),
        "spec.metrics[2].pods.metric.name",
        "may not contain '%'",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.1.object.target.value", "-1000m"),
        "spec.metrics[1].object.target.value",
        'Invalid value: "-1": must be positive',
    ),
    (
        "FederatedHPA",
        put("spec.metrics.0.containerResource.container", "A"),
        "spec.metrics[0].containerResource.container",
        "a lowercase RFC 1123 label",
    ),
    (
        "FederatedHPA",
        put("spec.metrics.0.containerResource.name", "pods"),
        "spec.metrics[0].containerResource.name",
        "must be a standard resource for containers",
    ),
    (
        "FederatedHPA",
        put("spec.behavior.scaleUp.stabilizationWindowSeconds", 3601),
        "spec.behavior.scaleUp.stabilizationWindowSeconds",
        "must be less than or equal to 3600",
    ),
    (
        "FederatedHPA",
        put("spec.behavior.scaleUp.selectPolicy", "Mean"),
        "spec.behavior.scaleUp.selectPolicy",
        'supported values: "Disabled", "Max", "Min"',
    ),
    (
        "FederatedHPA",
        put("spec.behavior.scaleUp.policies.0.periodSeconds", 1801),
        "spec.behavior.scaleUp.policies[0].periodSeconds",
        "must be less than or equal to 1800",
    ),
    (
        "FederatedHPA",
        put("spec.behavior.scaleUp.policies.0.value", 0),
        "spec.behavior.scaleUp.policies[0].value",
        "must be greater than zero",
    ),
    (
        "CronFederatedHPA",
        put("spec.scaleTargetRef.apiVersion", _AUTOSCALER["apiVersion"]),
        "spec.scaleTargetRef.kind",
        "only support FederatedHPA",
    ),
    (
        "CronFederatedHPA",
        append("spec.rules", {"name": "night", "schedule": "@daily", "targetReplicas": 1}),
        "spec.rules[1].name",
        'Duplicate value: "night"',
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.schedule", "0 25 * * *"),
        "spec.rules[0].schedule",
        "invalid cron format",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.timeZone", "Europe/Atlantis"),
        "spec.rules[0].timeZone",
        "unknown time zone Europe/Atlantis",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.timeZone", "../UTC"),
        "spec.rules[0].timeZone",
        "time: invalid location name",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.targetReplicas", None),
        "spec.rules[0].targetReplicas",
        "cannot be nil if you want to scale Deployment",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.targetReplicas", -1),
        "spec.rules[0].targetReplicas",
        "should be larger than or equal to 0",
    ),
    (
        "CronFederatedHPA",
        put("spec.scaleTargetRef", _AUTOSCALER),
        "spec.rules[0].targetMaxReplicas",
        "cannot be nil at the same time",
    ),
    (
        "CronFederatedHPA",
        both(
            put("spec.scaleTargetRef", _AUTOSCALER),
            put("spec.rules.0.targetMinReplicas", 5),
            put("spec.rules.0.targetMaxReplicas", 4),
        ),
        "spec.rules[0].targetMinReplicas",
        "targetMaxReplicas should be larger than or equal to targetMinReplicas",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.failedHistoryLimit", 33),
        "spec.rules[0].failedHistoryLimit",
        "32",
    ),
    (
        "CronFederatedHPA",
        put("spec.rules.0.successfulHistoryLimit", 0),
        "spec.rules[0].successfulHistoryLimit",
        "1",
    ),
    ("FederatedHPA", put("spec.maxReplicas", "2"), "spec.maxReplicas", "valid integer"),
]


@pytest.mark.parametrize(("kind", "edit", "field", "says"), _FAULTS)
def test_a_fault_is_named(kind: str, edit: Edit, field: str, says: str) -> None:
    """One fault in a sound object gives one error, at its field, in Karmada's words."""
    assert_one_error(sound(kind), edit, field, says)


def test_an_unknown_kind_of_metric_is_named_twice() -> None:
    """Karmada looks twice at the type of a metric, and external ones are unknown to it."""
    autoscaler = sound("FederatedHPA")
    external = {"metric": {"name": "x"}, "target": {"type": "Value", "value": 1}}
    autoscaler["spec"]["metrics"] = [{"type": "External", "external": external}]
    errors = admission_errors(autoscaler)
    assert [(error.field, error.type) for error in errors] == [
        ("spec.metrics[0].type", "FieldValueNotSupported")
    ] * 2
