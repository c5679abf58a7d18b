"""The machine reassignment problem: what is read, what it costs, and what the search finds."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench.__main__ import bench
from bench.reassignment import search as searching
from bench.reassignment.block import solve_block
from bench.reassignment.bound import bound
from bench.reassignment.instance import Balance, read
from bench.reassignment.judge import Cost, cost, violations
from bench.reassignment.published import PUBLISHED
from bench.reassignment.search import search
from bench.reassignment.state import State
from placement.faults import BadInputError, ExitCode
from tests.unit.bench.reassignments import optimum, random_instance, write

_MODEL = """\
2  1 100  0 10
3
0 0  30 400  16 80  0 1 4
0 1  10 240   8 160  1 0 3
1 1  15 100  12 80  4 3 0
2
2 0
1 1 0
3
0  12 10  1000
0  10 20  100
1   6 200  1
1
0 1 20
10
1 10 100
"""
"""Three machines; two processes of a service that must be in two locations, and a third of one
that depends on it. The first resource is transient."""


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Each number of the two files is where the format says it is."""
    write(tmp_path, "x", _MODEL, "0 1 0")
    found = read(tmp_path, "x")
    assert found.transient.tolist() == [True, False]
    assert found.load_weight.tolist() == [100, 10]
    assert found.neighbourhood.tolist() == [0, 0, 1]
    assert found.location.tolist() == [0, 1, 1]
    assert found.capacity.tolist() == [[30, 400], [10, 240], [15, 100]]
    assert found.safety.tolist() == [[16, 80], [8, 160], [12, 80]]
    assert found.move_cost.tolist() == [[0, 1, 4], [1, 0, 3], [4, 3, 0]]
    assert (found.spread.tolist(), found.depends) == ([2, 1], ((), (0,)))
    assert found.service.tolist() == [0, 0, 1]
    assert found.requirement.tolist() == [[12, 10], [10, 20], [6, 200]]
    assert found.process_cost.tolist() == [1000, 100, 1]
    assert found.balances == (Balance(0, 1, 20, 10),)
    assert (found.process_weight, found.service_weight, found.machine_weight) == (1, 10, 100)
    assert found.start.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("model", "assignment", "said"),
    [
        (_MODEL.replace("10\n1 10 100", "10\n1 10"), "0 1 0", r"model_x.*weight: read the end"),
        (_MODEL, "0 1 0 2", r"assignment_x.*read 1 numbers after the last; allowed none"),
        (_MODEL.replace("2  1 100", "2  1 -100"), "0 1 0", r"number 3.*read -100; allowed 0 or"),
        (_MODEL.replace("2  1 100", "2  1 ten"), "0 1 0", r"model_x.*allowed a gzip file of whole"),
    ],
)
def test_what_is_not_of_the_format_is_said(
    tmp_path: Path, model: str, assignment: str, said: str
) -> None:
    """A file that is too short, too long, or not of whole numbers is named with the place."""
    write(tmp_path, "x", model, assignment)
    with pytest.raises(BadInputError, match=said):
        read(tmp_path, "x")


def test_the_cost_is_that_of_a_hand(tmp_path: Path) -> None:
    """Each part of the cost, summed by hand, at the start and after two moves."""
    write(tmp_path, "x", _MODEL, "0 1 0")
    given = read(tmp_path, "x")
    # Machine 0 uses 18 and 210 (2 and 130 above safety), machine 1 uses 10 and 20 (2 above).
    # Free: 12 and 190, 0 and 220, 15 and 100; 20 of the second for each of the first: 50 and 200.
    load, balance = 100 * (2 + 2) + 10 * 130, 10 * (50 + 200)
    assert cost(given, given.start) == Cost(load, balance, 0, 0, 0)
    # The second process to machine 2, the third to 1: machine 0 uses 12 and 10, machine 1 6 and
    # 200, machine 2 10 and 20. Free: 18 and 390, 4 and 40, 5 and 80.
    moved = cost(given, np.array([0, 2, 1]))
    assert moved == Cost(10 * 40, 10 * (0 + 40 + 20), 1 * (100 + 1), 10 * 1, 100 * (3 + 1))
    assert moved.total == 400 + 600 + 101 + 10 + 400


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ([0, 1, 0], []),
        ([0, 0, 0], ["service 0: two processes on one machine", "service 0: in fewer than 2"]),
        ([1, 2, 1], ["machine 1: more of resource 0 than its", "service 0: in fewer than 2"]),
        ([0, 1, 2], ["machine 2: more of resource 1", "service 1: in a neighbourhood without"]),
        ([0, 2, 0], []),
    ],
)
def test_each_broken_rule_is_said(tmp_path: Path, place: list[int], said: list[str]) -> None:
    """Capacity, conflict, spread and dependency, each by its words and no other."""
    write(tmp_path, "x", _MODEL, "0 1 0")
    found = violations(read(tmp_path, "x"), np.array(place))
    assert len(found) == len(said), found
    assert all(f.startswith(s) for f, s in zip(found, said, strict=True)), found


def test_a_transient_resource_is_used_in_both_places(tmp_path: Path) -> None:
    """A process that left still takes room of it where it was, and of no other resource."""
    write(tmp_path, "x", _MODEL, "0 1 0")
    given = read(tmp_path, "x")
    place = np.array([0, 2, 1])  # 10 of 10 were used on machine 1 and 6 more come
    assert violations(given, place) == ["machine 1: more of resource 0 than its capacity"]
    plain = replace(given, transient=np.array([False, True]))
    assert violations(plain, place) == []


