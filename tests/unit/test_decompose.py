"""The method for large programs, on programs small enough to know the optimum."""

from random import Random

import numpy as np
import pytest

from bench.scale.generate import Size, generate
from placement.check import violations
from placement.federation import Federation
from placement.filter import candidates
from placement.program import Program, build
from placement.score import Facts
from placement.search import Answer, search
from placement.solve import Level, levels
from placement.solve.blocks import Blocks, coupled_part, own_part
from placement.solve.classes import Classes, Relaxation
from placement.solve.decompose import TARGET, decompose
from placement.solve.guide import guide
from placement.solve.highs import Linear, Model, branch_and_bound
from placement.solve.lagrangian import lagrangian_bound
from placement.solve.lexicographic import model_of, solve
from placement.solve.parts import _cut, rounded_in_parts
from placement.solve.repair import repaired
from placement.solve.whole import solve_whole
from placement.solve.workers import Workers

# ruff: noqa: S311 - the numbers make instances, no secrets

_SIZE = Size(10, 16, load=0.5)
_SEEDS = (2, 4, 5)
"""Those of the first that have a placement."""


def _program(size: Size, seed: int) -> tuple[Federation, Program, list[Level]]:
    """A generated federation with its program."""
    federation = Federation.model_validate(generate(size, seed)[0])
    facts = Facts.of(federation)
    taken = [candidates(facts, workload)[0] for workload in federation.workloads]
    return federation, build(federation, taken), levels(federation.objective)


@pytest.mark.parametrize("seed", _SEEDS)
def test_answer_is_within_all_rows_and_its_bound_below_the_optimum(seed: int) -> None:
    """The answer breaks no row and is near the optimum, which its bound is below."""
    _, program, wanted = _program(_SIZE, seed)
    model = model_of(program, wanted[0])
    best = solve_whole(model, 4, 0.0, None)
    found = decompose(model, program.owner, 4)
    assert best is not None
    assert found is not None
    rows = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
    activity = np.bincount(rows, model.value * found.columns[model.index], len(model.row_lower))
    slack = 1e-6 * np.maximum(1.0, np.abs(activity))
    assert np.all(activity >= model.row_lower - slack)
    assert np.all(activity <= model.row_upper + slack)
    assert np.all(found.columns[model.integer] == np.round(found.columns[model.integer]))
    assert found.bound <= best.value + 1e-6
    assert best.bound - 1e-6 <= found.value <= best.value * 1.02


@pytest.mark.parametrize("seed", _SEEDS)
def test_lagrangian_bound_lies_between_relaxation_and_optimum(seed: int) -> None:
    """At the duals of the relaxation it is at least its value, and never above the optimum."""
    _, program, wanted = _program(_SIZE, seed)
    model = model_of(program, wanted[0])
    classes = Classes.of(Blocks.of(model, program.owner))
    relaxation = Relaxation(classes)
    assert relaxation.solve()
    best = solve_whole(model, 4, 0.0, None)
    assert best is not None
    bound = lagrangian_bound(classes, relaxation.duals)
    assert relaxation.value * (1 - 1e-9) <= bound <= best.value + 1e-6


@pytest.mark.parametrize("seed", _SEEDS)
def test_any_prices_give_a_bound(seed: int) -> None:
    """The bound holds at prices that are not the duals of anything."""
    _, program, wanted = _program(_SIZE, seed)
    model = model_of(program, wanted[0])
    classes = Classes.of(Blocks.of(model, program.owner))
    random = Random(seed)
    prices = np.array([-random.random() for _ in classes.blocks.coupling])
    best = solve_whole(model, 4, 0.0, None)
    assert best is not None
    assert lagrangian_bound(classes, prices) <= best.value + 1e-6


