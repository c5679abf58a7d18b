"""What users ask for and do not get: explanation and dry runs. Numbers as in docs/requests.md."""

import json
from pathlib import Path

from click.testing import CliRunner

from placement.__main__ import placement
from placement.division import answer
from placement.federation.objective import UNITS
from tests.unit.deciding import cheap_and_dear, counts_of, decide
from tests.unit.federations import cluster, node_class, plain, workload, write

ROOT = Path(__file__).parents[2]


def test_request_01_the_rule_that_chose_a_cluster() -> None:
    """Of B that fits 12 and C that fits 18 one is taken, and the report names the rule and figures.

    Karmada's aggregated division takes C, which has more room; the engine what costs less.
    """
    clusters = [cluster("b", node_class(cpu=12), price=90), cluster("c", node_class(cpu=18))]
    one = {"spread": {"cluster": {"maxGroups": 1}}}
    decision = decide(clusters, [workload("w", 12, **one)])
    assert counts_of(decision) == {"c": 12}
    ranked = decision.workload("default/w").candidates
    assert [(c.cluster, c.rank, c.terms["cost"]) for c in ranked] == [
        ("c", 1, 6.25),
        ("b", 2, 7.5),
    ]
    room = {"cpu": "1", "memory": "1Gi"}
    case = {
        "id": "1",
        "clusters": [
            {
                "name": name,
                "region": name,
                "provider": "x",
                "zones": [],
                "labels": {},
                "taints": [],
                "allocatable": {"cpu": str(fits), "memory": "99Gi", "pods": "110"},
                "allocated": {},
            }
            for name, fits in (("b", 12), ("c", 18))
        ],
        "placement": {
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Aggregated",
            }
        },
        "replicas": 12,
        "request": room,
        "uid": "",
        "previous": [],
    }
    assert json.loads(answer(json.dumps(case), number=1, file="case"))["replicas"] == {"c": 12}


def test_request_03_no_cluster_matches_the_selector() -> None:
    """Every cluster is named with the labels that it has, and the selector is the conflict."""
    clusters = [cluster("a", labels={"tier": "silver"}), cluster("b")]
    selector = {"labelSelector": {"matchLabels": {"tier": "gold"}}}
    decision = decide(clusters, [workload("w", 2, affinity=selector)])
    assert decision.status == "infeasible"
    refused = {r.cluster: (r.filter, r.detail) for r in decision.workloads[0].refused}
    assert refused["a"][0] == refused["b"][0] == "ClusterAffinity"
    assert "{tier: silver}" in refused["a"][1]
    assert decision.infeasibility is not None
    keys = [r.key for r in decision.infeasibility.requirements]
    assert keys == ["workloads[0].affinity.labelSelector"]


def test_request_04_reasons_also_where_a_placement_is_found() -> None:
    """A successful placement says of each cluster it left why: here too small for a replica."""
    clusters = [cluster("small", node_class(cpu=1)), cluster("large", node_class(cpu=8))]
    decision = decide(clusters, [workload("w", 2, cpu=2)])
    assert counts_of(decision) == {"large": 2}
    (refused,) = decision.workload("default/w").refused
    assert (refused.cluster, refused.filter) == ("small", "NodeFit")
    assert "asks for 2 cpu, a node has 1" in refused.detail


def test_request_06_ties_are_shown_as_ties() -> None:
    """Two clusters that cost the same share a rank; a third has the rank after both."""
    clusters = [cluster("b"), cluster("a"), cluster("c", price=101)]
    ranked = decide(clusters, [workload("w", 1)]).workload("default/w").candidates
    assert [(c.cluster, c.rank) for c in ranked] == [("a", 1), ("b", 1), ("c", 3)]


def test_request_07_a_page_on_every_term_with_its_unit() -> None:
    """The method's page has a line for each term of the objective."""
    page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
    for term in UNITS:
        assert f"* **{term}**, " in page


def test_request_09_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    """A plan of a file needs no cluster and leaves nothing behind."""
    file = write(tmp_path / "federation.yaml", plain(cheap_and_dear(), [workload("w", 4)]))
    run = CliRunner().invoke(placement, ["plan", str(file), "--json"])
    assert run.exit_code == 0
    assert json.loads(run.stdout)["workloads"][0]["replicas"] == {"cheap": 4}
    assert list(tmp_path.iterdir()) == [file]


def test_request_10_what_a_narrower_policy_moves() -> None:
    """Where the present placement meets the new rule nothing moves; else the moves are listed."""
    keep = {"lexicographic": [{"term": "churn"}, {"term": "cost"}]}
    present = {"default/w": {"dear": 3}}
    clusters = cheap_and_dear()
    same = workload("w", 3, affinity={"clusterNames": ["dear"]})
    assert decide(clusters, [same], objective=keep, present=present).moves == ()
    other = workload("w", 3, affinity={"clusterNames": ["cheap"]})
    decision = decide(clusters, [other], objective=keep, present=present)
    assert [(m.cluster, m.before, m.after) for m in decision.moves] == [
        ("cheap", 0, 3),
        ("dear", 3, 0),
    ]
