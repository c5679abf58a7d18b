"""What the corpus of Karmada's answers does not hold of its webhook's rules."""

from typing import Any

from placement.karmada.validation import policy_errors


def _spec(**placement: Any) -> dict[str, Any]:
    selector = {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "default"}
    return {"resourceSelectors": [selector], "placement": placement}


def test_a_field_selector_has_one_error() -> None:
    """Karmada stops at the first expression at fault."""
    expressions = [{"key": "x", "operator": "In"}, {"key": "zone", "operator": "Gt"}]
    affinity = {"fieldSelector": {"matchExpressions": expressions}}
    (error,) = policy_errors(_spec(clusterAffinity=affinity))
    assert error.field == "spec.placement.clusterAffinity.fieldSelector"
    assert error.message.endswith('unsupported key "x", must be provider, region, or zone')


def test_values_are_quoted_as_go_quotes_them() -> None:
    """Go writes fields in the order of the struct, maps by key, and <, > and & as escapes."""
    affinity = {
        "clusterNames": ["<a>&b"],
        "labelSelector": {"matchLabels": {"b": "1", "a": "2"}},
    }
    terms = [{**affinity, "affinityName": "x"}, {"affinityName": "x"}]
    (error,) = policy_errors(_spec(clusterAffinities=terms))
    assert error.message == (
        "spec.placement.clusterAffinities: Invalid value: "
        '[{"affinityName":"x","labelSelector":{"matchLabels":{"a":"2","b":"1"}},'
        r'"clusterNames":["\u003ca\u003e\u0026b"]},{"affinityName":"x"}]: '
        "each affinity term in a policy must have a unique name"
    )


def test_cluster_failover_is_held_to_label_names_too() -> None:
    """State preservation of a cluster's failover follows the rules of an application's."""
    rules = [{"aliasLabelName": "bad name", "jsonPath": "{.a}"}]
    spec = {**_spec(), "failover": {"cluster": {"statePreservation": {"rules": rules}}}}
    assert [error.field for error in policy_errors(spec)] == [
        "spec.failover.cluster.statePreservation.rules[0].aliasLabelName"
    ]


def test_a_policy_without_a_namespace_selects_anywhere() -> None:
    """A ClusterPropagationPolicy has no namespace that its selectors could differ from."""
    assert policy_errors(_spec(), namespace="") == []
    assert [error.field for error in policy_errors(_spec(), namespace="shop")] == [
        "spec.resourceSelectors[0].namespace"
    ]
