"""The policies reproduce the decision to the replica, before and after a loss."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from placement.decision import Decision
from placement.division import (
    Binding,
    ClusterState,
    Division,
    name_order_descending,
    parse_placement,
    schedule,
)
from placement.emit import objects
from placement.failure import divided_after
from placement.faults import FederationError
from placement.federation import Federation, load
from placement.karmada.advice import refusals
from placement.plan import plan
from placement.render import to_yaml
from placement.state import cluster_state
from tests.unit.federations import cluster, federation, node_class, workload

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "global.yaml"
GOLDEN = Path(__file__).parent / "golden" / "web-frontend-policy.yaml"


@pytest.fixture(scope="module")
def example() -> Federation:
    """The example that every user starts from."""
    return load(EXAMPLE)


@pytest.fixture(scope="module")
def decided(example: Federation) -> Decision:
    """Its decision."""
    return plan(example, effort=1)


@pytest.fixture(scope="module")
def policies(example: Federation, decided: Decision) -> dict[str, Any]:
    """Its policies, by workload id."""
    found = {}
    for content in objects(example, decided, EXAMPLE.parent):
        if content["kind"] == "PropagationPolicy":
            meta = content["metadata"]
            found[f"{meta['namespace']}/{meta['labels']['federation/workload']}"] = content
    return found


def _divide(policy: dict[str, Any], clusters: list[ClusterState], n: int, uid: str) -> Any:
    """What Karmada's scheduler makes of *n* replicas under the policy."""
    placement = parse_placement(policy["spec"]["placement"], number=0, file="policy")
    return schedule(clusters, Binding(placement=placement, replicas=n, uid=uid))


def test_policy_of_the_source_document(policies: dict[str, Any]) -> None:
    """The wanted 70 to 30 of web-frontend is this policy, byte for byte."""
    text = to_yaml(policies["default/web-frontend"])
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_every_policy_is_accepted(policies: dict[str, Any], example: Federation) -> None:
    """Neither Karmada's validation nor the advice has anything to say of any policy."""
    assert set(policies) == {w.id for w in example.workloads}
    for name, policy in policies.items():
        assert refusals(policy) == [] or all("not all known" in r for r in refusals(policy)), name


def test_names_labels_annotations(
    policies: dict[str, Any], decided: Decision, example: Federation
) -> None:
    """``<workload>-<kind>``, the workload as label, the counts readable as annotation."""
    for w in example.workloads:
        meta = policies[w.id]["metadata"]
        kind = policies[w.id]["spec"]["resourceSelectors"][0]["kind"]
        assert meta["name"] == f"{w.name}-{kind.lower()}"
        assert meta["labels"] == {"federation/workload": w.name}
        assert json.loads(meta["annotations"]["federation/replicas"]) == decided.counts[w.id]


def test_tolerations(policies: dict[str, Any], example: Federation) -> None:
    """Both taints of a lost cluster, NoExecute and Exists, for the threshold less detection."""
    for w in example.workloads:
        given = policies[w.id]["spec"]["placement"]["clusterTolerations"][-2:]
        expected = {"operator": "Exists", "effect": "NoExecute"}
        if not w.stateful:
            seconds = example.settings(w).failover_threshold - 30
            expected["tolerationSeconds"] = seconds  # type: ignore[assignment]
        keys = ("cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable")
        assert given == [{"key": key, **expected} for key in keys], w.id


def test_spread_constraints(
    policies: dict[str, Any], decided: Decision, example: Federation
) -> None:
    """Always a cluster constraint, always an explicit maxGroups, and both met by the weights.

    The policy names the clusters that the weights are for: those chosen, then any backup.
    """
    regions = {c.name: c.region for c in example.clusters}
    for w in example.workloads:
        placement = policies[w.id]["spec"]["placement"]
        weights = placement["replicaScheduling"]["weightPreference"]["staticWeightList"]
        named = [one["targetCluster"]["clusterNames"][0] for one in weights]
        used = list(decided.counts[w.id])
        terms = placement.get("clusterAffinities") or [placement.get("clusterAffinity")]
        assert terms[0]["clusterNames"] == sorted(used)
        assert sorted(n for term in terms for n in term["clusterNames"]) == sorted(named)
        fields = {c["spreadByField"]: c for c in placement["spreadConstraints"]}
        assert ("region" in fields) == ("region" in w.all_groups)
        groups = {"cluster": len(used), "region": len({regions[name] for name in used})}
        for field, constraint in fields.items():
            assert constraint["minGroups"] <= groups[field] <= constraint["maxGroups"]


def test_policies_divide_into_the_decision(
    policies: dict[str, Any], decided: Decision, example: Federation
) -> None:
    """Under UIDs of either parity, and with any one cluster lost, exactly as was decided."""
    uids = ("a", "b")
    assert len({name_order_descending(uid) for uid in uids}) == 2
    states = [cluster_state(c) for c in example.clusters]
    for w in example.workloads:
        counts = decided.counts[w.id]
        for lost in ["", *counts]:
            left = [state for state in states if state.name != lost]
            backups = decided.workload(w.id).backups
            expected = divided_after(w, counts, frozenset({lost} - {""}), backups)
            if not expected or (w.stateful and lost):
                continue  # nothing is left, or nothing is moved
            for uid in uids:
                result = _divide(policies[w.id], left, w.size, uid)
                assert isinstance(result, Division), (w.id, lost, result)
                assert dict(result.replicas) == expected, (w.id, lost, uid)


def test_own_objects_are_labelled(example: Federation, decided: Decision) -> None:
    """A workload with a manifest comes with it.

    It is unchanged but for namespace, label, annotation and the priority of its class.
    """
    found = [o for o in objects(example, decided, EXAMPLE.parent) if o["kind"] == "Deployment"]
    given = yaml.safe_load((EXAMPLE.parent / "manifests/web-frontend.yaml").read_text())
    (one,) = [o for o in found if o["metadata"]["name"] == "web-frontend"]
    pod = given["spec"]["template"]["spec"]
    pod["priorityClassName"] = "federation-standard"
    assert one["spec"] == given["spec"]
    assert one["metadata"]["labels"] == {
        **given["metadata"]["labels"],
        "federation/workload": "web-frontend",
    }
    assert one["metadata"]["annotations"] == {"pulumi.com/skipAwait": "true"}


def test_too_many_replicas_for_weights_that_do_not_tie() -> None:
    """Beyond the range of tie-proof weights there is a message and no wrong policy."""
    nodes = node_class(cpu="1000k", memory="1000Ti", pods=1_000_000)
    spread = {"cluster": {"minGroups": 2}}
    given = federation(
        [cluster("a", nodes), cluster("b", nodes)], [workload("w", 600_000, spread=spread)]
    )
    with pytest.raises(FederationError, match="default/w: read 2 clusters and 600000 replicas"):
        plan(given, effort=1)
