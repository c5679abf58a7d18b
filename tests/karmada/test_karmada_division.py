"""What the project predicts of a division is what the real scheduler makes of it."""

from typing import Any

import pytest

from placement.division import name_order_descending, tie_proof_weights, webster
from tests.karmada.federated import Federated, predicted, predicted_error, settled, weights


@pytest.mark.parametrize(
    ("by_cluster", "replicas"),
    [
        ({"m1": 1, "m2": 2, "m3": 3}, 13),
        ({"m1": 70, "m2": 30}, 10),
        ({"m1": 9, "m4": 1}, 4),
        ({"m2": 5}, 3),
        (tie_proof_weights({"m1": 3, "m2": 3, "m3": 1, "m4": 1}), 8),
        (tie_proof_weights({"m1": 3, "m2": 3, "m3": 1, "m4": 1}), 5),
    ],
)
def test_static_weights_divide_as_predicted(
    federated: Federated, by_cluster: dict[str, int], replicas: int
) -> None:
    """Webster's method, to the replica; weights and totals of any kind."""
    placement = weights(by_cluster)
    federated.policy(placement)
    federated.deployment(replicas=replicas)
    wanted = predicted(placement, replicas, federated.uid())
    assert settled(federated.division, wanted) == wanted


def test_a_tie_is_broken_by_the_uid(federated: Federated) -> None:
    """With equal weights the odd replica goes by the parity of a hash of the template's UID."""
    federated.policy(weights({"m1": 1, "m2": 1}))
    federated.deployment(replicas=5)
    first = "m2" if name_order_descending(federated.uid()) else "m1"
    wanted = {"m1": 2, "m2": 2, first: 3}
    assert settled(federated.division, wanted) == wanted


def test_more_replicas_are_divided_anew(federated: Federated) -> None:
    """A changed number of replicas divides all of them again with the same weights."""
    by_cluster = tie_proof_weights({"m1": 4, "m3": 2})
    federated.policy(weights(by_cluster))
    for replicas in (6, 9, 3):
        federated.deployment(replicas=replicas)
        wanted = webster(replicas, by_cluster)
        assert settled(federated.division, wanted) == wanted


def test_duplicated_gives_every_cluster_all(federated: Federated) -> None:
    """Without a division every chosen cluster gets every replica."""
    federated.policy({"clusterAffinity": {"clusterNames": ["m1", "m4"]}})
    federated.deployment(replicas=2)
    assert settled(federated.division, {"m1": 2, "m4": 2}) == {"m1": 2, "m4": 2}


@pytest.mark.parametrize(
    "preference",
    [
        {"replicaDivisionPreference": "Aggregated"},
        {
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"dynamicWeight": "AvailableReplicas"},
        },
    ],
)
def test_divisions_by_free_capacity(federated: Federated, preference: dict[str, Any]) -> None:
    """What is divided by the room that is left is predicted from the reported room."""
    placement = {
        "clusterAffinity": {"clusterNames": ["m1", "m2", "m4"]},
        "replicaScheduling": {"replicaSchedulingType": "Divided", **preference},
    }
    federated.policy(placement)
    federated.deployment(replicas=7)
    wanted = predicted(placement, 7, federated.uid())
    assert settled(federated.division, wanted) == wanted


@pytest.mark.parametrize(
    "affinity",
    [
        {"labelSelector": {"matchLabels": {"tier": "edge"}}},
        {"exclude": ["m1", "m3"]},
        {
            "fieldSelector": {
                "matchExpressions": [
                    {"key": "provider", "operator": "NotIn", "values": ["hetzner"]}
                ]
            }
        },
    ],
)
def test_affinities_choose_as_predicted(federated: Federated, affinity: dict[str, Any]) -> None:
    """Labels, exclusions and fields select the same clusters as in the prediction."""
    placement = {**weights({"m1": 4, "m2": 3, "m3": 2, "m4": 1}), "clusterAffinity": affinity}
    federated.policy(placement)
    federated.deployment(replicas=10)
    wanted = predicted(placement, 10, federated.uid())
    assert settled(federated.division, wanted) == wanted


def test_affinity_groups_are_tried_in_order(federated: Federated) -> None:
    """The first group of clusters that can take the workload takes it."""
    placement = weights({"m1": 1, "m3": 1})
    del placement["clusterAffinity"]
    placement["clusterAffinities"] = [
        {"affinityName": "none", "clusterNames": ["elsewhere"]},
        {"affinityName": "here", "clusterNames": ["m3"]},
    ]
    federated.policy(placement)
    federated.deployment(replicas=4)
    assert settled(federated.division, {"m3": 4}) == {"m3": 4}


def test_no_cluster_fits_clears_the_result(federated: Federated) -> None:
    """A policy that fits no cluster takes the workload off those it is on, with the same words."""
    federated.policy(weights({"m1": 2, "m2": 1}))
    federated.deployment(replicas=3)
    assert settled(federated.division, {"m1": 2, "m2": 1}) == {"m1": 2, "m2": 1}
    nowhere = weights({"elsewhere": 1})
    federated.policy(nowhere)
    nothing: dict[str, int] = {}
    assert settled(federated.division, nothing) == nothing
    binding = federated.binding()
    assert binding is not None
    assert (binding.reason, binding.message) == ("NoClusterFit", predicted_error(nowhere, 3))
