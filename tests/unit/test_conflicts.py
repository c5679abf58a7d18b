"""Why there is no placement: what is named conflicts, no less would, and ways out are ways out."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from placement.conflicts import words
from placement.conflicts.deletion import irreducible
from placement.decision import Decision, read
from placement.federation import Federation
from placement.findings import Infeasibility
from placement.plan import decide, plan
from placement.requirements import Requirement, requirements, without
from tests.unit.federations import Plain, cluster, federation, node_class, plain, workload
from tests.unit.planted import planted

# ruff: noqa: S311 - the numbers make instances, no secrets

_BATCHES = 10
_EACH = 20


@pytest.mark.parametrize("batch", range(_BATCHES))
def test_planted_conflicts(batch: int) -> None:
    """Of 200 planted conflicts exactly the requirements are named of which each is made.

    Alone they are infeasible, without any one of them there is a placement, and every way out
    leads to one.
    """
    random = Random(batch)
    for number in range(_EACH):
        content, keys = planted(random)
        label = f"{batch}/{number}: {sorted(keys)}"
        given = Federation.model_validate(content)
        found = _explained(plan(given))
        assert {r.key for r in found.requirements} == keys, label
        assert (found.proven, found.irreducible) == (True, True), label
        _conflict(given, keys, label)
        _ways_out(content, found, label)


def _explained(decision: Decision) -> Infeasibility:
    assert decision.status == "infeasible"
    assert decision.infeasibility is not None
    return decision.infeasibility


def _placed(given: Federation) -> bool:
    return decide(given, effort=3, present=None).status != "infeasible"


def _conflict(given: Federation, keys: set[str], label: str) -> None:
    """Nothing else is needed for the conflict, and each of *keys* is."""
    listed = requirements(given)
    members = [r for r in listed if r.key in keys]
    others = [r for r in listed if r not in members and not _goes_without_saying(r, members)]
    assert not _placed(without(given, others)), label
    for member in members:
        assert _placed(without(given, [member])), f"{label}: without {member.key}"


def _goes_without_saying(requirement: Requirement, members: list[Requirement]) -> bool:
    """That a workload of which something is said is to be placed, and has its users."""
    return any(m.below(location) for m in members for location in requirement.behind)


def _ways_out(content: Plain, found: Infeasibility, label: str) -> None:
    """Each is a file that a user could write, with a placement of the value that was said."""
    assert 1 <= len(found.relaxations) <= 5, label
    for way in found.relaxations:
        eased = Federation.model_validate(_patched(content, way.patch), by_alias=True)
        decision = decide(eased, effort=3, present=None)
        assert decision.status == way.status, f"{label}: {way.patch}"
        assert decision.objective[0].value == way.objective[0].value, f"{label}: {way.patch}"


def _patched(content: Plain, patch: Any) -> Plain:
    """JSON Patch, as far as it is used here."""
    result: Plain = json.loads(json.dumps(content))
    for operation in patch:
        *path, last = operation["path"].split("/")[1:]
        node: Any = result
        for part in path:
            part = part.replace("~1", "/").replace("~0", "~")  # noqa: PLW2901 - RFC 6901
            node = node[int(part)] if isinstance(node, list) else node.setdefault(part, {})
        key: Any = int(last) if isinstance(node, list) else last
        if operation["op"] == "remove":
            del node[key]
        else:
            node[key] = operation["value"]
    return result


def test_the_least_is_given_up() -> None:
    """A step less than each way out leads nowhere: 2 regions and not 1, 4 replicas and not 3."""
    clusters = [cluster("a"), cluster("b")]
    spread = workload("w", 4, spread={"region": {"minGroups": 3}})
    found = _explained(plan(federation(clusters, [spread])))
    assert found.relaxations[0].changes[0].after == "2"
    found = _explained(plan(federation(clusters[:1], [workload("w", 6)])))
    afters = {c.key: c.after for way in found.relaxations for c in way.changes}
    assert afters == {
        "workloads[0].replicas": "4",
        "workloads[0].request.cpu": "600m",
        "clusters[0].nodeClasses[0].count": "2",
    }
    costs = [way.objective[0].value for way in found.relaxations]
    assert costs == [90.0, 100.0, 150.0]  # 6 x 0.6, 4 and 6 of 4 cores at 100 EUR


def test_conflicts_that_have_nothing_to_do_with_each_other() -> None:
    """One is named, and each way out mends both."""
    workloads = [
        workload("v", 4, spread={"region": {"minGroups": 3}}),
        workload("w", 2, residency=["eu"]),
    ]
    content = plain([cluster("a", jurisdiction="us"), cluster("b")], workloads)
    found = _explained(plan(Federation.model_validate(content)))
    assert [r.key for r in found.requirements] == ["workloads[1].residency"]
    assert all(len(way.changes) == 2 for way in found.relaxations)
    _ways_out(content, found, "both")


def test_more_replicas_where_fewer_do_not_help() -> None:
    """Two on each of three clusters are six replicas: four are too few, and six are offered."""
    given = workload("w", 4, spread={"cluster": {"minGroups": 3}}, perCluster={"min": 2})
    content = plain([cluster(name) for name in "abc"], [given])
    found = _explained(plan(Federation.model_validate(content)))
    assert [r.key for r in found.requirements] == [
        "workloads[0].replicas",
        "workloads[0].spread.cluster.minGroups",
        "workloads[0].perCluster.min",
    ]
    afters = {c.key: c.after for way in found.relaxations for c in way.changes}
    assert afters["workloads[0].replicas"] == "6"


def test_only_the_exact_check_refuses() -> None:
    """Each resource is enough, but first fit leaves a replica over: the check alone says so."""
    clusters = [cluster("a", node_class(count=2, cpu=10))]
    workloads = [workload("w", 2, cpu=4), workload("v", 4, cpu=3)]
    found = _explained(plan(federation(clusters, workloads)))
    assert (found.stage, found.proven) == ("check", True)
    assert any("find no node" in line for line in found.details)
    assert "the exact check" in words.verdict(found)


def test_what_was_not_proven_is_said_to_be_so() -> None:
    """With no effort for exact cuts the same conflict is one that was not proven."""
    clusters = [cluster("a", node_class(count=2, cpu=10))]
    workloads = [workload("w", 2, cpu=4), workload("v", 4, cpu=3)]
    found = _explained(plan(federation(clusters, workloads), effort=1))
    assert (found.stage, found.proven) == ("check", False)
    assert words.verdict(found).startswith("Not proven")


def test_a_budget_and_a_bound_on_moves_conflict_like_any_other() -> None:
    """60 EUR for four replicas of 25; one move allowed where three more are asked for."""
    money = {"name": "all", "money": {"amount": "60", "currency": "EUR"}}
    found = _explained(plan(federation([cluster("a")], [workload("w", 4)], budgets=[money])))
    assert _after(found, "budgets[0].money.amount") == "100.20 EUR/month"
    assert _after(found, "workloads[0].replicas") == "2"
    given = federation(
        [cluster("a", price=10), cluster("b", price=90)],
        [workload("w", 4, atMost={"b": 0})],
        objective={"moves": {"atMost": 1}},
    )
    found = _explained(plan(given, present={"default/w": {"b": 4}}))
    assert {"workloads[0].atMost.b", "objective.moves.atMost"} <= {
        r.key for r in found.requirements
    }
    assert _after(found, "objective.moves.atMost") == "4"


def _after(found: Infeasibility, key: str) -> str | None:
    """What a way out that changes *key* alone makes of it."""
    return next(
        way.changes[0].after for way in found.relaxations if [c.key for c in way.changes] == [key]
    )


def test_a_workload_is_given_up_where_nothing_else_helps() -> None:
    """A kind that no cluster serves: the workload itself is named, with what the filters say."""
    apis = [{"groupVersion": "v1", "kinds": ["Pod"]}]
    found = _explained(plan(federation([cluster("a", apis=apis)], [workload("w", 2)])))
    assert [r.key for r in found.requirements] == ["workloads[0]"]
    assert "APIEnablement: it does not serve Deployment" in found.details[0]
    assert [c.after for way in found.relaxations for c in way.changes] == [None]


def test_findings_survive_their_json() -> None:
    """Read back, also from floats, the decision is the same; a feasible one has no such key."""
    decision = plan(federation([cluster("a")], [workload("w", 5)]))
    assert read(json.loads(decision.json())) == decision
    document = plan(federation([cluster("a")], [workload("w", 4)])).document()
    assert not {"infeasibility", "prices"} & set(document)


def test_deletion_filter_asks_few_questions() -> None:
    """Of 1,000 requirements the three that conflict, as one by one, in under 60 questions."""
    conflict, asked = {100, 555, 556}, 0

    def conflicting(dropped: Any) -> bool:
        nonlocal asked
        asked += 1
        return conflict.isdisjoint(dropped)

    assert irreducible(range(1000), conflicting) == sorted(conflict)
    assert asked < 60


def test_of_two_conflicts_the_later_one_is_kept() -> None:
    """The filter goes in the order of the file: what comes first is dropped first."""
    sets: list[set[int]] = [{1, 2}, {5, 7}]

    def conflicting(dropped: Any) -> bool:
        return any(each.isdisjoint(dropped) for each in sets)

    assert irreducible(range(9), conflicting) == [5, 7]


def test_golden_explanation() -> None:
    """What a reader sees of a conflict, word for word."""
    golden = Path(__file__).parent / "golden" / "infeasible.txt"
    assert _printed() == golden.read_text(encoding="utf-8")


def _printed() -> str:
    """The report on ``fixtures/infeasible.yaml``."""
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-m", "placement", "plan", "tests/unit/fixtures/infeasible.yaml"],
        cwd=root,
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.returncode == 3, run.stderr
    return run.stdout
