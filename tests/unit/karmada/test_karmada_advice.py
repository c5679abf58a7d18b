"""Policies that Karmada accepts and does not keep are found, and sound ones are left alone."""

from collections.abc import Callable
from typing import Any

import pytest

from placement.karmada.advice import findings
from placement.karmada.findings import Facts

_KNOWN = Facts(regions={"ash": "us-east", "fsn": "eu-central"}, counts={"ash": 4, "fsn": 2})
_WEIGHTS = "spec.placement.replicaScheduling.weightPreference.staticWeightList"
_SPREAD = "spec.placement.spreadConstraints"

_Edit = Callable[[dict[str, Any]], object]


def _scheduling(spec: dict[str, Any]) -> Any:
    return spec["placement"]["replicaScheduling"]


def _rule(spec: dict[str, Any], index: int) -> Any:
    return _scheduling(spec)["weightPreference"]["staticWeightList"][index]


def _spread(spec: dict[str, Any], index: int) -> Any:
    return spec["placement"]["spreadConstraints"][index]


def _target(**affinity: object) -> _Edit:
    return lambda spec: _rule(spec, 1).update(targetCluster=affinity)


def _duplicated_over_seven_clusters(spec: dict[str, Any]) -> None:
    spec["placement"]["replicaScheduling"] = {"replicaSchedulingType": "Duplicated"}
    _spread(spec, 1).update(minGroups=7, maxGroups=7)


def _both_targets_elsewhere(spec: dict[str, Any]) -> None:
    for index in (0, 1):
        _rule(spec, index)["targetCluster"] = {"clusterNames": ["hil"]}


def _dynamic(spec: dict[str, Any]) -> None:
    _scheduling(spec)["weightPreference"] = {"dynamicWeight": "AvailableReplicas"}


def _dynamic_with(constraint: int, **changed: object) -> _Edit:
    """Divide by dynamic weights, which keep the spread, and change one of its constraints."""

    def both(spec: dict[str, Any]) -> None:
        _dynamic(spec)
        _spread(spec, constraint).update(changed)

    return both


def _no_spread(spec: dict[str, Any]) -> None:
    del spec["placement"]["spreadConstraints"]


def _without_spread(edit: _Edit) -> _Edit:
    """Apply an edit to the weights of a policy without spread, so that one rule alone can fire."""

    def both(spec: dict[str, Any]) -> None:
        _no_spread(spec)
        edit(spec)

    return both


_BROKEN: list[tuple[str, str, _Edit]] = [
    (
        "static-weights-ignore-spread",
        _SPREAD,
        lambda spec: _spread(spec, 0).update(minGroups=1, maxGroups=1),
    ),
    (
        "max-groups-missing",
        f"{_SPREAD}[1].maxGroups",
        lambda spec: _spread(spec, 1).pop("maxGroups"),
    ),
    (
        "max-groups-missing",
        f"{_SPREAD}[0].maxGroups",
        lambda spec: _spread(spec, 0).update(maxGroups=0),
    ),
    (
        "fewer-clusters-than-regions",
        f"{_SPREAD}[1].maxGroups",
        _dynamic_with(1, minGroups=1, maxGroups=1),
    ),
    (
        "min-groups-above-replicas",
        f"{_SPREAD}[1].minGroups",
        _dynamic_with(1, minGroups=7, maxGroups=7),
    ),
    (
        "spread-only-filters",
        f"{_SPREAD}[0].spreadByField",
        _dynamic_with(0, spreadByField="zone"),
    ),
    (
        "spread-by-label",
        f"{_SPREAD}[0].spreadByLabel",
        _dynamic_with(0, spreadByField=None, spreadByLabel="continent"),
    ),
    (
        "static-weights-ignored",
        _WEIGHTS,
        lambda spec: _scheduling(spec)["weightPreference"].update(
            dynamicWeight="AvailableReplicas"
        ),
    ),
    (
        "static-weights-ignored",
        _WEIGHTS,
        lambda spec: _scheduling(spec).update(replicaDivisionPreference="Aggregated"),
    ),
    (
        "static-weight-outside-affinity",
        f"{_WEIGHTS}[1].targetCluster",
        _without_spread(_target(clusterNames=["hil"])),
    ),
    (
        "static-weight-outside-affinity",
        f"{_WEIGHTS}[1].targetCluster",
        _without_spread(lambda spec: spec["placement"]["clusterAffinity"].update(exclude=["fsn"])),
    ),
    ("static-weights-match-nothing", _WEIGHTS, _both_targets_elsewhere),
    (
        "static-weight-not-shared",
        f"{_WEIGHTS}[1].targetCluster",
        _without_spread(_target(labelSelector={"matchLabels": {"tier": "gold"}})),
    ),
    (
        "divided-without-replicas",
        "spec.placement.replicaScheduling.replicaSchedulingType",
        lambda spec: spec["resourceSelectors"][0].update(apiVersion="v1", kind="ConfigMap"),
    ),
    (
        "divided-without-replicas",
        "spec.placement.replicaScheduling.replicaSchedulingType",
        lambda spec: spec["resourceSelectors"][0].update(
            apiVersion="networking.k8s.io/v1", kind="Ingress"
        ),
    ),
]

_QUIET: list[tuple[str, _Edit]] = [
    ("as the project writes it", lambda _: None),
    ("no spread, whatever the regions", _no_spread),
    ("maxGroups larger than needed", lambda spec: _spread(spec, 1).update(maxGroups=9)),
    ("dynamic weights keep the spread", _dynamic),
    ("duplicated: every cluster gets all replicas", _duplicated_over_seven_clusters),
    (
        "two names get the weight twice, as written",
        _without_spread(_target(clusterNames=["fsn", "ash"])),
    ),
    (
        "a ConfigMap that goes along with its Deployment",
        lambda spec: spec["resourceSelectors"].append({"apiVersion": "v1", "kind": "ConfigMap"}),
    ),
    (
        "a kind of another project, which may have replicas",
        lambda spec: spec["resourceSelectors"][0].update(
            apiVersion="apps.kruise.io/v1alpha1", kind="CloneSet"
        ),
    ),
]