@pytest.mark.parametrize("seed", _SEEDS)
def test_narrower_programs_lead_to_the_relaxation_of_the_whole(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From samples of the workloads, bound and narrower program close in on the relaxation."""
    _, program, wanted = _program(_SIZE, seed)
    model = model_of(program, wanted[0])
    classes = Classes.of(Blocks.of(model, program.owner))
    plain = Linear(model)
    assert plain.solve()
    monkeypatch.setattr("placement.solve.guide._DIRECT", 0)
    led = guide(classes, None, 1e-6)
    assert led is not None
    assert led.bound <= plain.value * (1 + 1e-9)
    assert led.bound == pytest.approx(plain.value, rel=1e-3)
    assert len(led.narrow.columns) < len(model.cost)
    assert led.relaxation.value >= plain.value * (1 - 1e-9)


@pytest.mark.parametrize("seed", _SEEDS)
def test_answer_by_samples_and_parts_is_within_all_rows(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the relaxation comes from samples and is rounded in parts, the answer is still one."""
    monkeypatch.setattr("placement.solve.guide._DIRECT", 0)
    monkeypatch.setattr("placement.solve.parts._COLUMNS", 200)
    _, program, wanted = _program(Size(12, 40, load=0.4), seed)
    model = model_of(program, wanted[0])
    found = decompose(model, program.owner, 2)
    assert found is not None
    rows = np.repeat(np.arange(len(model.row_lower)), np.diff(model.start))
    activity = np.bincount(rows, model.value * found.columns[model.index], len(model.row_lower))
    slack = 1e-6 * np.maximum(1.0, np.abs(activity))
    assert np.all(activity >= model.row_lower - slack)
    assert np.all(activity <= model.row_upper + slack)
    assert np.all(found.columns[model.integer] == np.round(found.columns[model.integer]))
    plain = Linear(model)
    assert plain.solve()
    assert found.bound <= found.value <= plain.value * 1.03


def test_two_processes_give_the_answer_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples, prices, parts and the last bound: the same bytes from one process and from two."""
    monkeypatch.setattr("placement.solve.guide._DIRECT", 0)
    monkeypatch.setattr("placement.solve.parts._COLUMNS", 200)
    monkeypatch.setitem(TARGET, 2, 0.0)  # so that the bound of whole answers is asked for
    _, program, wanted = _program(Size(12, 40, load=0.4), 2)
    model = model_of(program, wanted[0])
    with Workers(2) as workers:
        shared = decompose(model, program.owner, 2, workers=workers)
    alone = decompose(model, program.owner, 2)
    assert shared is not None
    assert alone is not None
    assert shared.columns.tobytes() == alone.columns.tobytes()
    assert (shared.value, shared.bound) == (alone.value, alone.bound)


@pytest.mark.parametrize("seed", _SEEDS)
def test_a_part_leaves_the_others_what_they_have(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounded in parts, rows are broken by little: for less than half of what the answer costs.

    If each part took all of every row, it would be four times that cost and more.
    """
    monkeypatch.setattr("placement.solve.parts._COLUMNS", 200)
    _, program, wanted = _program(Size(12, 60, load=0.6), seed)
    led = guide(Classes.of(Blocks.of(model_of(program, wanted[0]), program.owner)), None, 1e-3)
    assert led is not None
    blocks = led.narrow.blocks
    columns = rounded_in_parts(blocks, led.relaxation, led.penalty)
    assert np.all(columns[blocks.model.integer] == np.round(columns[blocks.model.integer]))
    broken = blocks.excess(blocks.activity(columns)) @ led.penalty
    assert broken <= 0.5 * (blocks.model.cost @ columns)


@pytest.mark.parametrize("seed", _SEEDS)
def test_parts_at_a_time_share_what_is_free(seed: int) -> None:
    """What two parts may take of a row together is what is free of it, and no more."""
    _, program, wanted = _program(Size(12, 60, load=0.6), seed)
    blocks = Blocks.of(model_of(program, wanted[0]), program.owner)
    relaxation = Relaxation(Classes.of(blocks))
    assert relaxation.solve()
    columns, penalty = relaxation.columns, np.ones(len(blocks.coupling))
    activity = blocks.activity(columns)
    free = blocks.model.row_upper[blocks.coupling] - activity
    more = np.zeros(len(free))
    parts = np.zeros(len(free))
    for first in (0, 1):
        chosen = list(blocks.workloads)[first::3]
        part, piece = _cut(blocks, chosen, columns, activity, penalty, 0.5)
        _, touched = coupled_part(blocks, chosen)
        inside = blocks.change(part.free, columns[part.free])[touched]
        more[touched] += piece.model.row_upper[-len(touched) :] - inside
        parts[touched] += 1
    assert more == pytest.approx(free * parts / 2, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("seed", _SEEDS)
def test_narrower_program_has_whole_answers(seed: int) -> None:
    """Of what is left of each workload's columns a whole answer of its own rows can be made."""
    _, program, wanted = _program(Size(12, 40, load=0.4), seed)
    blocks = Blocks.of(model_of(program, wanted[0]), program.owner)
    led = guide(Classes.of(blocks), None, 1e-3)
    assert led is not None
    own = led.narrow.blocks
    for block in own.workloads:
        part = own_part(own, [block], own.model.cost)
        assert branch_and_bound(part.model, 50, 1e-3).columns is not None


def test_half_a_unit_too_much_breaks_a_row_of_ten_million() -> None:
    """A row of whole columns is broken by what the exact check would see, however large it is."""
    model = Model(
        cost=np.ones(2),
        lower=np.zeros(2),
        upper=np.full(2, 1e7),
        integer=np.ones(2, dtype=bool),
        start=np.array([0, 2]),
        index=np.arange(2),
        value=np.ones(2),
        row_lower=np.array([-np.inf]),
        row_upper=np.array([11_115_849.5]),
    )
    blocks = Blocks.of(model, np.arange(2))
    assert blocks.excess(np.array([11_115_850.0])).tolist() == [0.5]
    assert blocks.excess(np.array([11_115_849.5])).tolist() == [0.0]


def test_a_row_that_cannot_be_mended_does_not_keep_others_waiting() -> None:
    """Of two broken rows the dearer has nowhere to send its workload; the other is mended."""
    model = Model(
        cost=np.array([1.0, 1.0, 2.0]),
        lower=np.zeros(3),
        upper=np.ones(3),
        integer=np.ones(3, dtype=bool),
        start=np.array([0, 1, 3, 4, 5]),
        index=np.array([0, 1, 2, 0, 1]),
        value=np.ones(5),
        row_lower=np.array([1.0, 1.0, -np.inf, -np.inf]),
        row_upper=np.array([1.0, 1.0, 0.0, 0.0]),
    )
    couples = np.array([False, False, True, True])
    blocks = Blocks.of(model, np.array([0, 1, 1]), couples)
    found = repaired(blocks, np.array([1.0, 1.0, 0.0]), np.array([100.0, 10.0]))
    assert found.tolist() == [1.0, 0.0, 1.0]


def test_workloads_that_are_alike_are_one_class() -> None:
    """Three copies of each of five workloads make five classes, with the same relaxation."""
    _, program, wanted = _program(Size(10, 15, copies=3, load=0.4), 2)
    model = model_of(program, wanted[0])
    classes = Classes.of(Blocks.of(model, program.owner))
    relaxation, plain = Relaxation(classes), Linear(model)
    assert relaxation.solve()
    assert plain.solve()
    assert [len(alike) for alike in classes.members[:-1]] == [3] * 5
    assert relaxation.value == pytest.approx(plain.value, rel=1e-9)


def test_fixed_copies_stay_and_the_others_share_the_rest() -> None:
    """One copy fixed at the answer of another stays there, and the relaxation does not fall."""
    _, program, wanted = _program(Size(10, 15, copies=3, load=0.4), 2)
    model = model_of(program, wanted[0])
    blocks = Blocks.of(model, program.owner)
    classes = Classes.of(blocks)
    relaxation = Relaxation(classes)
    relaxation.solve()
    before = relaxation.value
    found = decompose(model, program.owner, 3)
    assert found is not None
    first, second, third = classes.members[0]
    relaxation.fix({first: found.columns[blocks.columns[first]]})
    assert relaxation.solve()
    columns = relaxation.columns
    assert np.array_equal(columns[blocks.columns[first]], found.columns[blocks.columns[first]])
    assert np.array_equal(columns[blocks.columns[second]], columns[blocks.columns[third]])
    assert relaxation.value >= before - 1e-6 * before


def test_only_what_changed_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the last answer, a workload with more replicas moves and at most its neighbours."""
    monkeypatch.setattr("placement.solve.lexicographic._WHOLE", 0)
    document, _ = generate(Size(12, 40, load=0.4), 3)
    before = Federation.model_validate(document)
    facts = Facts.of(before)
    taken = [candidates(facts, workload)[0] for workload in before.workloads]
    last = search(before, taken, None, 2)
    assert isinstance(last, Answer)
    document["workloads"][7]["replicas"] += 1
    now = Federation.model_validate(document)
    taken = [candidates(Facts.of(now), workload)[0] for workload in now.workloads]
    found = search(now, taken, last.counts, 2)
    assert isinstance(found, Answer)
    moved = [name for name in found.counts if found.counts[name] != last.counts[name]]
    assert now.workloads[7].id in moved
    assert len(moved) <= 3
    assert violations(now, found.counts) == []


def test_no_answer_where_the_relaxation_has_none() -> None:
    """A program whose demand is above all capacity has no answer, and the method says so."""
    document, _ = generate(_SIZE, 1)
    for cluster in document["clusters"]:
        for node_class in cluster["nodeClasses"]:
            node_class["count"] = 1
    federation = Federation.model_validate(document)
    taken = [candidates(Facts.of(federation), w)[0] for w in federation.workloads]
    program = build(federation, taken)
    wanted = levels(federation.objective)
    assert decompose(model_of(program, wanted[0]), program.owner, 3) is None
    assert solve(program, wanted, 3) is None
