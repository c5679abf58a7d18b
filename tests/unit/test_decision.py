"""The decision's JSON form: the same decision is the same bytes, also back from Pulumi."""

import json
from pathlib import Path
from typing import Any

import pytest

from placement.decision import SCHEMA, Decision, read
from placement.federation import load
from placement.plan import input_hash, plan
from tests.unit.federations import Plain, cluster, federation, node_class, plain, workload, write


@pytest.fixture(scope="module")
def decision() -> Decision:
    """Of a federation with every part: losses, refusals, moves."""
    taint = {"key": "k", "value": "v", "effect": "NoSchedule"}
    clusters = [cluster("a"), cluster("b", node_class(count=2)), cluster("c", taints=[taint])]
    given = workload("w", 4, spread={"cluster": {"minGroups": 2}})
    return plan(federation(clusters, [given]), present={"default/w": {"b": 4}})


def _as_floats(value: Any) -> Any:
    """Every number as a float, as Pulumi's outputs give them back."""
    if isinstance(value, dict):
        return {key: _as_floats(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_as_floats(child) for child in value]
    whole = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole else value


def _as_ints(value: Any) -> Any:
    """Every whole number as an int, as a JSON writer in another language has it."""
    if isinstance(value, dict):
        return {key: _as_ints(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_as_ints(child) for child in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def test_round_trip(decision: Decision) -> None:
    """Read back from its JSON, from floats or from ints, it is the same decision and bytes."""
    document = json.loads(decision.json())
    for again_document in (document, _as_floats(document), _as_ints(document)):
        again = read(again_document)
        assert again == decision
        assert again.json() == decision.json()


def test_keys_are_sorted(decision: Decision) -> None:
    """At every depth, with the schema named."""
    text = decision.json()
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
    assert json.loads(text)["schema"] == SCHEMA


def test_moves_are_against_the_present(decision: Decision) -> None:
    """What changes is listed by workload and cluster, and nothing else."""
    changed = {m.cluster: m.after - m.before for m in decision.moves}
    assert sum(changed.values()) == 0
    assert "b" in changed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "placement/decision/v2"}, "schema: read 'placement/decision/v2'; allowed"),
        ({"schema": None}, "schema: read None; allowed"),
        ({"status": "perfect"}, "status: read 'perfect'; allowed optimal, gap, infeasible"),
        ({"workloads": None}, "not a decision"),
        ({"workloads": [{}]}, "not a decision"),
        ({"moves": [{"workload": "w", "cluster": "a", "before": 1e999, "after": 1}]}, "not a"),
    ],
)
def test_what_is_no_decision(decision: Decision, change: Plain, said: str) -> None:
    """Another schema and broken parts are named."""
    with pytest.raises(ValueError, match=said):
        read({**json.loads(decision.json()), **change})


def test_what_is_no_mapping() -> None:
    """A list is no decision either."""
    document: Any = [1]
    with pytest.raises(ValueError, match="schema: read"):
        read(document)


def test_input_hash_follows_the_facts(tmp_path: Path) -> None:
    """Each changed fact and the effort change the hash; the order of keys does not."""
    base = plain([cluster("a")], [workload("w", 2)])
    first = load(write(tmp_path / "a.yaml", base))
    turned = {key: base[key] for key in reversed(base)}
    turned["workloads"] = [dict(reversed(w.items())) for w in base["workloads"]]
    assert input_hash(load(write(tmp_path / "b.yaml", turned)), 3) == input_hash(first, 3)
    hashes = {input_hash(first, 3), input_hash(first, 4)}
    changes: list[Plain] = [
        {"prices": [{**base["prices"][0], "amount": "101"}]},
        {"prices": [{**base["prices"][0], "date": "2026-08-15"}]},
        {"workloads": [workload("w", 3)]},
        {"objective": {"basis": "sunk"}},
        {"classes": {"standard": {"failoverThreshold": 90}}},
    ]
    for change in changes:
        hashes.add(input_hash(load(write(tmp_path / "c.yaml", {**base, **change})), 3))
    assert len(hashes) == 2 + len(changes)
