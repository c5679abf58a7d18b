"""Work shared among processes: the same results, in the same order, whatever their number."""

import os

import pytest

from placement.faults import FederationError
from placement.solve.workers import Workers


def _square(number: int) -> int:
    return number * number


def _process(number: int) -> int:  # noqa: ARG001 - every piece is given something
    return os.getpid()


def _refuse(number: int) -> int:
    if number == 3:
        raise FederationError("no three")
    return number


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_the_order_of_the_pieces(processes: int) -> None:
    """Whoever works on a piece, its result stands where the piece stood; an iterator will do."""
    with Workers(processes) as workers:
        assert workers.map(_square, iter(range(7))) == [0, 1, 4, 9, 16, 25, 36]
        assert workers.map(_square, []) == []


def test_two_processes_do_the_work() -> None:
    """Of two, this process does every other piece and a single other one the rest."""
    with Workers(2) as workers:
        first, second, third, fourth = workers.map(_process, range(4))
    assert first == third == os.getpid()
    assert second == fourth != first


@pytest.mark.parametrize("processes", [1, 2])
def test_what_a_piece_raises_is_raised(processes: int) -> None:
    """An error in another process is the one that this process would raise."""
    with Workers(processes) as workers, pytest.raises(FederationError, match="no three"):
        workers.map(_refuse, range(5))
