"""The wire form of the kinds, and the defaults of the server in it."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from placement.karmada.affinity import ClusterAffinity
from placement.karmada.defaults import with_defaults
from placement.karmada.encoding import manifest
from placement.karmada.meta import ObjectMeta, Toleration
from placement.karmada.placement_spec import Placement, SpreadConstraint
from placement.karmada.propagation import PropagationPolicy, PropagationSpec, ResourceSelector
from placement.karmada.rebalancer import ObjectReference, WorkloadRebalancer, WorkloadRebalancerSpec
from placement.karmada.taint_policy import (
    ClusterTaintPolicy,
    ClusterTaintPolicySpec,
    MatchCondition,
    PolicyTaint,
)


def test_the_wire_form_is_stable() -> None:
    """A policy is written to the byte: order of keys, defaults, no nulls, nothing empty."""
    policy = PropagationPolicy(
        metadata=ObjectMeta(name="shop", namespace="shop", labels={"b": "2", "a": "1"}),
        spec=PropagationSpec(
            resource_selectors=(ResourceSelector(api_version="apps/v1", kind="Deployment"),),
            placement=Placement(
                cluster_affinity=ClusterAffinity(cluster_names=("fsn",)),
                cluster_tolerations=(
                    Toleration(operator="Exists", effect="NoExecute", toleration_seconds=270),
                ),
                spread_constraints=(
                    SpreadConstraint(spread_by_field="cluster", min_groups=1, max_groups=1),
                ),
            ),
        ),
    )
    assert json.dumps(manifest(policy)) == (
        '{"apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy", '
        '"metadata": {"name": "shop", "namespace": "shop", "labels": {"a": "1", "b": "2"}}, '
        '"spec": {"resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}], '
        '"placement": {"clusterAffinity": {"clusterNames": ["fsn"]}, "clusterTolerations": '
        '[{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 270}], '
        '"spreadConstraints": [{"spreadByField": "cluster", "maxGroups": 1, "minGroups": 1}]}, '
        '"priority": 0, "preemption": "Never", "schedulerName": "default-scheduler", '
        '"conflictResolution": "Abort"}}'
    )


def test_the_taint_policy_is_written_as_karmada_reads_it() -> None:
    """The condition's values stay text: a bare True would be a boolean in YAML."""
    policy = ClusterTaintPolicy(
        metadata=ObjectMeta(name="federation-not-ready"),
        spec=ClusterTaintPolicySpec(
            add_on_conditions=(
                MatchCondition(condition_type="Ready", operator="In", status_values=("False",)),
            ),
            taints=(PolicyTaint(key="cluster.karmada.io/not-ready", effect="NoExecute"),),
        ),
    )
    assert manifest(policy)["spec"] == {
        "addOnConditions": [
            {"conditionType": "Ready", "operator": "In", "statusValues": ["False"]}
        ],
        "taints": [{"key": "cluster.karmada.io/not-ready", "effect": "NoExecute"}],
    }


def test_the_rebalancer_names_its_workloads() -> None:
    """A zero that means something (delete at once) is written; an absent namespace is not."""
    workload = ObjectReference(api_version="apps/v1", kind="Deployment", name="shop")
    rebalancer = WorkloadRebalancer(
        metadata=ObjectMeta(name="shop-1"),
        spec=WorkloadRebalancerSpec(workloads=(workload,), ttl_seconds_after_finished=0),
    )
    assert manifest(rebalancer) == {
        "apiVersion": "apps.karmada.io/v1alpha1",
        "kind": "WorkloadRebalancer",
        "metadata": {"name": "shop-1"},
        "spec": {
            "workloads": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}],
            "ttlSecondsAfterFinished": 0,
        },
    }


def test_a_model_refuses_an_unknown_field() -> None:
    """A misspelt field is an error here, where the server would drop it without a word."""
    with pytest.raises(ValidationError, match="clusterNmes"):
        ClusterAffinity.model_validate({"clusterNmes": ["fsn"]})


def test_an_empty_affinity_stays() -> None:
    """An empty object behind a pointer means something to Karmada; an empty list does not."""
    placement = Placement(cluster_affinity=ClusterAffinity())
    assert manifest(placement) == {"clusterAffinity": {}}


def test_the_defaults_of_the_server_are_filled() -> None:
    """Each default of CRD and webhook stands in the result, and only where its object is."""
    policy = {
        "kind": "PropagationPolicy",
        "metadata": {"namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}],
            "propagateDeps": False,
            "placement": {
                "spreadConstraints": [{"maxGroups": 2}],
                "replicaScheduling": {},
                "clusterTolerations": [],
            },
            "failover": {"application": {"decisionConditions": {}}, "cluster": {}},
        },
    }
    assert with_defaults(policy)["spec"] == {
        "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop"}],
        "placement": {
            "spreadConstraints": [{"spreadByField": "cluster", "maxGroups": 2, "minGroups": 1}],
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Weighted",
            },
        },
        "priority": 0,
        "preemption": "Never",
        "schedulerName": "default-scheduler",
        "failover": {
            "application": {
                "decisionConditions": {"tolerationSeconds": 300},
                "purgeMode": "Gracefully",
                "gracePeriodSeconds": 600,
            },
            "cluster": {"purgeMode": "Gracefully"},
        },
        "conflictResolution": "Abort",
    }


def _spec(**more: Any) -> dict[str, Any]:
    return {"resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}], **more}


@pytest.mark.parametrize(
    ("given", "path", "stored"),
    [
        ({"preemption": "Always"}, ("preemption",), "Always"),
        ({"priority": 7}, ("priority",), 7),
        (
            {"placement": {"replicaScheduling": {"replicaSchedulingType": "Duplicated"}}},
            ("placement", "replicaScheduling"),
            {"replicaSchedulingType": "Duplicated"},
        ),
        (
            {"placement": {"replicaScheduling": {"replicaDivisionPreference": "Aggregated"}}},
            ("placement", "replicaScheduling", "replicaDivisionPreference"),
            "Aggregated",
        ),
        (
            {"placement": {"spreadConstraints": [{"spreadByLabel": "x", "minGroups": 3}]}},
            ("placement", "spreadConstraints"),
            [{"spreadByLabel": "x", "minGroups": 3}],
        ),
        (
            {"failover": {"application": {"decisionConditions": {}, "purgeMode": "Never"}}},
            ("failover", "application"),
            {"decisionConditions": {"tolerationSeconds": 300}, "purgeMode": "Never"},
        ),
    ],
)
def test_what_is_stated_stays(given: dict[str, Any], path: tuple[str, ...], stored: object) -> None:
    """A value that the policy states is not a default's to change."""
    value: Any = with_defaults({"kind": "PropagationPolicy", "spec": _spec(**given)})["spec"]
    for key in path:
        value = value[key]
    assert value == stored


def test_a_service_import_takes_its_dependencies_along() -> None:
    """The webhook sets propagateDeps for a ServiceImport of the multi-cluster API alone."""
    selector = {"apiVersion": "multicluster.x-k8s.io/v1alpha1", "kind": "ServiceImport"}
    spec = _spec(resourceSelectors=[selector])
    assert with_defaults({"spec": spec})["spec"]["propagateDeps"] is True
    selector["apiVersion"] = "example.com/v1"
    assert "propagateDeps" not in with_defaults({"spec": spec})["spec"]


def test_a_cluster_policy_gets_no_namespace() -> None:
    """Only the selectors of a PropagationPolicy are bound to a namespace."""
    stored = with_defaults({"kind": "ClusterPropagationPolicy", "spec": _spec()})
    assert stored["spec"]["resourceSelectors"] == _spec()["resourceSelectors"]