@pytest.mark.parametrize("seed", range(16))
def test_a_block_of_all_machines_gives_the_optimum(seed: int) -> None:
    """The exact program finds and proves what enumeration finds, with every rule and cost."""
    given = random_instance(seed)
    found = solve_block(given, given.start, np.arange(len(given.location)), 10_000, 0.0)
    assert found.place is not None
    assert not violations(given, found.place)
    assert cost(given, found.place).total == optimum(given) == pytest.approx(found.bound)
    assert bound(given) <= optimum(given)


@pytest.mark.parametrize("seed", range(16))
def test_a_block_keeps_what_is_outside(seed: int) -> None:
    """Some machines placed anew around the others: no rule broken, never dearer than before."""
    given = random_instance(seed, machines=6, processes=14, services=6)
    machines = np.array([0, 2, 3])
    outside = ~np.isin(given.start, machines)
    found = solve_block(given, given.start, machines, 10_000, 0.0).place
    assert found is not None
    assert not violations(given, found)
    assert cost(given, found).total <= cost(given, given.start).total
    assert (found[outside] == given.start[outside]).all()


@pytest.mark.parametrize("seed", range(12))
def test_a_move_costs_what_the_judge_says(seed: int) -> None:
    """The change that a state foretells is that of the judge's cost, rules without a price."""
    given = random_instance(seed, machines=6, processes=14, services=6)
    free = replace(given, service_weight=0)
    state, random = State(free, free.start), np.random.default_rng(seed)
    for _ in range(60):
        process = int(random.integers(state.nobody))
        back = int(random.integers(state.nobody + 1))
        to = int(random.integers(6)) if back == state.nobody else int(state.place[back])
        before = cost(free, state.place[:-1]).total
        change = state.changes(process, np.array([to]), np.array([back]))[0]
        if np.isfinite(change):
            state.make(process, to, back)
            assert cost(free, state.place[:-1]).total - before == change
            assert state.cost == cost(free, state.place[:-1]).total
            assert state.legal == (not violations(free, state.place[:-1]))
    assert (state.place[:-1] != free.start).any()


@pytest.mark.parametrize("seed", range(6))
def test_broken_rules_are_charged(seed: int) -> None:
    """A state that was moved charges for broken rules what one made at its place does."""
    given = random_instance(seed, machines=6, processes=14, services=6)
    penalty, price = np.linspace(1, 6, 6), np.linspace(10, 16, 7)
    state, random = State(given, given.start), np.random.default_rng(seed)
    state.charge(penalty, price)
    broken = 0
    for _ in range(40):
        process, to = int(random.integers(state.nobody)), int(random.integers(6))
        nobody = np.array([state.nobody])
        change = state.changes(process, np.array([to]), nobody)[0]
        if np.isfinite(change):
            before = state.cost
            state.make(process, to, state.nobody)
            afresh = State(given, state.place[:-1].copy())
            afresh.charge(penalty, price)
            assert state.cost == pytest.approx(afresh.cost)
            assert state.cost - before == pytest.approx(change)
            assert state.legal == afresh.legal
            broken += not state.legal
    assert broken


def test_the_search_is_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Annealing and blocks: twice the same answer, legal, far better than the start."""
    monkeypatch.setitem(searching.STEPS, 1, 3_000)
    given = random_instance(1, machines=40, processes=200, services=90)
    first, second = search(given, 1, seed=1), search(given, 1, seed=1)
    assert (first.place == second.place).all()
    assert not violations(given, first.place)
    start, found = cost(given, given.start).total, cost(given, first.place).total
    assert first.bound <= found < start - 0.5 * (start - first.bound)
    other = search(given, 1, seed=2)
    assert (first.place != other.place).any()


def test_what_is_small_is_proven() -> None:
    """A small instance is one block, and its bound is what it costs."""
    given = random_instance(3)
    found = search(given, 1, seed=1)
    assert found.bound == cost(given, found.place).total == optimum(given)


@pytest.mark.skipif("REFERENCE_DIR" not in os.environ, reason="needs REFERENCE_DIR")
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_start_costs(name: str) -> None:
    """The judge counts what is published for the start of each instance, and finds it legal."""
    given = read(Path(os.environ["REFERENCE_DIR"], "data", "roadef2012"), name)
    assert cost(given, given.start).total == PUBLISHED[name].start
    assert not violations(given, given.start)
    assert bound(given) <= PUBLISHED[name].best


@pytest.mark.skipif("REFERENCE_DIR" not in os.environ, reason="needs REFERENCE_DIR")
def test_the_command_answers_in_json() -> None:
    """a1_1 is solved to its published optimum, and proven."""
    arguments = ["reassignment", "--instance", "a1_1", "--json"]
    result = CliRunner().invoke(bench, arguments, standalone_mode=False)
    assert result.return_value == ExitCode.DONE, result.exception
    document = json.loads(result.stdout)
    (row,) = document["instances"]
    assert row["cost"] == row["bound"] == row["best"] == 44_306_501
    assert (row["above"], row["broken"], row["reached"]) == (0, [], True)
    assert document["run"]["seed"] == 1
    table = CliRunner().invoke(bench, arguments[:-1], standalone_mode=False).stdout
    assert "a1_1      4 x 100" in table


def test_without_the_data_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that says where the data are is part of the error."""
    monkeypatch.delenv("REFERENCE_DIR", raising=False)
    arguments = ["reassignment", "--instance", "a1_1"]
    result = CliRunner().invoke(bench, arguments, standalone_mode=False)
    assert isinstance(result.exception, BadInputError)
    assert "REFERENCE_DIR" in str(result.exception)
