"""The real webhook says of a policy what the project says, on a sample of the validation corpus."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lab.kubernetes.client import RefusedError
from placement.karmada.defaults import with_defaults
from placement.karmada.validation import policy_errors
from tests.karmada.federated import Federated

_DATA = Path(__file__).parents[1] / "conformance" / "data" / "karmada-1.18.2-validation.jsonl.gz"
_EVERY = 10
"""Of 2,000 specs one in so many is asked: a request takes some 15 ms."""


def _sample() -> list[dict[str, Any]]:
    with gzip.open(_DATA, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][::_EVERY]


def _policy(case: dict[str, Any]) -> dict[str, Any]:
    # The corpus is of the namespace default; dry runs leave nothing there.
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": case["id"], "namespace": "default"},
        "spec": case["spec"],
    }


def test_verdicts_on_the_corpus(federated: Federated) -> None:
    """The same are refused, and every predicted message is in the webhook's answer."""
    wrong = []
    accepted = 0
    for case in _sample():
        policy = _policy(case)
        foreseen = [error.message for error in policy_errors(with_defaults(policy)["spec"])]
        try:
            federated.api.create(policy, dry_run=True)
        except RefusedError as error:
            said = str(error)
            if not foreseen or any(message not in said for message in foreseen):
                wrong.append((case["id"], foreseen, said))
        else:
            accepted += 1
            if foreseen:
                wrong.append((case["id"], foreseen, "accepted"))
    assert wrong == []
    assert accepted > len(_sample()) // 5


@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
def test_taint_policies_of_every_effect_are_allowed(federated: Federated, effect: str) -> None:
    """The lab's webhook runs with the switch that failover needs."""
    federated.api.create(
        {
            "apiVersion": "policy.karmada.io/v1alpha1",
            "kind": "ClusterTaintPolicy",
            "metadata": {"name": f"{federated.namespace}-taint"},
            "spec": {
                "addOnConditions": [
                    {"conditionType": "Ready", "operator": "In", "statusValues": ["False"]}
                ],
                "taints": [{"key": "cluster.karmada.io/not-ready", "effect": effect}],
            },
        },
        dry_run=True,
    )


def test_the_permanent_identity_cannot_be_changed(federated: Federated) -> None:
    """The label by which Karmada knows a policy again is the system's alone."""
    federated.policy({"clusterAffinity": {"clusterNames": ["m1"]}})
    changed = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {
            "name": "web",
            "namespace": federated.namespace,
            "labels": {"propagationpolicy.karmada.io/permanent-id": "another"},
        },
    }
    with pytest.raises(RefusedError, match="immutable"):
        federated.api.patch(changed)
