"""Objects that Karmada accepts and does not carry out are found, and sound ones are left alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from placement.karmada.advice import findings, refusals
from placement.karmada.findings import Facts
from tests.unit.karmada.sound_kinds import KINDS, KNOWN, sound

_Edit = Callable[[dict[str, Any]], object]
_RULE = "spec.overrideRules[0].overriders"


def _overriders(spec: dict[str, Any]) -> Any:
    return spec["overrideRules"][0]["overriders"]


def _nothing(_: dict[str, Any]) -> None:
    """Leave the object sound: it is the facts that say what is wrong."""


def _deprecated(spec: dict[str, Any]) -> None:
    overriders = spec.pop("overrideRules")[0]["overriders"]
    spec["overriders"] = {"commandOverrider": overriders["commandOverrider"]}


_BROKEN: list[tuple[str, str, str, _Edit]] = [
    (
        "OverridePolicy",
        "override-replicas",
        f"{_RULE}.plaintext[0].path",
        lambda spec: _overriders(spec)["plaintext"][0].update(path="/spec/replicas", value=3),
    ),
    (
        "ClusterOverridePolicy",
        "override-path",
        f"{_RULE}.plaintext[0].path",
        lambda spec: _overriders(spec)["plaintext"][0].update(path="spec/paused"),
    ),
    (
        "OverridePolicy",
        "override-value",
        f"{_RULE}.plaintext[0].value",
        lambda spec: _overriders(spec)["plaintext"][0].pop("value"),
    ),
    (
        "OverridePolicy",
        "override-image-value",
        f"{_RULE}.imageOverrider[0].value",
        lambda spec: _overriders(spec)["imageOverrider"][0].pop("value"),
    ),
    ("OverridePolicy", "override-deprecated", "spec.overriders", _deprecated),
    (
        "OverridePolicy",
        "override-ignored",
        "spec.overriders.fieldOverrider",
        lambda spec: spec.update(
            overriders={"fieldOverrider": _overriders(spec)["fieldOverrider"]}
        ),
    ),
    (
        "FederatedHPA",
        "autoscaler-tolerance-lost",
        "spec.behavior.scaleUp.tolerance",
        lambda spec: spec["behavior"]["scaleUp"].update(tolerance="0.05"),
    ),
    (
        "CronFederatedHPA",
        "cron-time-zone",
        "spec.rules[0].timeZone",
        lambda spec: spec["rules"][0].pop("timeZone"),
    ),
    (
        "CronFederatedHPA",
        "cron-target-ignored",
        "spec.rules[0].targetMaxReplicas",
        lambda spec: spec["rules"][0].update(targetMaxReplicas=9),
    ),
    (
        "FederatedResourceQuota",
        "quota-assigned-twice",
        "spec.staticAssignments[1].clusterName",
        lambda spec: spec["staticAssignments"][1].update(clusterName="ash"),
    ),
    (
        "MultiClusterService",
        "service-without-type",
        "spec.types",
        lambda spec: spec.update(types=[]),
    ),
    (
        "MultiClusterService",
        "service-field-ignored",
        "spec.range",
        lambda spec: spec.update(range={"clusterNames": ["fsn"]}),
    ),
    (
        "ClusterTaintPolicy",
        "taint-without-condition",
        "spec.removeOnConditions",
        lambda spec: spec.pop("removeOnConditions"),
    ),
    (
        "ClusterTaintPolicy",
        "taint-operator-unknown",
        "spec.addOnConditions[0].operator",
        lambda spec: spec["addOnConditions"][0].update(operator="Exists"),
    ),
    (
        "ClusterTaintPolicy",
        "taint-effect-refused",
        "spec.taints[0].effect",
        lambda spec: spec["taints"][0].update(effect="PreferNoSchedule"),
    ),
    (
        "WorkloadRebalancer",
        "rebalancer-vanishes",
        "spec.ttlSecondsAfterFinished",
        lambda spec: spec.update(ttlSecondsAfterFinished=0),
    ),
    ("Cluster", "cluster-without-id", "spec.id", lambda spec: spec.pop("id")),
    ("Cluster", "cluster-without-secret", "spec.secretRef", lambda spec: spec.pop("secretRef")),
    (
        "Cluster",
        "cluster-taints-shared",
        "spec.taints",
        lambda spec: spec.update(taints=[{"key": "a", "effect": "NoSchedule"}]),
    ),
]

_BY_FACTS: list[tuple[str, str, str, Facts]] = [
    ("MultiClusterService", "gate-off", "spec", replace(KNOWN, gates=frozenset({"Failover"}))),
    ("MultiClusterService", "gate-off", "spec", replace(KNOWN, gates=None)),
    ("FederatedResourceQuota", "gate-off", "spec", replace(KNOWN, gates=frozenset())),
    ("ClusterTaintPolicy", "gate-off", "spec", replace(KNOWN, gates=frozenset())),
    (
        "FederatedHPA",
        "autoscaler-owns-replicas",
        "spec.scaleTargetRef",
        replace(KNOWN, fixed=frozenset({"default/Deployment/shop"})),
    ),
    (
        "CronFederatedHPA",
        "autoscaler-owns-replicas",
        "spec.scaleTargetRef",
        replace(KNOWN, fixed=None),
    ),
    (
        "WorkloadRebalancer",
        "rebalancer-one-shot",
        "metadata.name",
        replace(KNOWN, acted=frozenset({"shop"})),
    ),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_object_gives_no_finding(kind: str) -> None:
    """What Karmada really does gives no finding and no refusal."""
    assert findings(sound(kind), KNOWN) == []
    assert refusals(sound(kind), KNOWN) == []


@pytest.mark.parametrize(("kind", "code", "field", "edit"), _BROKEN)
def test_a_broken_object_gives_its_finding(kind: str, code: str, field: str, edit: _Edit) -> None:
    """One flaw in a sound object, which Karmada accepts, gives the one finding of its rule."""
    manifest = sound(kind)
    edit(manifest["spec"])
    found = findings(manifest, KNOWN)
    assert [(each.code, each.field) for each in found] == [(code, field)]
    assert refusals(manifest, KNOWN) == [str(each) for each in found]


@pytest.mark.parametrize(("kind", "code", "field", "facts"), _BY_FACTS)
def test_what_is_known_decides(kind: str, code: str, field: str, facts: Facts) -> None:
    """A gate that is off or unknown, a second writer and a name in use are found."""
    found = findings(sound(kind), facts)
    assert [(each.code, each.field) for each in found] == [(code, field)]


def test_the_bounds_of_an_autoscaler_have_no_replicas() -> None:
    """A schedule for a FederatedHPA reads the bounds alone, and writes no replicas itself."""
    manifest = sound("CronFederatedHPA")
    manifest["spec"]["scaleTargetRef"].update(
        apiVersion="autoscaling.karmada.io/v1alpha1", kind="FederatedHPA"
    )
    manifest["spec"]["rules"][0]["targetMinReplicas"] = 1
    found = findings(manifest, replace(KNOWN, fixed=None))
    assert [(each.code, each.field) for each in found] == [
        ("cron-target-ignored", "spec.rules[0].targetReplicas")
    ]
