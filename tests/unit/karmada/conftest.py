"""The policies that the tests of the Karmada kinds share."""

from typing import Any

import pytest


def _weight(cluster: str, weight: int) -> dict[str, Any]:
    return {"targetCluster": {"clusterNames": [cluster]}, "weight": weight}


@pytest.fixture
def web_frontend() -> dict[str, Any]:
    """Static weights 70 and 30 over two clouds, with a spread over regions alone."""
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "web-frontend", "namespace": "default"},
        "spec": {
            "resourceSelectors": [
                {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web-frontend"}
            ],
            "placement": {
                "clusterAffinity": {"clusterNames": ["gcp-us-central1", "aws-eu-west1"]},
                "replicaScheduling": {
                    "replicaSchedulingType": "Divided",
                    "replicaDivisionPreference": "Weighted",
                    "weightPreference": {
                        "staticWeightList": [
                            _weight("gcp-us-central1", 70),
                            _weight("aws-eu-west1", 30),
                        ]
                    },
                },
                "spreadConstraints": [{"spreadByField": "region", "minGroups": 2, "maxGroups": 5}],
            },
        },
    }


@pytest.fixture
def sound() -> dict[str, Any]:
    """A policy like those that this project writes: the weights meet the spread beside them."""
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": "shop-deployment", "namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}],
            "placement": {
                "clusterAffinity": {"clusterNames": ["ash", "fsn"]},
                "replicaScheduling": {
                    "replicaSchedulingType": "Divided",
                    "replicaDivisionPreference": "Weighted",
                    "weightPreference": {
                        "staticWeightList": [_weight("ash", 4_000_000), _weight("fsn", 2_000_001)]
                    },
                },
                "spreadConstraints": [
                    {"spreadByField": "region", "minGroups": 2, "maxGroups": 2},
                    {"spreadByField": "cluster", "minGroups": 2, "maxGroups": 2},
                ],
            },
        },
    }