@pytest.mark.parametrize(("code", "field", "edit"), _BROKEN)
def test_a_broken_policy_gives_its_finding(
    sound: dict[str, Any], code: str, field: str, edit: _Edit
) -> None:
    """One flaw in a sound policy gives the one finding of its rule, at its field."""
    edit(sound["spec"])
    assert [(each.code, each.field) for each in findings(sound, _KNOWN)] == [(code, field)]


@pytest.mark.parametrize(("why", "edit"), _QUIET)
def test_a_sound_policy_gives_none(sound: dict[str, Any], why: str, edit: _Edit) -> None:
    """What Karmada really does gives no finding."""
    edit(sound["spec"])
    assert findings(sound, _KNOWN) == [], why


def test_an_unknown_field_in_a_weight_is_found(sound: dict[str, Any]) -> None:
    """A field selector that the webhook does not check is found, beside the weight not shared."""
    expression = {"key": "continent", "operator": "In", "values": ["eu"]}
    _without_spread(_target(fieldSelector={"matchExpressions": [expression]}))(sound["spec"])
    assert [each.code for each in findings(sound)] == [
        "static-weight-not-shared",
        "static-field-selector-unknown",
    ]
    expression.update(key="region", operator="Exists")
    assert len(findings(sound)) == 2
    expression["operator"] = "In"
    assert [each.code for each in findings(sound)] == ["static-weight-not-shared"]


@pytest.mark.parametrize(
    ("facts", "doubt"),
    [
        (Facts(), "the regions of ash, fsn are not all known"),
        (Facts(regions={"ash": "us-east"}), "the regions of ash, fsn are not all known"),
        (Facts(regions={"ash": "eu", "fsn": "eu"}), "the weights make 1 by region, allowed 2 to 2"),
        (
            Facts(regions={"ash": "us-east", "fsn": "eu-central"}, counts={"ash": 6}),
            "the weights make 1 by region, allowed 2 to 2",
        ),
        (
            Facts(regions={"ash": "us-east", "fsn": "eu-central"}, replicas=1),
            "the weights make 1 by region, allowed 2 to 2",
        ),
    ],
)
def test_the_spread_of_weights_must_be_known_and_met(
    sound: dict[str, Any], facts: Facts, doubt: str
) -> None:
    """Beside static weights a spread is refused unless the facts show that it is met."""
    found = [each for each in findings(sound, facts) if each.code == "static-weights-ignore-spread"]
    assert len(found) == 1
    assert doubt in found[0].message


def test_enough_replicas_meet_the_spread(sound: dict[str, Any]) -> None:
    """With regions and a number of replicas that reaches both clusters there is nothing to say."""
    assert findings(sound, Facts(regions=_KNOWN.regions, replicas=2)) == []


def test_a_tie_does_not_meet_a_spread(sound: dict[str, Any]) -> None:
    """Where the UID decides which region gets the only replica, no spread is met for sure."""
    for index in (0, 1):
        _rule(sound["spec"], index)["weight"] = 1
        _spread(sound["spec"], index).update(minGroups=1, maxGroups=1)
    doubts = [each.message for each in findings(sound, Facts(regions=_KNOWN.regions, replicas=1))]
    assert len(doubts) == 1
    assert "a tie between weights decides" in doubts[0]


def test_every_affinity_term_is_held_to_the_spread(sound: dict[str, Any]) -> None:
    """A backup term in two regions meets the spread of the first, one in a single region does not.

    The counts are those of the first term; no weight is for the backup, so it is divided equally.
    """
    placement = sound["spec"]["placement"]
    terms = [{"affinityName": "first", **placement.pop("clusterAffinity")}]
    placement["clusterAffinities"] = terms
    assert findings(sound, _KNOWN) == []
    terms.append({"affinityName": "backup", "clusterNames": ["hil", "sin"]})
    regions = {**(_KNOWN.regions or {}), "hil": "us-west", "sin": "asia"}
    assert findings(sound, Facts(regions=regions, counts=_KNOWN.counts)) == []
    terms[1]["clusterNames"] = ["fsn"]
    assert [each.code for each in findings(sound, _KNOWN)] == ["static-weights-ignore-spread"]


def test_the_largest_weight_of_a_cluster_counts(sound: dict[str, Any]) -> None:
    """A second, smaller weight for a cluster takes no replica from it."""
    rules = _scheduling(sound["spec"])["weightPreference"]["staticWeightList"]
    rules.append({"targetCluster": {"clusterNames": ["fsn"]}, "weight": 1})
    assert findings(sound, Facts(regions=_KNOWN.regions, replicas=2)) == []


def test_zones_cannot_be_promised_by_weights(sound: dict[str, Any]) -> None:
    """A spread over zones beside static weights is ignored as a spread, and filters besides."""
    _spread(sound["spec"], 0)["spreadByField"] = "zone"
    assert [each.code for each in findings(sound, _KNOWN)] == [
        "static-weights-ignore-spread",
        "spread-only-filters",
    ]


def test_equal_weights_without_a_preference_ignore_spread_too(sound: dict[str, Any]) -> None:
    """Karmada takes a weighted division without weights as a static one."""
    del _scheduling(sound["spec"])["weightPreference"]
    assert [each.code for each in findings(sound)] == ["static-weights-ignore-spread"]
