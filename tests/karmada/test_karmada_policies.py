"""Which policy a workload gets, what is held back, what is overridden, and what goes with what."""

from typing import Any

from lab import Lab
from tests.karmada.federated import Federated, settled, until, weights

_M1, _M2 = ({"clusterAffinity": {"clusterNames": [name]}} for name in ("m1", "m2"))


def test_the_higher_priority_wins(federated: Federated) -> None:
    """Of two policies that name the same object the one with the higher priority has it."""
    federated.policy(_M1, name="a-low", priority=1)
    federated.policy(_M2, name="b-high", priority=5)
    federated.deployment(replicas=1)
    assert settled(federated.division, {"m2": 1}) == {"m2": 1}


def test_a_name_beats_a_kind(federated: Federated) -> None:
    """With equal priorities the policy that names the object has it."""
    federated.policy(_M1, name="a-kind", target="")
    federated.policy(_M2, name="b-name")
    federated.deployment(replicas=1)
    assert settled(federated.division, {"m2": 1}) == {"m2": 1}


def test_a_namespaced_policy_comes_before_a_cluster_policy(federated: Federated) -> None:
    """Whatever their priorities, the policy in the namespace has the object."""
    federated.cluster_policy(_M1, f"{federated.namespace}-first", priority=9)
    federated.policy(_M2)
    federated.deployment(replicas=1)
    assert settled(federated.division, {"m2": 1}) == {"m2": 1}


def test_a_suspended_policy_divides_and_sends_nothing(federated: Federated, lab: Lab) -> None:
    """The scheduler goes on under a suspension, and the members get nothing until it ends."""
    placement = weights({"m1": 2, "m3": 1})
    federated.policy(placement, suspension={"dispatching": True})
    federated.deployment(replicas=3)
    wanted = {"m1": 2, "m3": 1}
    assert settled(federated.division, wanted) == wanted
    assert _replicas(federated, lab) == {}
    federated.policy(placement, suspension={"dispatching": False})
    assert until(lambda: _replicas(federated, lab), lambda found: found == wanted) == wanted


def test_an_override_changes_one_member(federated: Federated, lab: Lab) -> None:
    """An OverridePolicy acts after the division and on its target alone."""
    federated.apply(
        "policy.karmada.io/v1alpha1",
        "OverridePolicy",
        "image",
        {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}],
            "overrideRules": [
                {
                    "targetCluster": {"clusterNames": ["m3"]},
                    "overriders": {
                        "imageOverrider": [
                            {"component": "Tag", "operator": "replace", "value": "other"}
                        ]
                    },
                }
            ],
        },
    )
    federated.policy(weights({"m1": 2, "m3": 1}))
    federated.deployment(replicas=3, image="app:one")
    wanted = {"m1": "app:one", "m3": "app:other"}
    found = until(
        lambda: {
            name: deployment["spec"]["template"]["spec"]["containers"][0]["image"]
            for name, deployment in _deployments(federated, lab).items()
        },
        lambda images: images == wanted,
    )
    assert found == wanted


def test_a_removed_workload_is_removed_everywhere(federated: Federated, lab: Lab) -> None:
    """The policy's end leaves the workload where it is; its own end removes it from members."""
    wanted = {"m1": 2, "m2": 1}
    federated.policy(weights(wanted))
    federated.deployment(replicas=3)
    assert until(lambda: _replicas(federated, lab), lambda found: found == wanted) == wanted
    federated.api.delete(
        "policy.karmada.io/v1alpha1", "PropagationPolicy", "web", federated.namespace
    )
    assert settled(lambda: _replicas(federated, lab), wanted) == wanted
    federated.api.delete("apps/v1", "Deployment", "web", federated.namespace)
    assert until(lambda: _replicas(federated, lab), lambda found: not found) == {}
    assert until(federated.binding, lambda found: found is None) is None


def test_a_changed_policy_moves_the_workload(federated: Federated, lab: Lab) -> None:
    """Other weights are another division, in the members too."""
    federated.policy(weights({"m1": 2, "m2": 1}))
    federated.deployment(replicas=3)
    assert settled(federated.division, {"m1": 2, "m2": 1}) == {"m1": 2, "m2": 1}
    wanted = {"m2": 1, "m4": 2}
    federated.policy(weights(wanted))
    assert settled(federated.division, wanted) == wanted
    assert until(lambda: _replicas(federated, lab), lambda found: found == wanted) == wanted


def _replicas(federated: Federated, lab: Lab) -> dict[str, int]:
    """The replicas that each member was given."""
    return {name: item["spec"]["replicas"] for name, item in _deployments(federated, lab).items()}


def _deployments(federated: Federated, lab: Lab) -> dict[str, dict[str, Any]]:
    """The Deployment ``web`` in each member that has it."""
    found = {
        name: lab.api(name).get("apps/v1", "Deployment", "web", federated.namespace)
        for name in ("m1", "m2", "m3", "m4")
    }
    return {name: item for name, item in found.items() if item is not None}
