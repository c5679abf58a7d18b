"""Whose a difference is."""

from typing import Any

import pytest
from pulumi.automation.events import StepEventMetadata

from placement.faults import ExitCode
from review.drift import Difference, Drift, differences
from tests.unit.review.made import POLICY, step

CLUSTER = "kubernetes:cluster.karmada.io/v1alpha1:Cluster"
DEPLOYMENT = "kubernetes:apps/v1:Deployment"
HPA = "kubernetes:autoscaling.karmada.io/v1alpha1:FederatedHPA"


def refreshed(type_: str, inputs: Any, was: Any, is_: Any) -> StepEventMetadata:
    """A refresh step from the state *was* to the object as it is."""
    old, new = {"inputs": inputs, "outputs": was}, {"inputs": inputs, "outputs": is_}
    event = step("update", type_, "it", old=old, new=new).res_outputs_event
    assert event is not None
    return event.metadata


def owners(*steps: StepEventMetadata) -> dict[str, str]:
    """The owner of each difference, by its path."""
    return {found.path: found.owner for found in differences(steps)}


def metadata(**fields: Any) -> dict[str, Any]:
    """An object of which nothing but metadata is known."""
    return {"metadata": {"name": "it", "namespace": "shop", **fields}}


def written(manager: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Who wrote which fields, as the API server says it."""
    return {"managedFields": [{"manager": manager, "fieldsV1": fields}]}


CASES: dict[str, tuple[str, str, Any, Any, Any]] = {
    "a field of ours": ("ours", POLICY, {"spec": {"a": 1}}, {"spec": {"a": 1}}, {"spec": {"a": 2}}),
    "a field of ours, gone": ("ours", POLICY, {"spec": {"a": 1}}, {"spec": {"a": 1}}, {"spec": {}}),
    "a field of nobody's": ("foreign", POLICY, {}, {"spec": {}}, {"spec": {"b": 1}}),
    "a label": ("foreign", POLICY, {}, metadata(labels={}), metadata(labels={"team": "red"})),
    "a label of Karmada's": (
        "expected",
        POLICY,
        {},
        metadata(labels={}),
        metadata(labels={"propagationpolicy.karmada.io/permanent-id": "1"}),
    ),
    "a label that only looks so": (
        "foreign",
        POLICY,
        {},
        metadata(labels={}),
        metadata(labels={"karmada.io.example.com/x": "1"}),
    ),
    "a finalizer of Karmada's": (
        "expected",
        POLICY,
        {},
        metadata(),
        metadata(finalizers=["karmada.io/policy-controller"]),
    ),
    "a finalizer of others": ("foreign", POLICY, {}, metadata(), metadata(finalizers=["a.b/c"])),
    "status": ("expected", CLUSTER, {}, {"status": {}}, {"status": {"x": 1}}),
    "taints of a cluster": (
        "expected",
        CLUSTER,
        {"spec": {"taints": []}},
        {"spec": {"taints": []}},
        {"spec": {"taints": [{"key": "cluster.karmada.io/not-ready"}]}},
    ),
    "the provider of a cluster": (
        "ours",
        CLUSTER,
        {"spec": {"provider": "a"}},
        {"spec": {"provider": "a"}},
        {"spec": {"provider": "b"}},
    ),
    "what a controller of Karmada's wrote": (
        "expected",
        POLICY,
        {},
        {"spec": {}},
        {
            "spec": {"x": 1},
            "metadata": written("karmada-controller-manager", {"f:spec": {"f:x": {}}}),
        },
    ),
    "what a cloud computes": ("expected", "hcloud:index/server:Server", {}, {"ip": 1}, {"ip": 2}),
    "what a cloud was told": (
        "ours",
        "hcloud:index/server:Server",
        {"labels": {"a": "b"}},
        {"labels": {"a": "b"}},
        {"labels": {"a": "c"}},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_difference_has_its_owner(name: str) -> None:
    """What we wrote is ours, what Karmada or a cloud writes is expected, the rest is foreign."""
    owner, type_, inputs, was, is_ = CASES[name]
    assert set(owners(refreshed(type_, inputs, was, is_)).values()) == {owner}


def test_replicas_are_the_autoscalers_where_there_is_one() -> None:
    """The replicas of a template are expected to change only under an autoscaler of this stack."""
    inputs = {**metadata(), "spec": {"replicas": 2}}
    scaled = refreshed(DEPLOYMENT, inputs, inputs, {**metadata(), "spec": {"replicas": 5}})
    assert owners(scaled) == {"spec.replicas": "ours"}
    target = {"scaleTargetRef": {"kind": "Deployment", "name": "it"}}
    hpa_inputs = {**metadata(), "spec": target}
    hpa = refreshed(HPA, hpa_inputs, hpa_inputs, hpa_inputs)
    assert owners(hpa, scaled) == {"spec.replicas": "expected"}


def test_the_servers_own_books_are_no_difference() -> None:
    """Generation, resource version and managed fields change with everything and say nothing."""
    new = metadata(generation=2, resourceVersion="9", **written("kubectl", {"f:spec": {}}))
    assert owners(refreshed(POLICY, {}, metadata(generation=1), new)) == {}


def test_an_object_that_is_gone_is_ours() -> None:
    """Somebody deleted what the program made."""
    gone = step("delete", POLICY, "it", old={"inputs": {}}).res_outputs_event
    assert gone is not None
    assert owners(gone.metadata) == {"(object)": "ours"}


def test_writers_are_those_of_the_field() -> None:
    """The field's last writers are named, and not those of other fields."""
    fields = [
        {"manager": "kubectl-edit", "fieldsV1": {"f:spec": {"f:a": {}}}},
        {"manager": "karmada-webhook", "fieldsV1": {"f:spec": {"f:b": {}}}},
    ]
    new = {"spec": {"a": 2}, "metadata": {"managedFields": fields}}
    (found,) = differences([refreshed(POLICY, {"spec": {"a": 1}}, {"spec": {"a": 1}}, new)])
    assert found.writers == ("kubectl-edit",)


@pytest.mark.parametrize(
    ("owner", "code"),
    [
        ("ours", ExitCode.CHANGES),
        ("foreign", ExitCode.CHANGES),
        ("expected", ExitCode.DONE),
        ("never placed", ExitCode.DONE),
    ],
)
def test_only_ours_and_foreign_change_the_exit_code(owner: Any, code: ExitCode) -> None:
    """What Karmada writes, and a cluster that joined, are no reason to wake anybody."""
    assert Drift("s", (Difference(owner, POLICY, "it", "spec"),)).exit_code == code


def test_objects_that_cannot_be_read_are_a_failure() -> None:
    """Nothing known is not no drift."""
    assert Drift("s", (), ("unreachable",)).exit_code == ExitCode.FAILURE
