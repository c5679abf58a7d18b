"""The program: what is made at once for all workloads stands where it belongs, and says it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scale.generate import Size, generate
from placement.federation import Federation
from placement.filter import candidates
from placement.program import Program, build
from placement.program.matrix import NOBODY, Builder, Requirement
from placement.program.whole_nodes import whole_nodes
from placement.score import Facts

_WHAT = Requirement("c/k", "cpu", "milli-CPU")


def _program(seed: int) -> tuple[Federation, Program]:
    federation = Federation.model_validate(generate(Size(8, 12, load=0.5), seed)[0])
    facts = Facts.of(federation)
    return federation, build(federation, [candidates(facts, w)[0] for w in federation.workloads])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_columns_of_a_workload_stand_together(seed: int) -> None:
    """After the replica columns come the other columns of one workload after the other."""
    _, program = _program(seed)
    owners = program.owner[len(program.slots) :]
    own = owners[owners != NOBODY]
    assert np.all(np.diff(own) >= 0)
    assert np.all(np.diff(program.owner[: len(program.slots)]) >= 0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_replicas_of_a_workload_add_up(seed: int) -> None:
    """Each workload has the row of its replicas, over its replica columns and no others."""
    federation, program = _program(seed)
    for index, workload in enumerate(federation.workloads):
        wanted = Requirement(workload.id, f"replicas {workload.size}", "replicas")
        (row,) = [i for i, what in enumerate(program.requirements) if what == wanted]
        columns = program.columns[program.row_start[row] : program.row_start[row + 1]]
        assert columns.tolist() == np.flatnonzero(program.slots[:, 0] == index).tolist()
        assert program.row_lower[row] == program.row_upper[row] == workload.size


@given(
    needs=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    node=st.integers(20, 60),
    count=st.integers(1, 4),
    data=st.data(),
)
def test_rows_of_whole_nodes_hold_for_every_packing(
    needs: list[int], node: int, count: int, data: st.DataObject
) -> None:
    """Whatever whole replicas are put on the nodes, the rows hold."""
    matrix, upper = _rows(needs, node, count)
    packed = np.zeros(len(needs))
    for _ in range(count):
        left = node
        for item in data.draw(st.lists(st.integers(0, len(needs) - 1), max_size=8)):
            if needs[item] <= left:
                left -= needs[item]
                packed[item] += 1
    assert np.all(matrix @ packed <= upper + 1e-9)


@given(
    needs=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    node=st.integers(20, 60),
    count=st.integers(1, 4),
)
def test_rows_of_whole_nodes_do_not_depend_on_the_unit(
    needs: list[int], node: int, count: int
) -> None:
    """Amounts too large for exact floats give the same rows."""
    matrix, upper = _rows(needs, node, count)
    large, large_upper = _rows([need * 10**18 for need in needs], node * 10**18, count)
    assert np.array_equal(matrix, large)
    assert np.array_equal(upper, large_upper)


def _rows(needs: list[int], node: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of whole nodes over one column for each of *needs*, as a dense matrix."""
    builder = Builder()
    width = len(needs)
    slots = builder.many(np.ones(width), np.zeros(width, dtype=np.int64), integer=True, place=0)
    limits = whole_nodes(slots, np.array(needs), node * count, count, None, _WHAT)
    builder.limits(list(limits))
    program = builder.build(np.zeros((width, 3), dtype=np.int64))
    matrix = np.zeros((len(program.row_upper), width))
    rows = np.repeat(np.arange(len(matrix)), np.diff(program.row_start))
    matrix[rows, program.columns] = program.values
    return matrix, program.row_upper
