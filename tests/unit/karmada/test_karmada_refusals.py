"""Every reason not to send a policy comes as a line that names the field."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from placement.karmada.advice import refusals
from placement.karmada.findings import Facts

_KNOWN = Facts(regions={"ash": "us-east", "fsn": "eu-central"}, counts={"ash": 4, "fsn": 2})
_WEIGHTS = "spec.placement.replicaScheduling.weightPreference.staticWeightList"
_SPREAD = "spec.placement.spreadConstraints"

_Edit = Callable[[dict[str, Any]], object]


def _weightless(spec: dict[str, Any]) -> None:
    preference = spec["placement"]["replicaScheduling"]["weightPreference"]
    preference["staticWeightList"][0]["weight"] = 0


def _text_for_a_number(spec: dict[str, Any]) -> None:
    spec["placement"]["spreadConstraints"][1]["maxGroups"] = "2"


def test_web_frontend_is_refused_for_both_reasons(web_frontend: dict[str, Any]) -> None:
    """Weights 70 and 30 with a spread over regions alone: the webhook's reason, and the other."""
    assert web_frontend["spec"]["placement"]["spreadConstraints"] == [
        {"spreadByField": "region", "minGroups": 2, "maxGroups": 5}
    ]
    lines = refusals(web_frontend)
    assert len(lines) == 2
    assert all(line.startswith(f"{_SPREAD}: ") for line in lines)
    assert "the cluster spread constraint must be enabled" in lines[0]
    assert "static weights ignore spread" in lines[1]


def test_a_sound_policy_is_not_refused(sound: dict[str, Any]) -> None:
    """Selectors without a namespace are no error: the server fills it before it validates."""
    before = copy.deepcopy(sound)
    assert refusals(sound, _KNOWN) == []
    assert sound == before


def test_a_cluster_policy_may_select_any_namespace(sound: dict[str, Any]) -> None:
    """The namespace of a selector binds a PropagationPolicy and no ClusterPropagationPolicy."""
    sound["spec"]["resourceSelectors"][0]["namespace"] = "elsewhere"
    assert [line.partition(": ")[0] for line in refusals(sound, _KNOWN)] == [
        "spec.resourceSelectors[0].namespace"
    ]
    sound["kind"] = "ClusterPropagationPolicy"
    del sound["metadata"]["namespace"]
    assert refusals(sound, _KNOWN) == []


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (lambda spec: spec.update(placment={}), "spec.placment"),
        (lambda spec: spec.update(propagate_deps=True), "spec.propagate_deps"),
        (lambda spec: spec.update(resourceSelectors=[]), "spec.resourceSelectors"),
        (_weightless, f"{_WEIGHTS}[0].weight"),
        (_text_for_a_number, f"{_SPREAD}[1].maxGroups"),
    ],
)
def test_what_the_schema_refuses_is_refused_alone(
    sound: dict[str, Any], edit: _Edit, field: str
) -> None:
    """A misspelt field, a Python name and a wrong type are named by path, and nothing else is."""
    edit(sound["spec"])
    assert [line.partition(": ")[0] for line in refusals(sound, _KNOWN)] == [field]


def test_a_policy_without_a_spec_is_refused() -> None:
    """Anything may be asked about."""
    assert len(refusals({})) == 1
