"""Spread constraints do what the project says, which is less than they seem to."""

from typing import Any

import pytest

from tests.karmada.federated import Federated, predicted, predicted_error, settled, until, weights

_DUPLICATED: dict[str, Any] = {"replicaScheduling": {"replicaSchedulingType": "Duplicated"}}


def _by(field: str, least: int, most: int | None = None) -> dict[str, Any]:
    constraint: dict[str, Any] = {"spreadByField": field, "minGroups": least}
    return constraint if most is None else {**constraint, "maxGroups": most}


def test_static_weights_ignore_the_spread(federated: Federated) -> None:
    """At most one cluster is asked for, and three are used: the engine must see to it itself."""
    placement = weights({"m1": 3, "m2": 2, "m3": 1}, spreadConstraints=[_by("cluster", 1, 1)])
    federated.policy(placement)
    federated.deployment(replicas=6)
    wanted = {"m1": 3, "m2": 2, "m3": 1}
    assert predicted(placement, 6) == wanted
    assert settled(federated.division, wanted) == wanted


@pytest.mark.parametrize(
    ("constraints", "replicas"),
    [
        ([_by("cluster", 1, 1)], 3),
        ([_by("cluster", 2, 3)], 3),
        ([_by("region", 2, 2), _by("cluster", 2, 2)], 3),
        ([_by("region", 3, 3), _by("cluster", 3, 4)], 2),
    ],
)
def test_groups_are_selected_as_predicted(
    federated: Federated, constraints: list[dict[str, Any]], replicas: int
) -> None:
    """Clusters and regions: the same are chosen."""
    placement = {**_DUPLICATED, "spreadConstraints": constraints}
    federated.policy(placement)
    federated.deployment(replicas=replicas)
    wanted = predicted(placement, replicas)
    assert settled(federated.division, wanted) == wanted


@pytest.mark.parametrize(
    "constraints",
    [
        [_by("cluster", 1)],
        [_by("cluster", 5, 5)],
        [_by("region", 4, 4), _by("cluster", 1, 4)],
        [{"spreadByLabel": "tier", "minGroups": 1, "maxGroups": 1}],
    ],
)
def test_errors_are_in_the_predicted_words(
    federated: Federated, constraints: list[dict[str, Any]]
) -> None:
    """No maxGroups, too many groups, a label: the scheduler fails, with the text of the project."""
    placement = {**_DUPLICATED, "spreadConstraints": constraints}
    federated.policy(placement)
    federated.deployment(replicas=2)
    binding = until(federated.binding, lambda found: found is not None and bool(found.message))
    assert binding is not None
    assert binding.message == predicted_error(placement, 2)
    assert binding.replicas == {}
