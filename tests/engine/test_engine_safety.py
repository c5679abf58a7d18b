"""What is found on the Karmada API before anything is written, and said with the way out."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine.case import POLICY, Case, kept, manifest, refused

_DEFINITION = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_POLICIES = "propagationpolicies.policy.karmada.io"
_STAMP = "controller-gen.kubebuilder.io/version"
_TAINT = {"key": "maintenance", "effect": "NoSchedule"}


def policy(case: Case, name: str, target: str) -> dict[str, Any]:
    """A policy of somebody else's for the Deployment *target*."""
    selector = {"apiVersion": "apps/v1", "kind": "Deployment", "name": target}
    return {
        "apiVersion": POLICY[0],
        "kind": POLICY[1],
        "metadata": {"name": name, "namespace": case.namespace},
        "spec": {
            "resourceSelectors": [selector],
            "placement": {"clusterAffinity": {"clusterNames": ["east"]}},
        },
    }


def nothing_written(case: Case) -> bool:
    """Whether neither the API nor the state has anything of this project's."""
    return not kept(case.stack()).objects


def test_a_policy_of_somebody_elses(case: Case) -> None:
    """A policy that names the same object is named; once it is gone, the run goes through."""
    case.server.apply(policy(case, "theirs", "web"))
    text = refused(case.stack().up)
    said = f"Deployment web is named by PropagationPolicy {case.namespace}/theirs too, and Karmada"
    assert f"{case.namespace}/web: {said}" in text
    assert "Delete that policy, which leaves what runs where it is" in text
    assert nothing_written(case)
    case.server.delete(case.namespace, POLICY, "theirs")
    case.stack().up()
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}


def test_a_template_that_is_claimed(case: Case) -> None:
    """Karmada's own annotations say who has a template: the first claim stays."""
    case.server.apply(policy(case, "theirs", "other"))
    template = manifest("Deployment", "web", case.namespace, 4)
    claim = "propagationpolicy.karmada.io"
    template["metadata"]["annotations"] = {
        f"{claim}/namespace": case.namespace,
        f"{claim}/name": "theirs",
    }
    case.server.apply(template)
    text = refused(case.stack().up)
    assert f"Deployment web is claimed by PropagationPolicy {case.namespace}/theirs" in text
    assert nothing_written(case)


def test_a_policy_of_our_name(case: Case) -> None:
    """A policy that bears our name and not our label is not taken over without a word."""
    case.server.apply(policy(case, "web-deployment", "web"))
    text = refused(case.stack().up)
    who = f"PropagationPolicy {case.namespace}/web-deployment"
    assert f"{who} is there already and is not this project's" in text
    assert nothing_written(case)
    found = case.server.objects(case.namespace)["web-deployment"]
    assert "labels" not in found["metadata"]


@pytest.fixture
def tainted(case: Case) -> Iterator[Case]:
    """A case in which somebody has tainted the member east, and only for its time."""
    case.server.taint("east", _TAINT)
    yield case
    for name in ("east", "west"):
        case.server.taint(name)


def test_a_member_that_is_tainted(tainted: Case) -> None:
    """A taint that the federation file does not know would move replicas: it is named."""
    text = refused(tainted.stack().up)
    assert f"{tainted.namespace}/web: Karmada would use west, not east, west (east: cluster" in text
    assert "had untolerated taint {maintenance:NoSchedule}" in text
    assert "Write into the federation file what is true of the clusters" in text
    assert nothing_written(tainted)


def test_members_of_which_none_fits(tainted: Case) -> None:
    """Where no cluster would fit, the run stops: Karmada would take the workload off them all."""
    tainted.server.taint("west", _TAINT)
    text = refused(tainted.stack().up)
    assert "no cluster fits (0/3 clusters are available: " in text
    assert "Karmada would take it off every member" in text
    assert nothing_written(tainted)


@pytest.fixture
def old(case: Case) -> Iterator[Case]:
    """A case whose API has the definitions of Karmada 1.15, and only for its time."""
    stamp: dict[str, Any] = {"metadata": {"annotations": {_STAMP: "v0.18.0"}}}
    case.server.patch(None, _DEFINITION, _POLICIES, stamp)
    yield case
    stamp["metadata"]["annotations"][_STAMP] = None
    case.server.patch(None, _DEFINITION, _POLICIES, stamp)


def test_a_karmada_that_is_too_old(old: Case) -> None:
    """The definitions of Karmada before 1.16 are known by their stamp."""
    text = refused(old.stack().up)
    assert "Karmada is older than 1.16: its definitions are stamped controller-gen v0.18.0" in text
    assert nothing_written(old)
    old.server.patch(
        None, _DEFINITION, _POLICIES, {"metadata": {"annotations": {_STAMP: "v0.19.0"}}}
    )
    old.stack().up()
