"""What the server fills into the kinds besides propagation policies."""

import copy
import json
from typing import Any

import pytest

from placement.karmada.defaults import with_defaults
from placement.karmada.encoding import manifest
from placement.karmada.kinds import KINDS as SERVED
from tests.unit.karmada.sound_kinds import KINDS, sound


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_settle_at_once(kind: str) -> None:
    """A second call changes nothing, and the input is left alone."""
    given = sound(kind)
    before = copy.deepcopy(given)
    once = with_defaults(given)
    assert with_defaults(once) == once
    assert given == before


@pytest.mark.parametrize("kind", KINDS)
def test_the_models_hold_every_object(kind: str) -> None:
    """What a model writes of a stored object is the stored object: nothing is lost or made up."""
    (served,) = (each for each in SERVED if each.kind == kind)
    stored = with_defaults(sound(kind))
    written = manifest(served.model.model_validate_json(json.dumps(stored)))
    assert written == _as_written(stored)


def _as_written(stored: dict[str, Any]) -> dict[str, Any]:
    """Return a stored object as its model writes it, where the API takes two forms.

    Amounts are text, and the overriders of a cluster's policy are there even if empty.
    """
    spec = stored["spec"]
    if stored["kind"] == "FederatedResourceQuota":
        for amounts in (spec["overall"], *(each["hard"] for each in spec["staticAssignments"])):
            amounts.update({key: str(value) for key, value in amounts.items()})
    if stored["kind"] == "ClusterOverridePolicy":
        spec["overriders"] = {}
    return stored


@pytest.mark.parametrize(
    ("kind", "spec", "stored"),
    [
        (
            "OverridePolicy",
            {"resourceSelectors": [{"apiVersion": "v1", "kind": "Secret"}], "overrideRules": []},
            {
                "resourceSelectors": [
                    {"apiVersion": "v1", "kind": "Secret", "namespace": "default"}
                ],
                "overriders": {},
            },
        ),
        ("ClusterOverridePolicy", {"overrideRules": []}, {"overrideRules": []}),
        ("MultiClusterService", {"types": [], "ports": []}, {"types": [], "range": {}}),
        (
            "CronFederatedHPA",
            {"scaleTargetRef": {}, "rules": [{"name": "a", "failedHistoryLimit": 0}]},
            {
                "scaleTargetRef": {},
                "rules": [
                    {
                        "name": "a",
                        "suspend": False,
                        "successfulHistoryLimit": 3,
                        "failedHistoryLimit": 0,
                    }
                ],
            },
        ),
        (
            "FederatedHPA",
            {"scaleTargetRef": {"kind": "a", "name": "b"}, "maxReplicas": 3, "behavior": {}},
            {
                "scaleTargetRef": {"kind": "a", "name": "b"},
                "minReplicas": 1,
                "maxReplicas": 3,
                "metrics": [
                    {
                        "type": "Resource",
                        "resource": {
                            "name": "cpu",
                            "target": {"type": "Utilization", "averageUtilization": 80},
                        },
                    }
                ],
                "behavior": {
                    "scaleUp": {
                        "stabilizationWindowSeconds": 0,
                        "selectPolicy": "Max",
                        "policies": [
                            {"type": "Pods", "value": 4, "periodSeconds": 15},
                            {"type": "Percent", "value": 100, "periodSeconds": 15},
                        ],
                    },
                    "scaleDown": {
                        "selectPolicy": "Max",
                        "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
                    },
                },
            },
        ),
        (
            "Cluster",
            {
                "syncMode": "Pull",
                "resourceModels": [
                    {"grade": 1, "ranges": [{"name": "cpu", "min": "1", "max": "2"}]},
                    {"grade": 0, "ranges": [{"name": "cpu", "min": "1", "max": "1"}]},
                ],
            },
            {
                "syncMode": "Pull",
                "resourceModels": [
                    {"grade": 0, "ranges": [{"name": "cpu", "min": "0", "max": "1"}]},
                    {
                        "grade": 1,
                        "ranges": [{"name": "cpu", "min": "1", "max": "9223372036854775807"}],
                    },
                ],
            },
        ),
    ],
)
def test_the_defaults_of_a_kind(kind: str, spec: dict[str, Any], stored: dict[str, Any]) -> None:
    """Each default is there, empty values go where a webhook rewrites, and stay elsewhere."""
    given = {"kind": kind, "metadata": {"namespace": "default"}, "spec": spec}
    assert with_defaults(given)["spec"] == stored


def test_any_json_is_kept() -> None:
    """A value of a patch may be empty, zero or false, and its keys are sorted as Go sorts them."""
    patches = [
        {"path": f"/{index}", "operator": "add", "value": value}
        for index, value in enumerate([0, False, "", [], {}, {"b": [{"d": 1, "c": 2}], "a": None}])
    ]
    rules = [{"overriders": {"plaintext": patches}}]
    stored = with_defaults({"kind": "OverridePolicy", "spec": {"overrideRules": rules}})
    kept = stored["spec"]["overrideRules"][0]["overriders"]["plaintext"]
    assert json.dumps([each["value"] for each in kept]) == (
        '[0, false, "", [], {}, {"a": null, "b": [{"c": 2, "d": 1}]}]'
    )
